import type { Pipeline, TvmFunction } from "./pipeline.ts";
import { withScope } from "./scope.ts";

/** Functions of a model library and its runtime that web-llm does not hold itself. */
export interface LibraryFunctions {
  /** (embeddings [B, 1, H], cache, parameters): logits [B, 1, V] of one token of each of several sequences */
  batchDecode: TvmFunction;
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
  const found = {
    batchDecode: keep(() => vm.getFunction("batch_decode")),
    fork: keep(() => tvm.getGlobalFunc("vm.builtin.kv_state_fork_sequence")),
    popn: keep(() => tvm.getGlobalFunc("vm.builtin.kv_state_popn")),
    availablePages: keep(() => tvm.getGlobalFunc("vm.builtin.attention_kv_cache_get_num_available_pages")),
  };
  const dispose = pipeline.dispose.bind(pipeline);
  pipeline.dispose = () => {
    for (const one of Object.values(found)) one.dispose();
    dispose();
  };
  return found;
}
