import type { Pipeline, TvmFunction } from "./pipeline.ts";
import { withScope } from "./scope.ts";

/** Functions of a model library and its runtime that web-llm does not hold itself. */
export interface LibraryFunctions {
  /** (embeddings [B, 1, H], cache, parameters): logits [B, 1, V] of one token of each of several sequences */
  batchDecode: TvmFunction;
  /** (embeddings [1, n, H], positions [p], cache, parameters): logits [1, p, V] after these; absent if the library lacks it */
  batchPrefill?: TvmFunction;
  /** Positions that {@link batchPrefill} takes: MLC's libraries plan memory for one per sequence. */
  maxPositions: number;
  fork: TvmFunction;
  popn: TvmFunction;
  availablePages: TvmFunction;
}

/**
 * Looks them up. They are freed with the pipeline.
 *
 * @throws {Error} naming the first one that the library lacks
 */
export function lookUpFunctions(pipeline: Pipeline): LibraryFunctions {
  const { tvm, vm } = pipeline;
  const keep = (find: () => TvmFunction): TvmFunction =>
    withScope(tvm, () => tvm.detachFromCurrentScope(find()));
  const found: Omit<LibraryFunctions, "batchPrefill" | "maxPositions"> = {
    batchDecode: keep(() => vm.getFunction("batch_decode")),
    fork: keep(() => tvm.getGlobalFunc("vm.builtin.kv_state_fork_sequence")),
    popn: keep(() => tvm.getGlobalFunc("vm.builtin.kv_state_popn")),
    availablePages: keep(() => tvm.getGlobalFunc("vm.builtin.attention_kv_cache_get_num_available_pages")),
  };
  const positions = withScope(tvm, () => maxBatchSize(vm.getFunction("_metadata")()));
  const batchPrefill =
    positions > 0 ? optional(() => keep(() => vm.getFunction("batch_prefill"))) : undefined;
  const dispose = pipeline.dispose.bind(pipeline);
  pipeline.dispose = () => {
    for (const one of Object.values(found)) one.dispose();
    batchPrefill?.dispose();
    dispose();
  };
  return { ...found, maxPositions: positions, ...(batchPrefill ? { batchPrefill } : {}) };
}

function maxBatchSize(metadata: unknown): number {
  const { max_batch_size: size } = JSON.parse(String(metadata)) as { max_batch_size?: unknown };
  return typeof size === "number" ? size : 0;
}

function optional<T>(find: () => T): T | undefined {
  try {
    return find();
  } catch {
    return undefined;
  }
}
