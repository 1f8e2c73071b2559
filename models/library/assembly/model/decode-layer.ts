/** One transformer block for one token: five launches, six in a long context. */
import { ArrayObject } from "../ffi/containers";
import { FAILED, OK } from "../ffi/errors";
import {
  DECODE_ATTENTION_MAX_SHARES, DECODE_ATTENTION_POSITIONS_PER_SHARE, DECODE_ATTENTION_WORKGROUP, DECODE_GATE_UP_INVOCATIONS, DECODE_GATE_UP_WORKGROUP, DECODE_PROJECT_INVOCATIONS,
  DECODE_PROJECT_WORKGROUP, DECODE_QKV_INVOCATIONS, DECODE_QKV_WORKGROUP, HEAD_DIM, HEADS, INTERMEDIATE, KV_HEADS,
  launchDecodeAttention, launchDecodeGateUp, launchDecodeProject, launchDecodeQkv, launchMergeAttention,
  MERGE_ATTENTION_ROW_VECTORS, MERGE_ATTENTION_WORKGROUP,
} from "../generated";
import { groupsFor } from "./launch";
import { KvCache } from "./kv-cache";
import {
  downProjection, gateUpProjection, inputNorm, outputProjection, postAttentionNorm, qkvProjection,
} from "./parameters";

export function decodeLayer(cache: KvCache, parameters: ArrayObject, layer: i32): i32 {
  const workspace = cache.workspace;
  const hidden = workspace.hidden;
  if (
    launchDecodeQkv(
      hidden, inputNorm(parameters, layer), qkvProjection(parameters, layer), cache.rotations, workspace.queries,
      cache.keys(layer), cache.values(layer), cache.length, groupsFor(DECODE_QKV_INVOCATIONS, DECODE_QKV_WORKGROUP), 1,
    ) != OK
  ) return FAILED;
  if (attend(cache, layer) != OK) return FAILED;
  const projectGroups = groupsFor(DECODE_PROJECT_INVOCATIONS, DECODE_PROJECT_WORKGROUP);
  if (
    launchDecodeProject(
      workspace.attended, outputProjection(parameters, layer), hidden, HEADS * HEAD_DIM, projectGroups, 1,
    ) != OK
  ) return FAILED;
  if (
    launchDecodeGateUp(
      hidden, postAttentionNorm(parameters, layer), gateUpProjection(parameters, layer), workspace.activated,
      groupsFor(DECODE_GATE_UP_INVOCATIONS, DECODE_GATE_UP_WORKGROUP), 1,
    ) != OK
  ) return FAILED;
  return launchDecodeProject(
    workspace.activated, downProjection(parameters, layer), hidden, INTERMEDIATE, projectGroups, 1,
  );
}

/** Attention over the whole cache, in one share or in several that are merged. */
function attend(cache: KvCache, layer: i32): i32 {
  const workspace = cache.workspace;
  const shares = min(groupsFor(cache.length + 1, DECODE_ATTENTION_POSITIONS_PER_SHARE), DECODE_ATTENTION_MAX_SHARES);
  const target = shares == 1 ? workspace.attended : workspace.shares;
  if (
    launchDecodeAttention(
      workspace.queries, cache.keys(layer), cache.values(layer), target, workspace.logarithms, cache.length, shares,
      groupsFor(shares, DECODE_ATTENTION_WORKGROUP), KV_HEADS,
    ) != OK
  ) return FAILED;
  if (shares == 1) return OK;
  return launchMergeAttention(
    workspace.shares, workspace.logarithms, workspace.attended, shares,
    groupsFor(MERGE_ATTENTION_ROW_VECTORS, MERGE_ATTENTION_WORKGROUP), 1,
  );
}
