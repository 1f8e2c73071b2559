/** The server worker of a leader page: starts it, and detects its death. */

import { InfetchError } from "../errors.ts";
import { holdLock, messagesHandled, watchLock } from "../protocol/liveness.ts";
import { PACKAGE_VERSION } from "../protocol/package-version.ts";
import type { ConnectMessage, LifeMessage } from "../protocol/server-life.ts";
import type { ServerOptions } from "../protocol/server-options.ts";
import { isUnresponsive, openWorker } from "../protocol/start-worker.ts";
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
  readonly #options: ServerOptions;
  readonly #end = new AbortController();
  /**
   * Held by this page, not by the worker: Chromium lets a terminated worker of a page in the back/forward cache live on
   * for seconds.
   */
  readonly #lock = `infetch:${PROTOCOL_VERSION}:server:${crypto.randomUUID()}`;
  readonly #locked = holdLock(this.#lock, this.#end.signal);
  #isAlive = false;
  #isReady = false;
  readonly #ended: (error?: Error) => void;

  /** @param starts preceding workers that died before they were ready */
  constructor(url: URL, options: ServerOptions, starts: number, { onReady, onEnd }: ServerWorkerEvents) {
    this.#options = options;
    this.#worker = openWorker(url, "infetch-server");
    const end = (error?: Error): void => {
      if (this.#end.signal.aborted) return;
      this.terminate();
      onEnd(error);
    };
    this.#ended = end;
    this.#worker.onerror = (event) => {
      event.preventDefault();
      // It reported an error, so the cause can be determined, however long that takes.
      this.markAlive();
      void startError(url, event.message).then(end);
    };
    this.#worker.onmessage = ({ data }: MessageEvent<LifeMessage>) => {
      if (data.type === "ready") {
        this.#isReady = true;
        onReady();
      }
      if (data.type === "failed") end(new InfetchError(data.code, data.message));
      if (data.type !== "started") return;
      this.markAlive();
      if (data.version !== PACKAGE_VERSION) {
        // It must not handle requests while the reason is determined.
        this.#worker.onmessage = null;
        this.#worker.terminate();
        void ofAnotherVersion(url, data.version, Object.values(options.engineURLs)).then(end);
        return;
      }
      watchLock(data.workerLock, () => void messagesHandled().then(() => end()), this.#end.signal);
    };
    this.#locked.catch(end);
    const hasResponded = (): boolean => this.#isAlive || this.#end.signal.aborted;
    void isUnresponsive(url, START_TIMEOUTS_MS[starts]!, hasResponded).then((isDead) => isDead && end());
  }

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

  /** For a worker that does not answer: unless it is still starting, or has another lock, it has died. */
  endIfReady(lock = this.#lock): void {
    if (this.#isReady && lock === this.#lock) this.#ended();
  }

  terminate(): void {
    this.#end.abort();
    this.#worker.terminate();
  }
}
