/**
 * The client end of the wire: one server worker, spoken to through one port. Comlink never settles a call
 * whose worker died, so every call is raced against the death of the server, and every open body ends with it.
 */

import { type Remote, transfer, wrap } from "comlink";
import {
  ModelLoadError,
  ProtocolVersionError,
  RuntimeOptionsConflictError,
  WorkerLostError,
} from "../errors.ts";
import type { ReceivedBody } from "../protocol/body.ts";
import { holdLock, watchLock } from "../protocol/liveness.ts";
import { receivedBodyOf } from "../protocol/transfer.ts";
import {
  type Hello,
  PROTOCOL_VERSION,
  type Result,
  type RuntimeEvent,
  type ServerEndpoint,
  type WireError,
} from "../protocol/wire.ts";

/** What a page tells about itself, beside what the connection adds. */
export type PageIdentity = Pick<Hello, "pageId" | "key" | "optionsFingerprint" | "basePath">;

export class Connection {
  readonly #remote: Remote<ServerEndpoint>;
  readonly #port: MessagePort;
  readonly #lost: Promise<never>;
  readonly #end = new AbortController();
  readonly #openBodies = new Set<ReceivedBody>();
  #reportLost!: (error: Error) => void;

  private constructor(port: MessagePort) {
    this.#port = port;
    this.#remote = wrap<ServerEndpoint>(port);
    this.#lost = new Promise((_, reject) => {
      this.#reportLost = reject;
    });
    this.#lost.catch(() => {});
  }

  /**
   * Says hello and starts to watch the server.
   *
   * @throws {ProtocolVersionError | RuntimeOptionsConflictError | WorkerLostError}
   */
  static async open(
    port: MessagePort,
    page: PageIdentity,
    onEvent: (event: RuntimeEvent) => void,
    onReady: (connection: Connection) => void = () => {},
  ): Promise<Connection> {
    const connection = new Connection(port);
    onReady(connection);
    const pageLock = `infetch:${PROTOCOL_VERSION}:page:${page.pageId}:${crypto.randomUUID()}`;
    await holdLock(pageLock, connection.#end.signal);
    const { port1: events, port2 } = new MessageChannel();
    events.onmessage = ({ data }: MessageEvent<RuntimeEvent>) => onEvent(data);
    const reply = await connection.#call(() =>
      connection.#remote.hello(
        transferHello({ ...page, protocolVersion: PROTOCOL_VERSION, pageLock, events: port2 }),
      ),
    );
    const { serverLock } = unwrap(reply);
    watchLock(serverLock, () => connection.fail(new WorkerLostError()), connection.#end.signal);
    return connection;
  }

  /** Sends one request. Rejects only when the connection ends or the request's own signal aborts. */
  async fetch(request: Request): Promise<Response> {
    const response = await this.#call(() => this.#remote.fetch(request), request.signal);
    const body = receivedBodyOf(response);
    if (body) this.#own(body, request.signal);
    return response;
  }

  /** Calls back once the connection has ended, whoever ended it. */
  onLost(callback: () => void): void {
    this.#end.signal.addEventListener("abort", callback, { once: true });
  }

  /** @throws {ModelLoadError} with the server's own code */
  async load(model: string): Promise<void> {
    unwrap(await this.#call(() => this.#remote.load(model)));
  }

  /** Ends everything that is pending with `error`: calls reject, bodies fail. */
  fail(error: Error): void {
    if (this.#end.signal.aborted) return;
    this.#reportLost(error);
    for (const body of this.#openBodies) body.fail(error);
    this.#end.abort();
    this.#port.close();
  }

  #own(body: ReceivedBody, signal: AbortSignal): void {
    const onAbort = (): void => body.fail(signal.reason);
    this.#openBodies.add(body);
    signal.addEventListener("abort", onAbort, { once: true });
    void body.ended.then(() => {
      this.#openBodies.delete(body);
      signal.removeEventListener("abort", onAbort);
    });
    if (this.#end.signal.aborted) body.fail(new WorkerLostError());
    else if (signal.aborted) onAbort();
  }

  #call<T>(send: () => T, signal?: AbortSignal): Promise<Awaited<T>> {
    const waits: Promise<Awaited<T>>[] = [Promise.resolve(send()), this.#lost];
    if (!signal) return Promise.race(waits);
    let stop = (): void => {};
    waits.push(
      new Promise((_, reject) => {
        const onAbort = (): void => reject(signal.reason);
        signal.addEventListener("abort", onAbort, { once: true });
        stop = () => signal.removeEventListener("abort", onAbort);
        if (signal.aborted) onAbort();
      }),
    );
    return Promise.race(waits).finally(() => stop());
  }
}

function transferHello(hello: Hello): Hello {
  return transfer(hello, [hello.events]);
}

function unwrap<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw toError(result.error);
}

function toError(wire: WireError): Error {
  if (wire.name === "ProtocolVersionError") return new ProtocolVersionError(wire.message);
  if (wire.name === "RuntimeOptionsConflictError") return new RuntimeOptionsConflictError(wire.message);
  return new ModelLoadError(wire.code, wire.message);
}
