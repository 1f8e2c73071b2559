import type { Parallel } from "../../../../src/protocol/parallel.ts";
import type { LoadProgress } from "../../../engine-api/load-progress.ts";
import type { ModelFiles } from "../../../engine-api/model-files.ts";
import type { LocalChatEngine } from "../../chat/serve-chat-engine.ts";
import { BatchEngine } from "../batch-engine.ts";
import { PAGE_SIZE } from "../kv/kv-state.ts";
import { SequenceCache } from "../kv/sequence-cache.ts";
import { type LoadedModel, loadModel } from "../load-model.ts";
import { BatchSize } from "../schedule/batch-size.ts";
import { mostParallel } from "../schedule/parallel.ts";
import { SingleEngine } from "../single/single-engine.ts";
import { StepRunner } from "../step/step-runner.ts";
import { lookUpFunctions } from "../tvm/functions.ts";
import { replaceCache, TvmKvState } from "../tvm/kv-state.ts";
import { testLibrary } from "./self-test.ts";

/** TVM sets no limit; the model library of this project does. */
const MAX_SEQUENCES = 256;

/** Loads a model and chooses what drives it. @throws {EngineError} or web-llm's own error */
export async function loadEngine(
  files: ModelFiles,
  onProgress: (progress: LoadProgress) => void,
): Promise<LocalChatEngine> {
  return chooseDriver(await loadModel(files, onProgress), files.parallel);
}

/** The batch engine if the model's library passes its test; else web-llm's chat API, with a note that says why. */
export async function chooseDriver(model: LoadedModel, parallel?: Parallel): Promise<LocalChatEngine> {
  const reason = whyNotBatched(model);
  if (reason) return singleEngine(model, reason);
  try {
    return await startBatchEngine(model, parallel);
  } catch (error) {
    // A failed pass leaves the KV cache inconsistent.
    model.pipeline.resetChat();
    return singleEngine(model, (error as Error).message);
  }
}

async function startBatchEngine(model: LoadedModel, parallel: Parallel = "auto"): Promise<BatchEngine> {
  const { pipeline } = model;
  const functions = lookUpFunctions(pipeline);
  const most = mostParallel(parallel);
  // The test runs two.
  replaceCache(pipeline, { sequences: Math.max(2, most), pageSize: PAGE_SIZE });
  const state = new TvmKvState(pipeline, functions);
  const steps = new StepRunner(pipeline, functions);
  state.clear();
  const runsSeveral = await testLibrary(pipeline, state, steps);
  const info = { pages: state.availablePages(), pageSize: PAGE_SIZE, maxSequences: MAX_SEQUENCES };
  if (info.pages * PAGE_SIZE < pipeline.contextWindowSize)
    throw new Error("its KV cache is smaller than its context");
  const batchSize = new BatchSize(runsSeveral ? most : 1, parallel === "auto");
  return new BatchEngine(model, steps, new SequenceCache(state, info), batchSize);
}

/** Why TVM cannot fork and shorten the sequences of a model; undefined if it can. */
function whyNotBatched({ pipeline, config }: LoadedModel): string | undefined {
  const { needsKVCache, needsRNNState } = pipeline.resolvedModelABI;
  if (!needsKVCache || needsRNNState) return "the model has a recurrent state";
  const { model_config: inner } = config as { model_config?: Readonly<Record<string, unknown>> };
  const isSliding = [config, inner ?? {}].some(
    ({ sliding_window_size: size, sliding_window: window, use_sliding_window: isUsed, layer_types: types }) =>
      Number(size) > 0 || (Number(window) > 0 && isUsed !== false) || String(types).includes("sliding"),
  );
  return isSliding ? "the model has sliding windows" : undefined;
}

function singleEngine(model: LoadedModel, reason: string): SingleEngine {
  const note = `Only the last conversation stays in the KV cache: ${reason}.`;
  return new SingleEngine({
    ...model,
    info: { ...model.info, notes: [...(model.info.notes ?? []), note] },
  });
}
