import type { LibraryFunctions } from "../tvm/functions.ts";
import type { Pipeline, Tensor, TensorList, TvmFunction } from "../tvm/pipeline.ts";
import type { RowTensors } from "../tvm/row-tensors.ts";

/** Tokens to append to one sequence. */
export interface Feed {
  sequence: number;
  ids: readonly number[];
}

/** What {@link forward} uses of the library. */
type Decode = Pick<LibraryFunctions, "batchDecode">;

/**
 * Appends tokens to sequences: a chunk to one, or one token to each of several. A throw after the pass has begun
 * leaves TVM's cache inconsistent, so callers must give up the engine.
 *
 * @returns logits after the last token of each, `[rows, 1, vocabulary]`, in the current scope
 */
export function forward(
  pipeline: Pipeline,
  { batchDecode }: Decode,
  feeds: readonly Feed[],
  tensors: RowTensors,
): Tensor {
  const { tvm, device, params, kvCache } = pipeline;
  const ids = feeds.flatMap((feed) => feed.ids);
  const input = ids.length === tensors.rows ? tensors.ids : tvm.empty([ids.length], "int32", device);
  const rows = pipeline.embed(input.copyFrom(ids), params) as Tensor;
  const hidden = rows.shape[1]!;
  const embeddings = rows.view(feeds.length > 1 ? [ids.length, 1, hidden] : [1, ids.length, hidden]);
  const sequences = tvm.makeShapeTuple(feeds.map(({ sequence }) => sequence));
  const lengths = tvm.makeShapeTuple(feeds.map((feed) => feed.ids.length));
  pipeline.fKVCacheBeginForward(kvCache, sequences, lengths);
  const result =
    feeds.length > 1
      ? (batchDecode(embeddings, kvCache, params) as TensorList)
      : ids.length > 1
        ? pipeline.invokePrefill(embeddings, ids.length)
        : pipeline.invokeDecode(embeddings);
  pipeline.fKVCacheEndForward(kvCache);
  return result.get(0);
}

/**
 * Appends a chunk to one sequence. As {@link forward}, a throw leaves the cache inconsistent.
 *
 * @returns logits after each token, `[1, tokens, vocabulary]`, in the current scope
 */
export function forwardAll(pipeline: Pipeline, batchPrefill: TvmFunction, { sequence, ids }: Feed): Tensor {
  const { tvm, device, params, kvCache } = pipeline;
  const int32 = (values: readonly number[]): Tensor =>
    tvm.empty([values.length], "int32", device).copyFrom(values);
  const rows = pipeline.embed(int32(ids), params) as Tensor;
  const embeddings = rows.view([1, ids.length, rows.shape[1]!]);
  const positions = int32(ids.map((_, at) => at));
  pipeline.fKVCacheBeginForward(kvCache, tvm.makeShapeTuple([sequence]), tvm.makeShapeTuple([ids.length]));
  const result = batchPrefill(embeddings, positions, kvCache, params) as TensorList;
  pipeline.fKVCacheEndForward(kvCache);
  return result.get(0);
}
