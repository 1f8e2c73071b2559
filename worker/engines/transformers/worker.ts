/** The engine worker for embeddings: one model on one backend, ended by its owner after the first failure. */

import { EngineError, type EngineErrorCode } from "../api/engine-error.ts";
import type { EngineFailure } from "../api/engine-wire.ts";
import { engineResultsWith, serveEngine } from "../scheduling/serve-engine.ts";
import { differInBatch } from "./batch-check.ts";
import type { EmbeddingEndpoint } from "./embedding-wire.ts";
import { TransformersEngine } from "./transformers-engine.ts";

let engine: TransformersEngine | undefined;
const asResult = engineResultsWith(toFailure);

const endpoint: Omit<EmbeddingEndpoint, "ready"> = {
  load: (load, progress) =>
    asResult("model_load_failed", async () => {
      engine = await TransformersEngine.load(load, (state) => progress.postMessage(state));
      const { info } = engine;
      const { probes, runsAlone } = await embedProbes(engine, load.probes);
      return { info: { ...info, dimensions: probes[0]?.length ?? info.dimensions, runsAlone }, probes };
    }),
  tokenize: (texts, special) => asResult("engine_failed", async () => loaded().tokenize(texts, special)),
  embed: (inputs, task) => asResult("engine_failed", () => loaded().embed(inputs, task)),
};

/** Runs probes one at a time, so that padding cannot affect their vectors, and then together, to see whether it does. */
async function embedProbes(loaded: TransformersEngine, texts: readonly string[]) {
  const tokens = loaded.tokenize(texts, true);
  const probes: Float32Array[] = [];
  for (const one of tokens) probes.push(...(await loaded.embed([one])));
  const { device, runsAlone } = loaded.info;
  return { probes, runsAlone: runsAlone || differInBatch(probes, await loaded.embed(tokens), device) };
}

function loaded(): TransformersEngine {
  if (!engine) throw new EngineError("engine_failed", "No model is loaded in this engine.");
  return engine;
}

/** The library throws strings, numbers (WASM memory addresses) and errors. */
function toFailure(error: unknown, otherwise: EngineErrorCode): EngineFailure {
  if (error instanceof EngineError) return { code: error.code, message: error.message, param: error.param };
  const message = error instanceof Error ? error.message : String(error);
  const code = /out of memory|bad_alloc|allocation failed/i.test(message) ? "out_of_memory" : otherwise;
  return { code, message: `transformers.js: ${message}` };
}

serveEngine(endpoint);
