/** One transformer block for one token of each sequence: five launches, six beyond the first page. */
import { ArrayObject } from "../ffi/containers";
import { FAILED, OK } from "../ffi/errors";
import {
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
import { DecodePass } from "./decode-pass";
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

export function decodeLayer(cache: KvCache, pass: DecodePass, parameters: ArrayObject, layer: i32): i32 {
  const workspace = cache.workspace;
  const output = outputProjection(parameters, layer);
  const down = downProjection(parameters, layer);
  if (projectQueries(cache, pass, parameters, layer) != OK) return FAILED;
  if (attend(cache, pass, layer) != OK) return FAILED;
  if (addProjection(cache, pass, workspace.attended, output, HEADS * HEAD_DIM) != OK) return FAILED;
  if (activate(cache, pass, parameters, layer) != OK) return FAILED;
  return addProjection(cache, pass, workspace.activated, down, INTERMEDIATE);
}

/** Norm, queries, keys and values; the last two go straight into the cache. */
function projectQueries(cache: KvCache, pass: DecodePass, parameters: ArrayObject, layer: i32): i32 {
  const workspace = cache.workspace;
  const gain = inputNorm(parameters, layer);
  const weights = qkvProjection(parameters, layer);
  const gridX = groupsFor(DECODE_QKV_INVOCATIONS, DECODE_QKV_WORKGROUP);
  return launchDecodeQkv(
    pass.tile, workspace.hidden, gain, weights, cache.rotations, cache.tables, workspace.queries, cache.keys(layer),
    cache.values(layer), pass.position, pass.table, pass.record, pass.tokens, gridX, pass.tiles,
  );
}

/** Attention over the whole cache, in one share or in several that are merged. */
function attend(cache: KvCache, pass: DecodePass, layer: i32): i32 {
  const workspace = cache.workspace;
  const status = launchDecodeAttention(
    workspace.queries,
    cache.tables,
    cache.keys(layer),
    cache.values(layer),
    pass.shares == 1 ? workspace.attended : workspace.shares,
    workspace.logarithms,
    pass.position,
    pass.table,
    pass.record,
    pass.shares,
    groupsFor(pass.shares, DECODE_ATTENTION_WORKGROUP),
    KV_HEADS * pass.tokens,
  );
  if (status != OK || pass.shares == 1) return status;
  return launchMergeAttention(
    workspace.shares,
    workspace.logarithms,
    cache.tables,
    workspace.attended,
    pass.position,
    pass.record,
    pass.shares,
    groupsFor(MERGE_ATTENTION_ROW_VECTORS, MERGE_ATTENTION_WORKGROUP),
    pass.tokens,
  );
}

/** Norm, gate and up projections, and silu(gate) * up. */
function activate(cache: KvCache, pass: DecodePass, parameters: ArrayObject, layer: i32): i32 {
  const hidden = cache.workspace.hidden;
  const activated = cache.workspace.activated;
  const gain = postAttentionNorm(parameters, layer);
  const weights = gateUpProjection(parameters, layer);
  const gridX = groupsFor(DECODE_GATE_UP_INVOCATIONS, DECODE_GATE_UP_WORKGROUP);
  return launchDecodeGateUp(pass.tile, hidden, gain, weights, activated, pass.tokens, gridX, pass.tiles);
}

/** hidden += weights * input: the residual connection. */
function addProjection(cache: KvCache, pass: DecodePass, input: usize, weights: usize, inner: i32): i32 {
  const hidden = cache.workspace.hidden;
  const gridX = groupsFor(DECODE_PROJECT_INVOCATIONS, DECODE_PROJECT_WORKGROUP);
  return launchDecodeProject(pass.tile, input, weights, hidden, inner, pass.tokens, gridX, pass.tiles);
}
