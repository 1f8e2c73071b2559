import { isUnresponsive } from "../protocol/assets/start-worker.ts";
import { allowedScriptURL } from "../protocol/assets/trusted-types.ts";
import { AwakeTimeout } from "../protocol/liveness/awake-timeout.ts";
import { holdLock, watchLock } from "../protocol/liveness/liveness.ts";
import type { BrokerMessage, ScopedMessage } from "./messages.ts";

/** A page's connection to the other pages of its scope and to service workers. */
export interface Broker {
  /** Announces this page as the leader. */
  lead(): void;
  /**
   * Requests a port to the leader's server. Stays pending if there is no leader or it dies. Absent on a page with a
   * private server.
   */
  call?(): Promise<MessagePort>;
  /** The broker has answered: if a call is not answered then, the leader's page does not run. */
  readonly isOpen?: boolean;
  close(): void;
}

/**
 * Time for the SharedWorker's first message, or the first call that a service worker relays. Firefox does not start a
 * SharedWorker again, without an error, if the process that ran it was killed: pages then have servers of their own.
 */
const START_TIMEOUT_MS = 20_000;

interface BrokerEvents {
  /** A new broker was opened; it has no leader yet. */
  onOpen(): void;
  /** Another page leads now; unanswered calls must be repeated. */
  onLeader(): void;
  /** Another page, or a service worker, requests a port. */
  onCall(port: MessagePort, isServiceWorker?: boolean): void;
  /** No broker is available on this page. */
  onFailure(): void;
  /** The broker does not start; it fails only those that wait for another page. */
  onUnresponsive(): void;
}

type Post = (message: BrokerMessage, transfer?: Transferable[]) => void;

/**
 * Connects to the other pages of the scope: through a SharedWorker or, if unavailable, through the
 * `infetch/service-worker` that controls this page. Undefined if neither exists. Calls from a service worker are
 * handled in any case.
 */
export function openBroker(
  scope: string,
  workerURL: URL,
  events: BrokerEvents,
): Required<Broker> | undefined {
  const closed = new AbortController();
  const { signal } = closed;
  // Service workers listen here, which may not be running, and pages without a SharedWorker.
  const channel = new BroadcastChannel(scope);
  let isOpen = false;
  const receive = (message: BrokerMessage): void => {
    if (message.type === "hello") isOpen = true;
    if (message.type === "call") events.onCall(message.port, message.isServiceWorker);
    if (message.type === "lead") events.onLeader();
  };
  const onOpen = (): void => {
    isOpen = false;
    events.onOpen();
  };
  let post = postToSharedWorker({ scope, workerURL, events: { ...events, onOpen }, receive, signal });
  if (!post && navigator.serviceWorker?.controller) {
    post = postToServiceWorker(scope);
    // No page repeats `lead`; without it, a call answered by a server that has died since would wait forever.
    channel.onmessage = () => events.onLeader();
    // It may be one that relays no calls, such as an app's own.
    const silence = new AwakeTimeout(START_TIMEOUT_MS, () => isOpen || events.onUnresponsive());
    signal.addEventListener("abort", () => silence.clear());
  }
  if (!post) {
    channel.close();
    return undefined;
  }
  receiveFromServiceWorker(scope, receive, signal);
  return {
    lead() {
      post({ type: "lead" });
      channel.postMessage("lead");
    },
    async call() {
      const port = await callLeader(post);
      isOpen = true;
      return port;
    },
    get isOpen() {
      return isOpen;
    },
    close() {
      post({ type: "leave" });
      channel.close();
      closed.abort();
    },
  };
}

function callLeader(post: Post): Promise<MessagePort> {
  const { port1, port2 } = new MessageChannel();
  post({ type: "call", port: port2 }, [port2]);
  return new Promise((resolve) => {
    port1.onmessage = ({ ports }) => {
      port1.close();
      resolve(ports[0]!);
    };
  });
}

/** For a page with a private server: only service workers call it, under `name`. */
export function openPrivateBroker(name: string, onCall: BrokerEvents["onCall"]): Broker {
  const closed = new AbortController();
  const channel = new BroadcastChannel(name);
  receiveFromServiceWorker(
    name,
    (message) => message.type === "call" && onCall(message.port, message.isServiceWorker),
    closed.signal,
  );
  return {
    lead: () => channel.postMessage("lead"),
    close() {
      channel.close();
      closed.abort();
    },
  };
}

interface SharedWorkerOptions {
  scope: string;
  workerURL: URL;
  events: BrokerEvents;
  receive: (message: BrokerMessage) => void;
  /** Aborts when the page leaves. */
  signal: AbortSignal;
}

/** Opens the SharedWorker, and again whenever it ends. Undefined if this page can have none. */
function postToSharedWorker(options: SharedWorkerOptions): Post | undefined {
  const { scope, workerURL, events, receive, signal } = options;
  if (typeof SharedWorker !== "function") return undefined;
  const pageLock = `${scope}:broker:page:${crypto.randomUUID()}`;
  let held: Promise<void> | undefined;
  let port: MessagePort;
  const open = (): void => {
    const worker = new SharedWorker(allowedScriptURL(workerURL), { type: "module", name: scope });
    const opened = worker.port;
    worker.onerror = () => signal.aborted || events.onFailure();
    let hasResponded = false;
    opened.onmessage = ({ data }: MessageEvent<BrokerMessage>) => {
      hasResponded = true;
      if (data.type === "hello") watchLock(data.lock, open, signal);
      receive(data);
    };
    const isDone = (): boolean => hasResponded || signal.aborted;
    void isUnresponsive(workerURL, START_TIMEOUT_MS, isDone).then(
      (isDead) => isDead && events.onUnresponsive(),
    );
    port = opened;
    held ??= holdLock(pageLock, signal);
    // Not before it is held: the broker takes a free lock for a page that has ended.
    held.then(
      () => opened.postMessage({ type: "join", lock: pageLock } satisfies BrokerMessage),
      () => {},
    );
    events.onOpen();
  };
  try {
    open();
  } catch {
    // Cross-origin URL, or blocked by a policy.
    return undefined;
  }
  return (message, transfer = []) => port.postMessage(message, transfer);
}

function postToServiceWorker(scope: string): Post {
  return (message, transfer = []) => {
    const scoped: ScopedMessage = { ...message, infetch: scope };
    navigator.serviceWorker.controller?.postMessage(scoped, transfer);
  };
}

function receiveFromServiceWorker(
  scope: string,
  receive: (message: BrokerMessage) => unknown,
  signal: AbortSignal,
): void {
  const { serviceWorker } = navigator;
  serviceWorker?.addEventListener(
    "message",
    ({ data }: MessageEvent<ScopedMessage | undefined>) => {
      if (data?.infetch === scope) receive(data);
    },
    { signal },
  );
  serviceWorker?.startMessages();
}
