// Decode: RMS norm, gate and up projections and silu(gate) * up for one token. One invocation computes ROWS
// results; the norm's factor is summed along the way, as in `decode_qkv`.

@group(0) @binding(0) var<storage, read> hidden: array<vec4f>;
@group(0) @binding(1) var<storage, read> gain: array<vec4f>;
@group(0) @binding(2) var<storage, read> weights: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> activated: array<f32>;
struct Arguments { gridX: u32 }
@group(0) @binding(4) var<uniform> arguments: Arguments;

const ROW_VECTORS = HIDDEN / 4u;
const ROWS = 4u;
const INVOCATIONS = INTERMEDIATE / ROWS;

@compute @workgroup_size(16)
fn decode_gate_up(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= INVOCATIONS) { return; }
  var squares = 0.0;
  var gates: array<f32, ROWS>;
  var ups: array<f32, ROWS>;
  for (var k = 0u; k < ROW_VECTORS; k++) {
    let x = hidden[k];
    squares += dot(x, x);
    let scaled = x * gain[k];
    for (var r = 0u; r < ROWS; r++) { // unroll
      gates[r] += dot(scaled, weights[(id.x + r * INVOCATIONS) * ROW_VECTORS + k]);
      ups[r] += dot(scaled, weights[(INTERMEDIATE + id.x + r * INVOCATIONS) * ROW_VECTORS + k]);
    }
  }
  let scale = inverseSqrt(squares / f32(HIDDEN) + RMS_EPSILON);
  for (var r = 0u; r < ROWS; r++) { // unroll
    let g = gates[r] * scale;
    activated[id.x + r * INVOCATIONS] = g / (1.0 + exp(-g)) * ups[r] * scale;
  }
}
