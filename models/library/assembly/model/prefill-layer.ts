/** One transformer block for a chunk of tokens: nine launches, and two more for every further sequence. */
import { ArrayObject } from "../ffi/containers";
import { FAILED, OK } from "../ffi/errors";
import {
  GATE_WORKGROUP,
  HEAD_DIM,
  HEADS,
  HIDDEN,
  INTERMEDIATE,
  KV_HEADS,
  launchGate,
  launchMatmul,
  launchPrefillAttention,
  launchRmsNorm,
  launchRotateAndCache,
  MATMUL_TILE_COLUMNS,
  MATMUL_TILE_ROWS,
  MATMUL_WORKGROUP,
  PREFILL_ATTENTION_ROWS,
  PREFILL_ATTENTION_WORKGROUP,
  RMS_NORM_WORKGROUP,
  ROTATE_AND_CACHE_ROW_PAIRS,
  ROTATE_AND_CACHE_WORKGROUP,
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

const QUERIES: i32 = HEADS * HEAD_DIM;
const PROJECTED: i32 = (HEADS + 2 * KV_HEADS) * HEAD_DIM;

export function prefillLayer(cache: KvCache, parameters: ArrayObject, layer: i32, rows: i32): i32 {
  const workspace = cache.workspace;
  const hidden = workspace.hidden;
  const normed = workspace.normed;
  const qkv = qkvProjection(parameters, layer);
  const output = outputProjection(parameters, layer);
  const gateUp = gateUpProjection(parameters, layer);
  const down = downProjection(parameters, layer);

  if (normalize(hidden, inputNorm(parameters, layer), normed, rows) != OK) return FAILED;
  if (project(normed, qkv, workspace.projected, rows, HIDDEN, PROJECTED) != OK) return FAILED;
  if (splitAndRotate(cache, layer) != OK) return FAILED;
  if (attend(cache, layer) != OK) return FAILED;
  if (addProjection(workspace.attended, output, hidden, rows, QUERIES) != OK) return FAILED;

  if (normalize(hidden, postAttentionNorm(parameters, layer), normed, rows) != OK) return FAILED;
  if (project(normed, gateUp, workspace.gateUp, rows, HIDDEN, 2 * INTERMEDIATE) != OK) return FAILED;
  if (activate(workspace.gateUp, workspace.activated, rows) != OK) return FAILED;
  return addProjection(workspace.activated, down, hidden, rows, INTERMEDIATE);
}

function normalize(hidden: usize, gain: usize, normed: usize, rows: i32): i32 {
  return launchRmsNorm(hidden, gain, normed, rows, groupsFor(rows, RMS_NORM_WORKGROUP), 1);
}

/** output [rows, width] = input [rows, inner] * weights [width, inner]^T */
function project(input: usize, weights: usize, output: usize, rows: i32, inner: i32, width: i32): i32 {
  const gridX = groupsFor(width / MATMUL_TILE_COLUMNS, MATMUL_WORKGROUP);
  const gridY = groupsFor(rows, MATMUL_TILE_ROWS);
  return launchMatmul(input, weights, output, rows, inner, width, 0, gridX, gridY);
}

/** hidden += input * weights^T: the residual connection. */
function addProjection(input: usize, weights: usize, hidden: usize, rows: i32, inner: i32): i32 {
  const gridX = groupsFor(HIDDEN / MATMUL_TILE_COLUMNS, MATMUL_WORKGROUP);
  const gridY = groupsFor(rows, MATMUL_TILE_ROWS);
  return launchMatmul(input, weights, hidden, rows, inner, HIDDEN, 1, gridX, gridY);
}

/** From the joint projection to rotated queries, and to keys and values in the cache. */
function splitAndRotate(cache: KvCache, layer: i32): i32 {
  let firstRow = 0;
  for (let i = 0; i < cache.batch; i++) {
    const sequence = cache.member(i);
    const status = launchRotateAndCache(
      cache.workspace.projected,
      cache.rotations,
      cache.tables,
      cache.workspace.queries,
      cache.keys(layer),
      cache.values(layer),
      sequence.length,
      sequence.table,
      firstRow,
      sequence.pending,
      groupsFor(sequence.pending * ROTATE_AND_CACHE_ROW_PAIRS, ROTATE_AND_CACHE_WORKGROUP),
      1,
    );
    if (status != OK) return FAILED;
    firstRow += sequence.pending;
  }
  return OK;
}

function attend(cache: KvCache, layer: i32): i32 {
  let firstRow = 0;
  for (let i = 0; i < cache.batch; i++) {
    const sequence = cache.member(i);
    const invocations = groupsFor(sequence.pending, PREFILL_ATTENTION_ROWS);
    const status = launchPrefillAttention(
      cache.workspace.queries,
      cache.tables,
      cache.keys(layer),
      cache.values(layer),
      cache.workspace.attended,
      sequence.length,
      sequence.table,
      firstRow,
      sequence.pending,
      groupsFor(invocations, PREFILL_ATTENTION_WORKGROUP),
      KV_HEADS,
    );
    if (status != OK) return FAILED;
    firstRow += sequence.pending;
  }
  return OK;
}

/** silu(gate) * up */
function activate(gateUp: usize, activated: usize, rows: i32): i32 {
  return launchGate(gateUp, activated, rows, groupsFor(rows * (INTERMEDIATE / 4), GATE_WORKGROUP), 1);
}
