import { type Remote, wrap } from "comlink";
import { InfetchError, WorkerLostError } from "../errors.ts";
import { requireFunction } from "../listeners.ts";
import { explainEnvironment } from "../options/setup-errors.ts";
import type { RuntimeEvent } from "../protocol/events.ts";
import { Lifetime } from "../protocol/liveness/lifetime.ts";
import { messagesHandled, watchLock } from "../protocol/liveness/liveness.ts";
import type { Rpc } from "../protocol/rpc/rpc.ts";
import type { ServerEndpoint } from "../protocol/wire.ts";
import { normalizeBasePath } from "./base-path.ts";
import { sendHello } from "./hello.ts";
import { OpenRequests } from "./open-requests.ts";
import { mintKey } from "./page-key.ts";
import { requireLocks } from "./require-environment.ts";

/** Options of {@link joinServer}. */
export interface JoinOptions {
  /**
   * Path under which the server answers the requests of this port.
   *
   * @default "/v1"
   */
  basePath?: string;
  /** Called with each event of the server but `stats`. */
  onEvent?: (event: RuntimeEvent) => void;
}

/** The server, through comlink: the HTTP API, and the calls outside it. */
export type RemoteServer = {
  /**
   * Serves a request of the HTTP API. Every failure is a response, except that of a server that has ended: then it
   * rejects with {@link WorkerLostError}, as do reads of open bodies. A used body rejects with a TypeError, as in `fetch`.
   */
  fetch(request: Request): Promise<Response>;
} & { [Group in keyof Rpc]: Remote<Rpc[Group]> };

/** A server that this page has joined. */
export interface JoinedServer {
  /** The HTTP API (`fetch`), and a property for each group of {@link Rpc}. */
  remote: RemoteServer;
  /** Key for the requests of this page, newly generated. The server forgets it when the page leaves. */
  apiKey: string;
  /**
   * Resolves when the server has died, or this page has left it. Comlink never settles calls of {@link Rpc} after that:
   * race them against this.
   */
  lost: Promise<void>;
  /** Leaves the server: pending requests and open bodies fail with {@link WorkerLostError}. */
  close(): void;
}

/**
 * Joins the server at the other end of a port, with the options that the server has. Both must be of one origin: each
 * notices the other's end by its Web Lock.
 *
 * @throws {TypeError} for an option of another type
 * @throws {ProtocolVersionError} if the server speaks another version of the protocol
 * @throws {WorkerLostError} if no server answers at the port within 30 seconds
 * @throws {InfetchError} `other_origin`; `unsupported_browser`, `insecure_context`, `opaque_origin` or `web_locks_unavailable` as
 *   `createRuntime()`
 */
export async function joinServer(
  port: MessagePort,
  { basePath = "/v1", onEvent = () => {} }: JoinOptions = {},
): Promise<JoinedServer> {
  // Before anything is held.
  const base = normalizeBasePath(basePath);
  requireFunction("onEvent", onEvent);
  await requireLocks(explainEnvironment);
  const end = new AbortController();
  const { signal } = end;
  const { port1: local, port2: events } = new MessageChannel();
  local.onmessage = ({ data }: MessageEvent<RuntimeEvent>) => onEvent(data);
  const close = (): void => {
    end.abort();
    local.close();
    port.close();
  };
  const { apiKey, registration: key } = await mintKey();
  const page = { pageId: crypto.randomUUID(), key, basePath: base };
  const remote = wrap<ServerEndpoint>(port);
  try {
    const serverLock = await inTime((lifetime) => sendHello(remote, page, { events, signal, lifetime }));
    await requireSameOrigin(serverLock);
    const died = new Promise<void>((granted) => watchLock(serverLock, granted, signal));
    const left = new Promise<void>((aborted) => signal.addEventListener("abort", () => aborted()));
    // Comlink's own type makes a group a promise of it.
    const whole = remote as unknown as RemoteServer;
    const lost = Promise.race([died.then(messagesHandled), left]);
    return { remote: withEnd(whole, lost, signal), apiKey, lost, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** Fails pending requests and open bodies once the server is lost. Chunks that have arrived can still be read. */
function withEnd(remote: RemoteServer, lost: Promise<void>, left: AbortSignal): RemoteServer {
  const life = new Lifetime();
  const requests = new OpenRequests(life);
  void lost.then(() => {
    const error = left.aborted ? new WorkerLostError(LEFT) : new WorkerLostError();
    life.end(error);
    requests.cutOff(error);
  });
  const fetch = async (request: Request): Promise<Response> =>
    requests.responseTo(request, remote.fetch(request));
  return new Proxy(remote, { get: (all, name) => (name === "fetch" ? fetch : Reflect.get(all, name)) });
}

const LEFT = "This page has left the server with close(). Join it again at another port.";

/** A running server answers at once; only a timeout reveals that the other end of a port is gone. */
const HELLO_LIMIT_MS = 30_000;

function inTime<T>(hello: (limit: Lifetime) => Promise<T>): Promise<T> {
  const limit = new Lifetime();
  const timer = setTimeout(() => limit.end(new WorkerLostError(NO_ANSWER)), HELLO_LIMIT_MS);
  return hello(limit).finally(() => clearTimeout(timer));
}

const NO_ANSWER =
  "No server answered at this port within 30 seconds: it has ended. Start another one, and join it at a port of its own.";

/** A server of another origin would take this page for closed, and never answer. */
async function requireSameOrigin(serverLock: string): Promise<void> {
  const { held = [] } = await navigator.locks.query();
  if (held.some(({ name }) => name === serverLock)) return;
  throw new InfetchError(
    "other_origin",
    `The server is not visible from ${location.origin}: it is of another origin, or this frame's storage is partitioned. Join it in a page, frame or worker of the server's own site and origin, and pass requests on from there.`,
  );
}
