import type { LoadProgress, ModelFiles } from "../api/types.ts";
import type { LocalChatEngine } from "../chat/serve-chat-engine.ts";
import { BatchEngine } from "./batch-engine.ts";
import { SequenceCache } from "./kv/sequence-cache.ts";
import { type LoadedModel, loadModel } from "./load-model.ts";
import { testItself } from "./self-test.ts";
import { SingleEngine } from "./single-engine.ts";
import { StepRunner } from "./step/step-runner.ts";
import { lookUpFunctions } from "./tvm/functions.ts";
import { TvmKvState } from "./tvm/kv-state.ts";

/** TVM's KV cache has pages of 16 tokens (web-llm 0.2.86, `defaultPageSize`). */
const PAGE = 16;

/** Loads a model and chooses what drives it. @throws {EngineError} or web-llm's own error */
export async function loadEngine(
  files: ModelFiles,
  onProgress: (progress: LoadProgress) => void,
): Promise<LocalChatEngine> {
  const model = await loadModel(files, onProgress);
  const reason = unsuited(model);
  if (reason) return keepsOne(model, reason);
  try {
    return await startBatchEngine(model);
  } catch (error) {
    // A failed pass leaves the KV cache inconsistent.
    model.pipeline.resetChat();
    return keepsOne(model, (error as Error).message);
  }
}

async function startBatchEngine(model: LoadedModel): Promise<BatchEngine> {
  const { pipeline } = model;
  const functions = lookUpFunctions(pipeline);
  const state = new TvmKvState(pipeline, functions);
  const steps = new StepRunner(pipeline, functions);
  state.clear();
  await testItself(pipeline, state, steps);
  const facts = { pages: state.availablePages(), pageSize: PAGE };
  return new BatchEngine(model, steps, new SequenceCache(state, facts), 1);
}

/** Why TVM cannot fork and shorten the sequences of a model; undefined if it can. */
function unsuited({ pipeline, config }: LoadedModel): string | undefined {
  const { needsKVCache, needsRNNState } = pipeline.resolvedModelABI;
  if (!needsKVCache || needsRNNState) return "the model has a recurrent state";
  const { model_config: inner } = config as { model_config?: Readonly<Record<string, unknown>> };
  const isSliding = [config, inner ?? {}].some(
    ({ sliding_window_size: size, sliding_window: window, layer_types: types }) =>
      Number(size) > 0 || Number(window) > 0 || String(types).includes("sliding"),
  );
  return isSliding ? "the model has sliding windows" : undefined;
}

function keepsOne(model: LoadedModel, reason: string): SingleEngine {
  const note = `Only the last conversation stays in the KV cache: ${reason}.`;
  return new SingleEngine({
    ...model,
    facts: { ...model.facts, notes: [...(model.facts.notes ?? []), note] },
  });
}
