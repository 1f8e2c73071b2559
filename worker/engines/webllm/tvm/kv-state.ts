import type { KvState } from "../kv/kv-state.ts";
import type { LibraryFunctions } from "./functions.ts";
import type { Disposable, Pipeline, TvmFunction } from "./pipeline.ts";
import { withScope } from "./scope.ts";

/** Puts a KV cache for several rows a step in the place of web-llm's, which takes one. It has as many tokens. */
export function replaceCache(
  pipeline: Pipeline,
  { sequences, pageSize }: { sequences: number; pageSize: number },
): void {
  const { tvm, vm, contextWindowSize, prefillChunkSize } = pipeline;
  // First, because both might not fit.
  pipeline.kvCache?.dispose();
  pipeline.kvCache = withScope(tvm, () => {
    const create = vm.getFunction("create_tir_paged_kv_cache");
    const sizes = [sequences, contextWindowSize, prefillChunkSize, pageSize, 0];
    return tvm.detachFromCurrentScope(
      create(...sizes.map((size) => tvm.makeShapeTuple([size]))) as Disposable,
    );
  });
}

/** The sequences in the KV cache of a loaded model. It must be the only user of that cache. */
export class TvmKvState implements KvState {
  readonly #pipeline: Pipeline;
  readonly #functions: LibraryFunctions;

  constructor(pipeline: Pipeline, functions: LibraryFunctions) {
    this.#pipeline = pipeline;
    this.#functions = functions;
  }

  add(id: number): void {
    this.#call(this.#pipeline.fKVCacheAddSequence, id);
  }

  remove(id: number): void {
    this.#call(this.#pipeline.fKVCacheRemoveSequence, id);
  }

  fork(parent: number, child: number, position: number): void {
    this.#call(this.#functions.fork, parent, child, position);
  }

  popn(id: number, count: number): void {
    this.#call(this.#functions.popn, id, count);
  }

  availablePages(): number {
    return this.#call(this.#functions.availablePages) as number;
  }

  /** Removes all sequences. */
  clear(): void {
    this.#call(this.#pipeline.fclearKVCaches);
  }

  #call(work: TvmFunction, ...numbers: number[]): unknown {
    const { tvm, kvCache } = this.#pipeline;
    return withScope(tvm, () => work(kvCache, ...numbers.map((number) => tvm.scalar(number, "int64"))));
  }
}
