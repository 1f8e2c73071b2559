/** Lifecycle of and calls to a worker that runs an engine. */

import { type Remote, wrap } from "comlink";
import { fileFault, startFault, versionFault } from "../../../src/protocol/assets/asset-diagnosis.ts";
import { ASSETS_NOT_FOUND } from "../../../src/protocol/assets/assets.ts";
import {
  afterScriptLoaded,
  ENGINE_START_TIMEOUT_MS,
  fetchScript,
  openWorker,
} from "../../../src/protocol/assets/start-worker.ts";
import { Lifetime } from "../../../src/protocol/liveness/lifetime.ts";
import { watchLock } from "../../../src/protocol/liveness/liveness.ts";
import { PACKAGE_VERSION } from "../../../src/protocol/package-version.ts";
import { EngineError, type EngineErrorCode } from "../../engine-api/engine-error.ts";
import type {
  EngineConnectMessage,
  EngineFailure,
  EngineFatalMessage,
  EngineResult,
} from "../../engine-api/engine-wire.ts";

export interface EngineWorkerOptions {
  workerURL: string;
  name: string;
  serverLock: string;
  /** Called once when the worker ends, for any reason. */
  onEnd: (reason: string, code: EngineErrorCode) => void;
  /** Ends the worker when aborted; its reason is passed on. */
  signal?: AbortSignal;
}

export class EngineWorker<Endpoint extends { ready(): Promise<string> }> {
  readonly endpoint: Remote<Endpoint>;
  readonly #worker: Worker;
  readonly #end = new AbortController();
  #isReady = false;
  #code: EngineErrorCode = "engine_lost";
  readonly #lifetime = new Lifetime();
  /** Rejects with `engine_lost` or `out_of_memory` when the worker ends. */
  readonly lost: Promise<never> = this.#lifetime.within(new Promise<never>(() => {}));

  private constructor(worker: Worker, port: MessagePort) {
    this.#worker = worker;
    this.endpoint = wrap<Endpoint>(port);
    this.lost.catch(() => {});
  }

  /**
   * Starts a worker and waits until it is ready.
   *
   * @throws {EngineError} `engine_lost`; `assets_not_found` if its script did not load, `assets_of_another_version` if
   *   it is of another release, as after an update while the page was open
   */
  static async start<Endpoint extends { ready(): Promise<string> }>(
    options: EngineWorkerOptions,
  ): Promise<EngineWorker<Endpoint>> {
    const { port1, port2 } = new MessageChannel();
    const worker = openWorker(options.workerURL, options.name);
    const engine = new EngineWorker<Endpoint>(worker, port1);
    engine.#end.signal.addEventListener("abort", ({ target }) =>
      options.onEnd(String((target as AbortSignal).reason), engine.#code),
    );
    worker.onerror = (event) => {
      event.preventDefault();
      void engine.#fail(options.workerURL, event.message);
    };
    // Some browsers fire no error event for a script that fails to load.
    const silence = setTimeout(() => void engine.#diagnose(options.workerURL), SILENCE_MS);
    worker.onmessage = ({ data }: MessageEvent<EngineFatalMessage>) => {
      if (data?.type === "fatal") engine.end(data.message, data.code);
    };
    const { signal } = options;
    if (signal?.aborted) engine.end(String(signal.reason));
    else
      signal?.addEventListener("abort", () => engine.end(String(signal.reason)), {
        signal: engine.#end.signal,
      });
    const engineLock = `${options.serverLock}:engine:${crypto.randomUUID()}`;
    const connect: EngineConnectMessage = {
      type: "connect",
      port: port2,
      engineLock,
      serverLock: options.serverLock,
    };
    worker.postMessage(connect, [port2]);
    const ready = (engine.endpoint as unknown as Remote<{ ready(): string }>).ready();
    const version = await engine.#lifetime.within(ready).finally(() => clearTimeout(silence));
    engine.#isReady = true;
    if (version !== PACKAGE_VERSION) await engine.#refuse(options.workerURL, version);
    watchLock(engineLock, () => engine.end("its worker ended"), engine.#end.signal);
    return engine;
  }

  /**
   * Returns the value of a call. Comlink never settles calls to a dead worker.
   *
   * @throws {EngineError} the worker's own failure, or `engine_lost`
   */
  async call<T>(result: Promise<EngineResult<T>>): Promise<T> {
    const answer = await this.#lifetime.within(result);
    if (answer.ok) return answer.value;
    throw toEngineError(answer.error);
  }

  get ended(): boolean {
    return this.#end.signal.aborted;
  }

  /** Terminates the worker and rejects all pending calls. */
  end(reason: string, code: EngineErrorCode = "engine_lost"): void {
    if (this.ended) return;
    this.#worker.terminate();
    this.#code = code;
    this.#end.abort(reason);
    const isExplained = code === ASSETS_NOT_FOUND || code === "assets_of_another_version";
    const message = isExplained ? reason : `The engine ended: ${reason}. Send the request again.`;
    this.#lifetime.end(new EngineError(code, message));
  }

  /** Handles an uncaught error; before the worker is ready, the cause may be a script that did not load. */
  async #fail(workerURL: string, message: string | undefined): Promise<void> {
    const fault = this.#isReady ? undefined : await startFault(workerURL, message);
    if (fault) this.end(fault, ASSETS_NOT_FOUND);
    else this.end(message || "its script failed");
  }

  /** Ends a worker of another release, and renews its script in the HTTP cache, which may be the one that is old. */
  async #refuse(workerURL: string, version: string): Promise<never> {
    await fetchScript(workerURL, { cache: "reload" });
    this.end(await versionFault(workerURL, version), "assets_of_another_version");
    return this.lost;
  }

  async #diagnose(workerURL: string): Promise<void> {
    const fault = await fileFault(workerURL, "worker");
    if (this.#isReady) return;
    if (fault) return this.end(fault, ASSETS_NOT_FOUND);
    await afterScriptLoaded(workerURL, ENGINE_START_TIMEOUT_MS);
    if (!this.#isReady) this.end("its worker did not start");
  }
}

/** After this long without readiness, check whether the worker's script loads at all. */
const SILENCE_MS = 5_000;

/** Rebuilds the EngineError that an engine worker serialized. */
export function toEngineError({ code, message, param }: EngineFailure): EngineError {
  return new EngineError(code, message, param ? { param } : {});
}
