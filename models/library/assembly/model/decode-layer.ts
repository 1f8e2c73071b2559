/** One transformer block for one token: five launches, six in a long context. */
import { ArrayObject } from "../ffi/containers";
import { FAILED, OK } from "../ffi/errors";
import {
  DECODE_ATTENTION_MAX_SPLITS, DECODE_GATE_UP_STRIDE, DECODE_GATE_UP_WORKGROUP, DECODE_PROJECT_STRIDE,
  DECODE_PROJECT_WORKGROUP, DECODE_QKV_PAIRS, DECODE_QKV_WORKGROUP, HEAD_DIM, HEADS, INTERMEDIATE, KV_HEADS,
  launchDecodeAttention, launchDecodeGateUp, launchDecodeProject, launchDecodeQkv, launchMergeAttention,
  MERGE_ATTENTION_ROW_VECTORS, MERGE_ATTENTION_WORKGROUP,
} from "../generated";
import { groupsFor } from "./launch";
import { KvCache } from "./kv-cache";
import {
  downProjection, gateUpProjection, inputNorm, outputProjection, postAttentionNorm, qkvProjection,
} from "./parameters";

/** Positions per share of the cache from which on splitting it pays. */
const POSITIONS_PER_SPLIT: i32 = 128;

export function decodeLayer(cache: KvCache, parameters: ArrayObject, layer: i32): i32 {
  const workspace = cache.workspace;
  const hidden = workspace.hidden;
  if (
    launchDecodeQkv(
      hidden, inputNorm(parameters, layer), qkvProjection(parameters, layer), cache.rotations, workspace.queries,
      cache.keys(layer), cache.values(layer), cache.length, groupsFor(DECODE_QKV_PAIRS, DECODE_QKV_WORKGROUP), 1,
    ) != OK
  ) return FAILED;
  if (attend(cache, layer) != OK) return FAILED;
  const projectGroups = groupsFor(DECODE_PROJECT_STRIDE, DECODE_PROJECT_WORKGROUP);
  if (
    launchDecodeProject(
      workspace.attended, outputProjection(parameters, layer), hidden, HEADS * HEAD_DIM, projectGroups, 1,
    ) != OK
  ) return FAILED;
  if (
    launchDecodeGateUp(
      hidden, postAttentionNorm(parameters, layer), gateUpProjection(parameters, layer), workspace.activated,
      groupsFor(DECODE_GATE_UP_STRIDE, DECODE_GATE_UP_WORKGROUP), 1,
    ) != OK
  ) return FAILED;
  return launchDecodeProject(
    workspace.activated, downProjection(parameters, layer), hidden, INTERMEDIATE, projectGroups, 1,
  );
}

/** Attention over the whole cache, in one share or in several that are merged. */
function attend(cache: KvCache, layer: i32): i32 {
  const workspace = cache.workspace;
  const splits = min(groupsFor(cache.length + 1, POSITIONS_PER_SPLIT), DECODE_ATTENTION_MAX_SPLITS);
  const target = splits == 1 ? workspace.attended : workspace.shares;
  if (
    launchDecodeAttention(
      workspace.queries, cache.keys(layer), cache.values(layer), target, workspace.logarithms, cache.length, splits,
      KV_HEADS, splits,
    ) != OK
  ) return FAILED;
  if (splits == 1) return OK;
  return launchMergeAttention(
    workspace.shares, workspace.logarithms, workspace.attended, splits,
    groupsFor(MERGE_ATTENTION_ROW_VECTORS, MERGE_ATTENTION_WORKGROUP), 1,
  );
}
