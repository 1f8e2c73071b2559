/**
 * Client end of the protocol: one server worker over one port. Comlink never settles a call whose worker died, so
 * each call is raced against the server's death, which also ends every open body.
 */

import { type Remote, wrap } from "comlink";
import { WorkerLostError } from "../errors.ts";
import type { RuntimeEvent } from "../protocol/events.ts";
import { Lifetime } from "../protocol/liveness/lifetime.ts";
import { messagesHandled, watchLock } from "../protocol/liveness/liveness.ts";
import type { Result } from "../protocol/rpc/result.ts";
import type { Rpc } from "../protocol/rpc/rpc.ts";
import type { ReceivedBody } from "../protocol/transfer/received-body.ts";
import { receivedBodyOf, sentRequestOf } from "../protocol/transfer/transfer-client.ts";
import type { EventsControl, ServerEndpoint } from "../protocol/wire.ts";
import { type PageIdentity, sendHello } from "./hello.ts";
import { OpenRequests } from "./open-requests.ts";
import { unwrap } from "./unwrap.ts";
import { watchSilence } from "./watch-silence.ts";

type RemoteMethod<T> = (...values: unknown[]) => Promise<Result<T>>;

export class Connection {
  readonly #remote: Remote<ServerEndpoint>;
  readonly #port: MessagePort;
  readonly #events = new MessageChannel();
  readonly #end = new AbortController();
  readonly #lifetime = new Lifetime();
  readonly #requests = new OpenRequests(this.#lifetime);
  /** The lock of the server, if the connection ended because that did not answer. */
  silentServer?: string;

  private constructor(port: MessagePort) {
    this.#port = port;
    this.#remote = wrap<ServerEndpoint>(port);
  }

  /**
   * Performs the hello and starts watching the server.
   *
   * @param onCreate called before the hello, to {@link fail} a connection that is opening
   * @throws {ProtocolVersionError | RuntimeOptionsConflictError | WorkerLostError}
   */
  static async open(
    port: MessagePort,
    page: PageIdentity,
    onEvent: (event: RuntimeEvent) => void,
    onCreate: (connection: Connection) => void = () => {},
  ): Promise<Connection> {
    const connection = new Connection(port);
    onCreate(connection);
    try {
      await connection.#greet(page, onEvent);
    } catch (error) {
      // Otherwise each refused attempt would keep a lock and a port.
      connection.fail(error as Error);
      throw error;
    }
    return connection;
  }

  async #greet(page: PageIdentity, onEvent: (event: RuntimeEvent) => void): Promise<void> {
    const { port1: local, port2: events } = this.#events;
    local.onmessage = ({ data }: MessageEvent<RuntimeEvent>) => onEvent(data);
    this.onLost(() => local.close());
    const { signal } = this.#end;
    const serverLock = await sendHello(this.#remote, page, { events, signal, lifetime: this.#lifetime });
    watchLock(serverLock, () => void messagesHandled().then(() => this.#die()), signal);
    watchSilence(
      () => this.#lifetime.isAwaited || this.#requests.isOpen,
      () => this.#remote.ping(),
      () => {
        this.silentServer = serverLock;
        this.#die(SILENT);
      },
      signal,
    );
  }

  /**
   * Sends one request. Its signal is forwarded to the server and errors the response body with its reason; the call
   * still settles with the server's response.
   *
   * @throws {TypeError} if the request body fails
   * @throws the error that ended the connection, or the reason of an already aborted signal
   */
  async fetch(request: Request): Promise<Response> {
    request.signal.throwIfAborted();
    const responding = this.#remote.fetch(request);
    const bodyFailed = sentRequestOf(request)?.bodyFailed;
    const settled = bodyFailed ? Promise.race([responding, bodyFailed]) : responding;
    const response = await this.#requests.responseTo(request, settled);
    const body = receivedBodyOf(response);
    if (body) takeUnlessAborted(body, request.signal);
    return response;
  }

  /** Asks for stats events, or no longer. */
  watchStats(watchStats: boolean): void {
    this.#events.port1.postMessage({ watchStats } satisfies EventsControl);
  }

  /** Ends the connection if the server does not answer. */
  check(): void {
    this.#lifetime.within(this.#remote.ping()).catch(() => {});
  }

  /** Calls back once the connection has ended, for any reason. */
  onLost(callback: () => void): void {
    this.#end.signal.addEventListener("abort", callback, { once: true });
  }

  /**
   * Calls an RPC method.
   *
   * @throws the group's error class, with the server's code
   */
  async call<T>(group: keyof Rpc, method: string, values: unknown[]): Promise<T> {
    // Comlink returns a property of a remote object as another remote object.
    const remote = this.#remote[group] as unknown as Record<string, RemoteMethod<T>>;
    return unwrap(await this.#lifetime.within(remote[method]!(...values)));
  }

  /** Ends the connection: pending calls reject and open bodies fail with `error`. */
  fail(error: Error): void {
    if (this.#end.signal.aborted) return;
    this.#lifetime.end(error);
    this.#requests.fail(error);
    this.#end.abort();
    this.#port.close();
  }

  /** The server died. Received chunks of its bodies can still be read. */
  #die(message?: string): void {
    const error = new WorkerLostError(message);
    this.#requests.cutOff(error);
    this.fail(error);
  }
}

const SILENT =
  "The server does not answer: the browser has suspended its page, or it hangs. Send the request again.";

/** Takes a body. Until it is read to its end, the signal errors it; also one that has been fully received. */
function takeUnlessAborted(body: ReceivedBody, signal: AbortSignal): void {
  const onAbort = (): void => body.fail(signal.reason);
  signal.addEventListener("abort", onAbort);
  void body.ended.then(() => signal.removeEventListener("abort", onAbort));
  if (signal.aborted) onAbort();
  else body.take();
}
