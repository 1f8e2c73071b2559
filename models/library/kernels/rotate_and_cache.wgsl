// Prefill: splits the projections into queries, keys and values, rotates the first two by their position,
// and stores keys and values in the cache, for the rows of one sequence. One invocation handles the pair
// (j, j + HALF) of one head in one row.

@group(0) @binding(0) var<storage, read> projected: array<f32>;
@group(0) @binding(1) var<storage, read> rotations: array<f32>;
@group(0) @binding(2) var<storage, read> tables: array<u32>;
@group(0) @binding(3) var<storage, read_write> queries: array<f32>;
@group(0) @binding(4) var<storage, read_write> keys: array<f32>;
@group(0) @binding(5) var<storage, read_write> values: array<f32>;
struct Arguments { position: u32, table: u32, firstRow: u32, rows: u32, gridX: u32 }
@group(0) @binding(6) var<uniform> arguments: Arguments;

const HALF = HEAD_DIM / 2u;
const ALL_HEADS = HEADS + 2u * KV_HEADS;
const ROW_PAIRS = ALL_HEADS * HALF;

@compute @workgroup_size(32)
fn rotate_and_cache(@builtin(global_invocation_id) id: vec3u) {
  let row_of_sequence = id.x / ROW_PAIRS;
  if (row_of_sequence >= arguments.rows) { return; }
  let row = arguments.firstRow + row_of_sequence;
  let head = (id.x % ROW_PAIRS) / HALF;
  let j = id.x % HALF;
  let source = (row * ALL_HEADS + head) * HEAD_DIM + j;
  let a = projected[source];
  let b = projected[source + HALF];
  let position = arguments.position + row_of_sequence;
  let page = tables[arguments.table + position / PAGE];
  let place = (page * PAGE + position % PAGE) * KV_HEADS;

  if (head >= HEADS + KV_HEADS) {
    let target_index = (place + head - HEADS - KV_HEADS) * HEAD_DIM + j;
    values[target_index] = a;
    values[target_index + HALF] = b;
    return;
  }
  let cosine = rotations[position * HEAD_DIM + j];
  let sine = rotations[position * HEAD_DIM + HALF + j];
  if (head < HEADS) {
    let target_index = (row * HEADS + head) * HEAD_DIM + j;
    queries[target_index] = a * cosine - b * sine;
    queries[target_index + HALF] = b * cosine + a * sine;
  } else {
    let target_index = (place + head - HEADS) * HEAD_DIM + j;
    keys[target_index] = a * cosine - b * sine;
    keys[target_index + HALF] = b * cosine + a * sine;
  }
}
