/** One transformer block for one token: five launches, six in a context of more than a few tokens. */
import { ArrayObject } from "../ffi/containers";
import { FAILED, OK } from "../ffi/errors";
import {
  DECODE_ATTENTION_MAX_SHARES,
  DECODE_ATTENTION_POSITIONS_PER_SHARE,
  DECODE_ATTENTION_WORKGROUP,
  DECODE_GATE_UP_INVOCATIONS,
  DECODE_GATE_UP_WORKGROUP,
  DECODE_PROJECT_INVOCATIONS,
  DECODE_PROJECT_WORKGROUP,
  DECODE_QKV_INVOCATIONS,
  DECODE_QKV_WORKGROUP,
  HEAD_DIM,
  HEADS,
  INTERMEDIATE,
  KV_HEADS,
  launchDecodeAttention,
  launchDecodeGateUp,
  launchDecodeProject,
  launchDecodeQkv,
  launchMergeAttention,
  MERGE_ATTENTION_ROW_VECTORS,
  MERGE_ATTENTION_WORKGROUP,
} from "../generated";
import { groupsFor } from "./launch";
import { KvCache } from "./kv-cache";
import {
  downProjection,
  gateUpProjection,
  inputNorm,
  outputProjection,
  postAttentionNorm,
  qkvProjection,
} from "./parameters";

export function decodeLayer(cache: KvCache, parameters: ArrayObject, layer: i32): i32 {
  const workspace = cache.workspace;
  const output = outputProjection(parameters, layer);
  const down = downProjection(parameters, layer);
  if (projectQueries(cache, parameters, layer) != OK) return FAILED;
  if (attend(cache, layer) != OK) return FAILED;
  if (addProjection(cache, workspace.attended, output, HEADS * HEAD_DIM) != OK) return FAILED;
  if (activate(cache, parameters, layer) != OK) return FAILED;
  return addProjection(cache, workspace.activated, down, INTERMEDIATE);
}

/** Norm, queries, keys and values; the last two go straight into the cache. */
function projectQueries(cache: KvCache, parameters: ArrayObject, layer: i32): i32 {
  return launchDecodeQkv(
    cache.workspace.hidden,
    inputNorm(parameters, layer),
    qkvProjection(parameters, layer),
    cache.rotations,
    cache.workspace.queries,
    cache.keys(layer),
    cache.values(layer),
    cache.length,
    groupsFor(DECODE_QKV_INVOCATIONS, DECODE_QKV_WORKGROUP),
    1,
  );
}

/** Attention over the whole cache, in one share or in several that are merged. */
function attend(cache: KvCache, layer: i32): i32 {
  const workspace = cache.workspace;
  const wanted = groupsFor(cache.length + 1, DECODE_ATTENTION_POSITIONS_PER_SHARE);
  const shares = min(wanted, DECODE_ATTENTION_MAX_SHARES);
  const status = launchDecodeAttention(
    workspace.queries,
    cache.keys(layer),
    cache.values(layer),
    shares == 1 ? workspace.attended : workspace.shares,
    workspace.logarithms,
    cache.length,
    shares,
    groupsFor(shares, DECODE_ATTENTION_WORKGROUP),
    KV_HEADS,
  );
  if (status != OK || shares == 1) return status;
  return launchMergeAttention(
    workspace.shares,
    workspace.logarithms,
    workspace.attended,
    shares,
    groupsFor(MERGE_ATTENTION_ROW_VECTORS, MERGE_ATTENTION_WORKGROUP),
    1,
  );
}

/** Norm, gate and up projections, and silu(gate) * up. */
function activate(cache: KvCache, parameters: ArrayObject, layer: i32): i32 {
  return launchDecodeGateUp(
    cache.workspace.hidden,
    postAttentionNorm(parameters, layer),
    gateUpProjection(parameters, layer),
    cache.workspace.activated,
    groupsFor(DECODE_GATE_UP_INVOCATIONS, DECODE_GATE_UP_WORKGROUP),
    1,
  );
}

/** hidden += weights * input: the residual connection. */
function addProjection(cache: KvCache, input: usize, weights: usize, inner: i32): i32 {
  const groups = groupsFor(DECODE_PROJECT_INVOCATIONS, DECODE_PROJECT_WORKGROUP);
  return launchDecodeProject(input, weights, cache.workspace.hidden, inner, groups, 1);
}
