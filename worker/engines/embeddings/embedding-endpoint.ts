import type { EmbeddingModelInfo } from "../../engine-api/embedding-engine.ts";
import { EngineError, type EngineErrorCode } from "../../engine-api/engine-error.ts";
import type { EngineFailure } from "../../engine-api/engine-wire.ts";
import type { LoadProgress } from "../../engine-api/load-progress.ts";
import { engineResultsWith } from "../scheduling/serve-engine.ts";
import { differInBatch } from "./batch-check.ts";
import type { EmbeddingEndpoint, ProbedLoad } from "./embedding-wire.ts";

/** An embedding engine inside its worker. Callers must run one batch at a time. */
export interface LocalEmbeddingEngine {
  readonly info: EmbeddingModelInfo;
  tokenize(texts: readonly string[], special: boolean): number[][];
  embed(inputs: readonly (readonly number[])[], task?: number): Promise<Float32Array[]>;
}

/**
 * The endpoint of one engine, for its worker.
 *
 * @param toFailure maps the engine's own errors; `otherwise` is the code for all others
 */
export function embeddingEndpoint<Load extends ProbedLoad>(
  load: (load: Load, onProgress: (progress: LoadProgress) => void) => Promise<LocalEmbeddingEngine>,
  toFailure: (error: unknown, otherwise: EngineErrorCode) => EngineFailure,
): Omit<EmbeddingEndpoint<Load>, "ready"> {
  let engine: LocalEmbeddingEngine | undefined;
  const asResult = engineResultsWith(toFailure);
  const loaded = (): LocalEmbeddingEngine => {
    if (!engine) throw new EngineError("engine_failed", "No model is loaded in this engine.");
    return engine;
  };
  return {
    load: (request, progress) =>
      asResult("model_load_failed", async () => {
        engine = await load(request, (state) => progress.postMessage(state));
        const { info } = engine;
        const { probes, runsAlone, isBroken } = await embedProbes(engine, request);
        const dimensions = probes[0]?.length ?? info.dimensions;
        return { info: { ...info, dimensions, runsAlone }, probes, ...(isBroken ? { isBroken } : {}) };
      }),
    tokenize: (texts, special) => asResult("engine_failed", async () => loaded().tokenize(texts, special)),
    embed: (inputs, task) => asResult("engine_failed", () => loaded().embed(inputs, task)),
  };
}

/**
 * Runs probes one at a time, so that padding cannot affect their vectors, and then together, to see whether it does. They
 * are as long as the model takes.
 */
async function embedProbes(engine: LocalEmbeddingEngine, load: ProbedLoad) {
  const { device, maxTokens } = engine.info;
  const tokens = engine.tokenize(load.probes, true).map((one) => one.slice(0, maxTokens));
  const probes: Float32Array[] = [];
  for (const one of tokens) probes.push(...(await engine.embed([one])));
  if (load.runsAlone || engine.info.runsAlone) return { probes, runsAlone: true };
  try {
    return { probes, runsAlone: differInBatch(probes, await engine.embed(tokens), device) };
  } catch {
    // A network that was exported with one text fails for several, and transformers.js then fails every run.
    return { probes, runsAlone: true, isBroken: true };
  }
}
