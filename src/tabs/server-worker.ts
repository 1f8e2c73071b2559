/** The server worker of a leader page: starts it, and detects its death. */

import { InfetchError } from "../errors.ts";
import { isUnresponsive, openWorker } from "../protocol/assets/start-worker.ts";
import { holdLock, messagesHandled, watchLock } from "../protocol/liveness/liveness.ts";
import type { ConnectMessage, LifeMessage } from "../protocol/liveness/server-life.ts";
import type { ServerOptions } from "../protocol/options/server-options.ts";
import { PACKAGE_VERSION } from "../protocol/package-version.ts";
import { PROTOCOL_VERSION } from "../protocol/wire.ts";
import { ofAnotherVersion, startError } from "./start-error.ts";

/**
 * Time allowed for a loaded script to run its first line, per attempt. A worker that dies earlier leaves no trace;
 * restarting one that was only slow costs nothing but time.
 */
const START_TIMEOUTS_MS = [2_000, 4_000, 12_000];

/** Maximum consecutive workers that die before one accepts a page. */
export const MAX_STARTS = START_TIMEOUTS_MS.length;

interface ServerWorkerEvents {
  /** Startup is complete. */
  onReady(): void;
  /** Called once, unless {@link ServerWorker.terminate} was; without an error if the worker simply died. */
  onEnd(error?: Error): void;
}

export class ServerWorker {
  readonly #worker: Worker;
  readonly #url: URL;
  readonly #options: ServerOptions;
  readonly #events: ServerWorkerEvents;
  readonly #end = new AbortController();
  /**
   * Held by this page, not by the worker: Chromium lets a terminated worker of a page in the back/forward cache live on
   * for seconds.
   */
  readonly #lock = `infetch:${PROTOCOL_VERSION}:server:${crypto.randomUUID()}`;
  readonly #locked = holdLock(this.#lock, this.#end.signal);
  /** The worker's own lock, once it has started. */
  #workerLock: string | undefined;
  #isAlive = false;

  /** @param starts preceding workers that died before they were ready */
  constructor(url: URL, options: ServerOptions, starts: number, events: ServerWorkerEvents) {
    this.#url = url;
    this.#options = options;
    this.#events = events;
    this.#worker = openWorker(url, "infetch-server");
    this.#worker.onerror = (event) => {
      event.preventDefault();
      // It reported an error, so the cause can be determined, however long that takes.
      this.markAlive();
      void startError(url, event.message).then(this.#fail);
    };
    this.#worker.onmessage = ({ data }: MessageEvent<LifeMessage>) => this.#onMessage(data);
    this.#locked.catch(this.#fail);
    const hasResponded = (): boolean => this.#isAlive || this.#end.signal.aborted;
    void isUnresponsive(url, START_TIMEOUTS_MS[starts]!, hasResponded).then(
      (isDead) => isDead && this.#fail(),
    );
  }

  /** A library in the worker may post messages of its own. */
  #onMessage(message: LifeMessage | undefined | null): void {
    const workerLock = message?.workerLock;
    if (!message || typeof workerLock !== "string") return;
    if (message.type === "started" && !this.#workerLock) {
      this.#workerLock = workerLock;
      this.markAlive();
      if (message.version !== PACKAGE_VERSION) this.#replaceStale(message.version);
      else watchLock(workerLock, () => void messagesHandled().then(() => this.#fail()), this.#end.signal);
    } else if (workerLock !== this.#workerLock) return;
    else if (message.type === "ready") this.#events.onReady();
    else if (message.type === "failed") this.#fail(new InfetchError(message.code, message.message));
  }

  /** Ends a worker of another release. */
  #replaceStale(version: string | undefined): void {
    // It must not handle requests while the reason is determined.
    this.#worker.onmessage = null;
    this.#worker.terminate();
    void ofAnotherVersion(this.#url, version, Object.values(this.#options.engineURLs)).then(this.#fail);
  }

  /** The worker has ended on its own: without an error if it simply died. */
  readonly #fail = (error?: Error): void => {
    if (this.#end.signal.aborted) return;
    this.terminate();
    this.#events.onEnd(error);
  };

  /** Creates a port to the server, usable before the server is ready. */
  port(): MessagePort {
    const { port1, port2 } = new MessageChannel();
    const message: ConnectMessage = {
      type: "connect",
      port: port2,
      options: this.#options,
      serverLock: this.#lock,
    };
    this.#locked.then(
      () => this.#worker.postMessage(message, [port2]),
      () => {},
    );
    return port1;
  }

  /** A message arrived: the worker started. */
  markAlive(): void {
    this.#isAlive = true;
  }

  /** For a worker that does not answer: unless its script may still be loading, or it has another lock, it has died. */
  endIfStarted(lock = this.#lock): void {
    if (this.#isAlive && lock === this.#lock) this.#fail();
  }

  terminate(): void {
    this.#end.abort();
    this.#worker.terminate();
  }
}
