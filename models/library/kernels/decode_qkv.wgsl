// Decode: RMS norm, query/key/value projection, rotation and the write into the cache, for one token, in
// one launch. One invocation computes the rows j and j + HALF of a head, which rotation mixes. The norm
// needs no pass of its own: its factor is a sum over the same numbers, and it is applied to the finished
// dot products.

@group(0) @binding(0) var<storage, read> hidden: array<vec4f>;
@group(0) @binding(1) var<storage, read> gain: array<vec4f>;
@group(0) @binding(2) var<storage, read> weights: array<vec4f>;
@group(0) @binding(3) var<storage, read> rotations: array<f32>;
@group(0) @binding(4) var<storage, read_write> queries: array<f32>;
@group(0) @binding(5) var<storage, read_write> keys: array<f32>;
@group(0) @binding(6) var<storage, read_write> values: array<f32>;
struct Arguments { position: u32, gridX: u32 }
@group(0) @binding(7) var<uniform> arguments: Arguments;

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
  var squares = 0.0;
  var a = 0.0;
  var b = 0.0;
  for (var k = 0u; k < ROW_VECTORS; k++) {
    let x = hidden[k];
    squares += dot(x, x);
    let scaled = x * gain[k];
    a += dot(scaled, weights[base_a + k]);
    b += dot(scaled, weights[base_b + k]);
  }
  let scale = inverseSqrt(squares / f32(HIDDEN) + RMS_EPSILON);
  a *= scale;
  b *= scale;

  if (head >= HEADS + KV_HEADS) {
    let target_index = (arguments.position * KV_HEADS + head - HEADS - KV_HEADS) * HEAD_DIM + j;
    values[target_index] = a;
    values[target_index + HALF] = b;
    return;
  }
  let cosine = rotations[arguments.position * HEAD_DIM + j];
  let sine = rotations[arguments.position * HEAD_DIM + HALF + j];
  if (head < HEADS) {
    queries[head * HEAD_DIM + j] = a * cosine - b * sine;
    queries[head * HEAD_DIM + j + HALF] = b * cosine + a * sine;
  } else {
    let target_index = (arguments.position * KV_HEADS + head - HEADS) * HEAD_DIM + j;
    keys[target_index] = a * cosine - b * sine;
    keys[target_index + HALF] = b * cosine + a * sine;
  }
}
