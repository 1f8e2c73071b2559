// Decode: RMS norm, query/key/value projection, rotation and the write into the cache, for one token of
// each of TOKENS sequences, in one launch. One invocation computes the rows j and j + HALF of a head, which
// rotation mixes. The norm needs no pass of its own: its factor is a sum over the same numbers, and it is
// applied to the finished dot products. `tables`: see model/tables.ts.

@group(0) @binding(0) var<storage, read> hidden: array<vec4f>;
@group(0) @binding(1) var<storage, read> gain: array<vec4f>;
@group(0) @binding(2) var<storage, read> weights: array<vec4f>;
@group(0) @binding(3) var<storage, read> rotations: array<f32>;
@group(0) @binding(4) var<storage, read> tables: array<u32>;
@group(0) @binding(5) var<storage, read_write> queries: array<f32>;
@group(0) @binding(6) var<storage, read_write> keys: array<f32>;
@group(0) @binding(7) var<storage, read_write> values: array<f32>;
struct Arguments { position: u32, table: u32, record: u32, tokens: u32, gridX: u32 }
@group(0) @binding(8) var<uniform> arguments: Arguments;

// variants TOKENS = 2, 4, 8
const TOKENS = 1u;
const ROW_VECTORS = HIDDEN / 4u;
const HALF = HEAD_DIM / 2u;
const INVOCATIONS = (HEADS + 2u * KV_HEADS) * HALF;

@compute @workgroup_size(16)
fn decode_qkv(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= INVOCATIONS) { return; }
  let head = id.x / HALF;
  let j = id.x % HALF;
  let base_a = (head * HEAD_DIM + j) * ROW_VECTORS;
  let base_b = base_a + HALF * ROW_VECTORS;
  let first = id.y * TOKENS;
  var input_base: array<u32, TOKENS>;
  for (var t = 0u; t < TOKENS; t++) { // unroll
    input_base[t] = min(first + t, arguments.tokens - 1u) * ROW_VECTORS;
  }
  var squares: array<f32, TOKENS>;
  var a: array<f32, TOKENS>;
  var b: array<f32, TOKENS>;
  for (var k = 0u; k < ROW_VECTORS; k++) {
    let g = gain[k];
    let weight_a = weights[base_a + k];
    let weight_b = weights[base_b + k];
    for (var t = 0u; t < TOKENS; t++) { // unroll
      let x = hidden[input_base[t] + k];
      squares[t] += dot(x, x);
      let scaled = x * g;
      a[t] += dot(scaled, weight_a);
      b[t] += dot(scaled, weight_b);
    }
  }

  for (var t = 0u; t < TOKENS; t++) { // unroll
    let token = first + t;
    if (token < arguments.tokens) {
      let scale = inverseSqrt(squares[t] / f32(HIDDEN) + RMS_EPSILON);
      let from_a = a[t] * scale;
      let from_b = b[t] * scale;
      let record = (arguments.record + token) * 2u;
      let position = arguments.position + tables[record];
      let page = tables[arguments.table + tables[record + 1u] + position / PAGE];
      let place = (page * PAGE + position % PAGE) * KV_HEADS;
      let cosine = rotations[position * HEAD_DIM + j];
      let sine = rotations[position * HEAD_DIM + HALF + j];
      if (head < HEADS) {
        let target_index = (token * HEADS + head) * HEAD_DIM + j;
        queries[target_index] = from_a * cosine - from_b * sine;
        queries[target_index + HALF] = from_b * cosine + from_a * sine;
      } else if (head < HEADS + KV_HEADS) {
        let target_index = (place + head - HEADS) * HEAD_DIM + j;
        keys[target_index] = from_a * cosine - from_b * sine;
        keys[target_index + HALF] = from_b * cosine + from_a * sine;
      } else {
        let target_index = (place + head - HEADS - KV_HEADS) * HEAD_DIM + j;
        values[target_index] = from_a;
        values[target_index + HALF] = from_b;
      }
    }
  }
}
