// Decode: RMS norm, gate and up projections and silu(gate) * up for TOKENS tokens. One invocation computes
// ROWS results of each; the norm's factor is summed along the way, as in `decode_qkv`.

@group(0) @binding(0) var<storage, read> hidden: array<vec4f>;
@group(0) @binding(1) var<storage, read> gain: array<vec4f>;
@group(0) @binding(2) var<storage, read> weights: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> activated: array<f32>;
struct Arguments { tokens: u32, gridX: u32 }
@group(0) @binding(4) var<uniform> arguments: Arguments;

// variants TOKENS = 2, 4, 8
const TOKENS = 1u;
const ROW_VECTORS = HIDDEN / 4u;
const ROWS = 4u;
const INVOCATIONS = INTERMEDIATE / ROWS;

@compute @workgroup_size(16)
fn decode_gate_up(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= INVOCATIONS) { return; }
  let first = id.y * TOKENS;
  var input_base: array<u32, TOKENS>;
  for (var t = 0u; t < TOKENS; t++) { // unroll
    input_base[t] = min(first + t, arguments.tokens - 1u) * ROW_VECTORS;
  }
  var squares: array<f32, TOKENS>;
  var gates: array<f32, TOKENS * ROWS>;
  var ups: array<f32, TOKENS * ROWS>;
  for (var k = 0u; k < ROW_VECTORS; k++) {
    let g = gain[k];
    var scaled: array<vec4f, TOKENS>;
    for (var t = 0u; t < TOKENS; t++) { // unroll
      let x = hidden[input_base[t] + k];
      squares[t] += dot(x, x);
      scaled[t] = x * g;
    }
    for (var r = 0u; r < ROWS; r++) { // unroll
      let gate = weights[(id.x + r * INVOCATIONS) * ROW_VECTORS + k];
      let up = weights[(INTERMEDIATE + id.x + r * INVOCATIONS) * ROW_VECTORS + k];
      for (var t = 0u; t < TOKENS; t++) { // unroll
        gates[t * ROWS + r] += dot(scaled[t], gate);
        ups[t * ROWS + r] += dot(scaled[t], up);
      }
    }
  }
  for (var t = 0u; t < TOKENS; t++) { // unroll
    if (first + t < arguments.tokens) {
      let scale = inverseSqrt(squares[t] / f32(HIDDEN) + RMS_EPSILON);
      for (var r = 0u; r < ROWS; r++) { // unroll
        let g = gates[t * ROWS + r] * scale;
        activated[(first + t) * INTERMEDIATE + id.x + r * INVOCATIONS] =
          g / (1.0 + exp(-g)) * ups[t * ROWS + r] * scale;
      }
    }
  }
}
