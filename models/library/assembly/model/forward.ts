/**
 * The forward pass: embed, then LAYERS transformer blocks over the residual stream in the workspace, then
 * the logits of the tokens asked for. One token per sequence takes the decode path (few fused kernels:
 * launches cost most); several take the prefill path (tiled kernels: arithmetic costs most). web-llm calls
 * `decode` for one token and `prefill` for more; the `batch_` pair does the same for several sequences.
 */
import { ArrayObject, newPair } from "../ffi/containers";
import { release, retain } from "../ffi/objects";
import { FunctionObject } from "../ffi/functions";
import { Cell } from "../ffi/values";
import { arrayArgument, kvCacheArgument, tensorArgument } from "../ffi/arguments";
import { fail, FAILED, OK, say, sayNumber } from "../ffi/errors";
import { newGpuBlock, newGpuMatrix, TensorObject } from "../tensor/tensor";
import { FLOAT32 } from "../tensor/element-type";
import { copyBuffer } from "../tensor/device";
import {
  EMBED_WORKGROUP,
  HIDDEN,
  LAYERS,
  launchEmbed,
  launchLogits,
  LOGITS_INVOCATIONS,
  LOGITS_WORKGROUP,
  VOCABULARY,
} from "../generated";
import { groupsFor } from "./launch";
import { KvCache } from "./kv-cache";
import { embedding, finalNorm, head } from "./parameters";
import { decodeLayer } from "./decode-layer";
import { describeDecodePass, tileFor } from "./decode-pass";
import { prefillLayer } from "./prefill-layer";

/** (token ids [n], parameters): embeddings [n, hidden] */
export function embed(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  const tokens = changetype<TensorObject>(tensorArgument(args, 0));
  const parameters = arrayArgument(args, 1);
  if (!tokens || !parameters) return FAILED;
  const rows = tokens.dimension(0);
  const made = newGpuMatrix(FLOAT32, rows, HIDDEN);
  if (!made) return FAILED;
  const groups = groupsFor(rows * (HIDDEN / 4), EMBED_WORKGROUP);
  if (launchEmbed(tokens.data, embedding(parameters), made.data, tokens.wordOffset, rows, groups, 1) != OK) {
    release(changetype<usize>(made));
    return FAILED;
  }
  result.setObject(changetype<usize>(made));
  return OK;
}

/**
 * (embeddings [1, n, hidden], KV cache, parameters): [logits of the last token [1, 1, vocabulary], KV cache],
 * for one sequence
 */
export function forward(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  const cache = cacheWith(args, 1, 1);
  const parameters = arrayArgument(args, 2);
  if (!cache || !parameters) return FAILED;
  const rows = cache.member(0).pending;
  if (cache.batch != 1) return failLength("one sequence", 1, cache.batch);
  if (rows == 1) return decode(cache, parameters, result);
  if (prefill(cache, parameters, rows) != OK) return FAILED;
  return finish(cache, parameters, rows - 1, rows, cache.workspace.ordinals, 0, 1, 1, result);
}

/**
 * (embeddings [1, n, hidden] of all sequences one after another, positions among these rows [p], KV cache,
 * parameters): [logits at these positions [1, p, vocabulary], KV cache]. Always the prefill path, even for one
 * token, so that a sequence's results depend neither on its company nor on how it was cut into chunks.
 */
export function batchPrefill(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  const chosen = changetype<TensorObject>(tensorArgument(args, 1));
  const cache = cacheWith(args, 2, 1);
  const parameters = arrayArgument(args, 3);
  if (!chosen || !cache || !parameters) return FAILED;
  const wanted = <i32>chosen.elements;
  if (wanted < 1 || wanted > cache.chunk || !chosen.onGpu)
    return failLength("1 to prefill_chunk_size positions of logits, on the GPU", cache.chunk, wanted);
  const rows = cache.pendingTokens;
  if (prefill(cache, parameters, rows) != OK) return FAILED;
  return finish(cache, parameters, 0, rows, chosen.data, chosen.wordOffset, 1, wanted, result);
}

/**
 * (embeddings [sequences, 1, hidden], KV cache, parameters): [logits [sequences, 1, vocabulary], KV cache].
 * Each row is what `decode` computes for its sequence, to the bit.
 */
export function batchDecode(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  const cache = cacheWith(args, 1, 0);
  const parameters = arrayArgument(args, 2);
  if (!cache || !parameters) return FAILED;
  if (cache.pendingTokens != cache.batch)
    return failLength("one token of each sequence", cache.batch, cache.pendingTokens);
  return decode(cache, parameters, result);
}

/**
 * The KV cache in argument `index`, with a pass begun for exactly the embeddings in argument 0, whose tokens are
 * counted by dimension `dimension`; they are then in the residual stream. Null after an error.
 */
function cacheWith(args: Cell, index: i32, dimension: i32): KvCache | null {
  const embeddings = changetype<TensorObject>(tensorArgument(args, 0));
  const cache = changetype<KvCache>(kvCacheArgument(args, index));
  if (!embeddings || !cache) return null;
  const announced = cache.pendingTokens;
  const rows = embeddings.rank == 3 ? embeddings.dimension(dimension) : 0;
  if (!announced || rows != announced || embeddings.elements != <usize>rows * HIDDEN) {
    failLength("the embeddings of the forward pass that has begun", announced, rows);
    return null;
  }
  const hidden = cache.workspace.hidden;
  const from = <usize>embeddings.byteOffset;
  return copyBuffer(embeddings.data, from, hidden, 0, embeddings.bytes) == OK ? cache : null;
}

function failLength(what: string, expected: i32, got: i32): i32 {
  fail("expected ");
  say(what);
  say(" (");
  sayNumber(expected);
  say("), got ");
  return sayNumber(got);
}

function prefill(cache: KvCache, parameters: ArrayObject, rows: i32): i32 {
  for (let layer = 0; layer < LAYERS; layer++) {
    if (prefillLayer(cache, parameters, layer, rows) != OK) return FAILED;
  }
  return OK;
}

function decode(cache: KvCache, parameters: ArrayObject, result: Cell): i32 {
  const pass = describeDecodePass(cache);
  if (!pass) return FAILED;
  for (let layer = 0; layer < LAYERS; layer++) {
    if (decodeLayer(cache, pass, parameters, layer) != OK) return FAILED;
  }
  const rows = cache.batch;
  return finish(cache, parameters, 0, rows, cache.workspace.ordinals, 0, rows, 1, result);
}

/** [logits [blocks, count, vocabulary], KV cache]: of the rows `first` + chosen[offset + i] of the pass. */
function finish(
  cache: KvCache,
  parameters: ArrayObject,
  first: i32,
  rows: i32,
  chosen: usize,
  offset: u32,
  blocks: i32,
  count: i32,
  result: Cell,
): i32 {
  const logits = newGpuBlock(FLOAT32, blocks, count, VOCABULARY);
  if (!logits) return FAILED;
  const hidden = cache.workspace.hidden;
  const norm = finalNorm(parameters);
  const output = head(parameters);
  const gridX = groupsFor(LOGITS_INVOCATIONS, LOGITS_WORKGROUP);
  const tokens = blocks * count;
  const tile = tileFor(tokens);
  const tiles = groupsFor(tokens, tile);
  const status = launchLogits(tile, hidden, norm, output, chosen, logits.data, first, rows, offset, tokens, gridX, tiles);
  if (status != OK) {
    release(changetype<usize>(logits));
    return FAILED;
  }
  result.setObject(newPair(changetype<usize>(logits), retain(changetype<usize>(cache))));
  return OK;
}
