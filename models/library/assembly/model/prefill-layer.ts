/** One transformer block for a chunk of several tokens: nine launches. */
import { ArrayObject } from "../ffi/containers";
import { FAILED, OK } from "../ffi/errors";
import {
  GATE_WORKGROUP, HEAD_DIM, HEADS, HIDDEN, INTERMEDIATE, KV_HEADS, launchGate, launchMatmul, launchPrefillAttention,
  launchRmsNorm, launchRotateAndCache, MATMUL_TILE_COLUMNS, MATMUL_TILE_ROWS, MATMUL_WORKGROUP,
  PREFILL_ATTENTION_ROWS, PREFILL_ATTENTION_WORKGROUP, RMS_NORM_WORKGROUP, ROTATE_AND_CACHE_ROW_PAIRS, ROTATE_AND_CACHE_WORKGROUP,
} from "../generated";
import { groupsFor } from "./launch";
import { KvCache } from "./kv-cache";
import {
  downProjection, gateUpProjection, inputNorm, outputProjection, postAttentionNorm, qkvProjection,
} from "./parameters";

const PROJECTED: i32 = (HEADS + 2 * KV_HEADS) * HEAD_DIM;

export function prefillLayer(cache: KvCache, parameters: ArrayObject, layer: i32, rows: i32): i32 {
  const workspace = cache.workspace;
  const hidden = workspace.hidden;
  const normed = workspace.normed;
  if (normalize(hidden, inputNorm(parameters, layer), normed, rows) != OK) return FAILED;
  if (project(normed, qkvProjection(parameters, layer), workspace.projected, rows, HIDDEN, PROJECTED) != OK) return FAILED;
  if (attend(cache, layer, rows) != OK) return FAILED;
  if (addProjection(workspace.attended, outputProjection(parameters, layer), hidden, rows, HEADS * HEAD_DIM) != OK) return FAILED;

  if (normalize(hidden, postAttentionNorm(parameters, layer), normed, rows) != OK) return FAILED;
  if (project(normed, gateUpProjection(parameters, layer), workspace.gateUp, rows, HIDDEN, 2 * INTERMEDIATE) != OK) return FAILED;
  const gateGroups = groupsFor(rows * (INTERMEDIATE / 4), GATE_WORKGROUP);
  if (launchGate(workspace.gateUp, workspace.activated, rows, gateGroups, 1) != OK) return FAILED;
  return addProjection(workspace.activated, downProjection(parameters, layer), hidden, rows, INTERMEDIATE);
}

function normalize(hidden: usize, gain: usize, normed: usize, rows: i32): i32 {
  return launchRmsNorm(hidden, gain, normed, rows, groupsFor(rows, RMS_NORM_WORKGROUP), 1);
}

/** output [rows, width] = input [rows, inner] * weights [width, inner]^T */
function project(input: usize, weights: usize, output: usize, rows: i32, inner: i32, width: i32): i32 {
  return matmul(input, weights, output, rows, inner, width, 0);
}

/** hidden += input * weights^T: the residual connection. */
function addProjection(input: usize, weights: usize, hidden: usize, rows: i32, inner: i32): i32 {
  return matmul(input, weights, hidden, rows, inner, HIDDEN, 1);
}

function matmul(input: usize, weights: usize, output: usize, rows: i32, inner: i32, width: i32, accumulate: i32): i32 {
  const gridX = groupsFor(width / MATMUL_TILE_COLUMNS, MATMUL_WORKGROUP);
  return launchMatmul(input, weights, output, rows, inner, width, accumulate, gridX, groupsFor(rows, MATMUL_TILE_ROWS));
}

function attend(cache: KvCache, layer: i32, rows: i32): i32 {
  const workspace = cache.workspace;
  const keys = cache.keys(layer);
  const values = cache.values(layer);
  const rotateGroups = groupsFor(rows * ROTATE_AND_CACHE_ROW_PAIRS, ROTATE_AND_CACHE_WORKGROUP);
  if (
    launchRotateAndCache(
      workspace.projected, cache.rotations, workspace.queries, keys, values, cache.length, rows, rotateGroups, 1,
    ) != OK
  ) return FAILED;
  return launchPrefillAttention(
    workspace.queries, keys, values, workspace.attended, cache.length, rows,
    groupsFor(groupsFor(rows, PREFILL_ATTENTION_ROWS), PREFILL_ATTENTION_WORKGROUP), KV_HEADS,
  );
}
