/**
 * The forward pass: embed, then LAYERS transformer blocks over the residual stream in the workspace, then
 * the logits of the last token. One token takes the decode path (few fused kernels: launches cost most);
 * several take the prefill path (tiled kernels: arithmetic costs most). web-llm calls `decode` for one
 * token and `prefill` for more.
 */
import { newPair } from "../ffi/containers";
import { release, retain } from "../ffi/objects";
import { FunctionObject } from "../ffi/functions";
import { Cell } from "../ffi/values";
import { arrayArgument, kvCacheArgument, tensorArgument } from "../ffi/arguments";
import { fail, FAILED, OK } from "../ffi/errors";
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
 * (embeddings [1, n, hidden], KV cache, parameters): [logits of the last token [1, 1, vocabulary], KV
 * cache]
 */
export function forward(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  const embeddings = changetype<TensorObject>(tensorArgument(args, 0));
  const cache = changetype<KvCache>(kvCacheArgument(args, 1));
  const parameters = arrayArgument(args, 2);
  if (!embeddings || !cache || !parameters) return FAILED;
  const rows = embeddings.dimension(1);
  if (rows != cache.pending) return fail("the forward pass has another length than was announced for it");
  const hidden = cache.workspace.hidden;
  if (copyBuffer(embeddings.data, <usize>embeddings.byteOffset, hidden, 0, embeddings.bytes) != OK)
    return FAILED;
  for (let layer = 0; layer < LAYERS; layer++) {
    const status =
      rows == 1 ? decodeLayer(cache, parameters, layer) : prefillLayer(cache, parameters, layer, rows);
    if (status != OK) return FAILED;
  }
  const logits = newGpuBlock(FLOAT32, 1, VOCABULARY);
  if (!logits) return FAILED;
  const groups = groupsFor(LOGITS_INVOCATIONS, LOGITS_WORKGROUP);
  if (launchLogits(hidden, finalNorm(parameters), head(parameters), logits.data, rows - 1, groups, 1) != OK) {
    release(changetype<usize>(logits));
    return FAILED;
  }
  result.setObject(newPair(changetype<usize>(logits), retain(changetype<usize>(cache))));
  return OK;
}
