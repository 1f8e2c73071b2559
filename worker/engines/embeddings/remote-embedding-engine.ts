/** An embedding engine in a dedicated worker. Any failed load or run ends it (decision 020). */

import { AwakeTimeout } from "../../../src/protocol/liveness/awake-timeout.ts";
import type { EmbeddingEngine, EmbeddingModelInfo } from "../../engine-api/embedding-engine.ts";
import { EngineError } from "../../engine-api/engine-error.ts";
import type { LoadProgress } from "../../engine-api/load-progress.ts";
import { EngineWorker, type EngineWorkerOptions } from "../scheduling/engine-worker.ts";
import { loadInWorker } from "../scheduling/load-in-worker.ts";
import { tokenizeInWorker } from "../scheduling/tokenize-in-worker.ts";
import type { EmbeddingEndpoint, ProbedLoad } from "./embedding-wire.ts";

/** Upper bound for one run of a healthy engine. */
const RUN_TIMEOUT_MS = 600_000;

export class RemoteEmbeddingEngine implements EmbeddingEngine {
  readonly info: EmbeddingModelInfo;
  /** Vectors of the self-test probes, computed at load. */
  readonly probes: readonly Float32Array[];
  readonly #worker: EngineWorker<EmbeddingEndpoint>;

  private constructor(
    worker: EngineWorker<EmbeddingEndpoint>,
    info: EmbeddingModelInfo,
    probes: Float32Array[],
  ) {
    this.#worker = worker;
    this.info = info;
    this.probes = probes;
  }

  /**
   * Starts a worker and loads a model into it, and into another one if the first fails for a batch.
   *
   * @throws {EngineError}
   */
  static async start(
    options: EngineWorkerOptions,
    load: ProbedLoad,
    onProgress: (progress: LoadProgress) => void,
  ): Promise<RemoteEmbeddingEngine> {
    let isReplaced = false;
    const onEnd: EngineWorkerOptions["onEnd"] = (...end) => {
      if (!isReplaced) options.onEnd(...end);
    };
    const worker = await EngineWorker.start<EmbeddingEndpoint>({ ...options, onEnd });
    const start = (port: MessagePort) => worker.endpoint.load(load, port);
    const { info, probes, isBroken } = await loadInWorker(worker, start, onProgress);
    if (!isBroken) return new RemoteEmbeddingEngine(worker, info, probes);
    isReplaced = true;
    worker.end("it failed for a batch");
    return RemoteEmbeddingEngine.start(options, { ...load, runsAlone: true }, onProgress);
  }

  tokenize(texts: readonly string[], special: boolean): Promise<number[][]> {
    return tokenizeInWorker(this.#worker, RUN_TIMEOUT_MS, (endpoint) => endpoint.tokenize(texts, special));
  }

  /** @throws {EngineError} */
  async embed(inputs: readonly (readonly number[])[], task?: number): Promise<Float32Array[]> {
    const timeout = new AwakeTimeout(RUN_TIMEOUT_MS, () =>
      this.#worker.end("a run of the model did not end"),
    );
    try {
      return await this.#worker.call(this.#worker.endpoint.embed(inputs, task));
    } catch (error) {
      const code = error instanceof EngineError ? error.code : "engine_failed";
      // After one failed run, ONNX Runtime fails every later run in the same realm with the same error.
      this.dispose(`a run failed (${code})`);
      throw error;
    } finally {
      timeout.clear();
    }
  }

  dispose(reason: string): void {
    this.#worker.end(reason);
  }
}
