// The final norm of TOKENS chosen rows and their product with the output embedding. One invocation computes
// ROWS logits of each. A row number outside the pass counts as the last row.

@group(0) @binding(0) var<storage, read> hidden: array<vec4f>;
@group(0) @binding(1) var<storage, read> gain: array<vec4f>;
@group(0) @binding(2) var<storage, read> weights: array<vec4f>;
@group(0) @binding(3) var<storage, read> chosen: array<u32>;
@group(0) @binding(4) var<storage, read_write> logit: array<f32>;
struct Arguments { firstRow: u32, rows: u32, chosenOffset: u32, tokens: u32, gridX: u32 }
@group(0) @binding(5) var<uniform> arguments: Arguments;

// variants TOKENS = 2, 4, 8
const TOKENS = 1u;
const ROW_VECTORS = HIDDEN / 4u;
const ROWS = 8u;
const INVOCATIONS = (VOCABULARY + ROWS - 1u) / ROWS;

@compute @workgroup_size(8)
fn logits(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= INVOCATIONS) { return; }
  let first = id.y * TOKENS;
  var input_base: array<u32, TOKENS>;
  for (var t = 0u; t < TOKENS; t++) { // unroll
    let row = arguments.firstRow + chosen[arguments.chosenOffset + min(first + t, arguments.tokens - 1u)];
    input_base[t] = min(row, arguments.rows - 1u) * ROW_VECTORS;
  }
  var squares: array<f32, TOKENS>;
  var sum: array<f32, TOKENS * ROWS>;
  for (var k = 0u; k < ROW_VECTORS; k++) {
    let g = gain[k];
    var scaled: array<vec4f, TOKENS>;
    for (var t = 0u; t < TOKENS; t++) { // unroll
      let x = hidden[input_base[t] + k];
      squares[t] += dot(x, x);
      scaled[t] = x * g;
    }
    for (var r = 0u; r < ROWS; r++) { // unroll
      let weight = weights[min(id.x + r * INVOCATIONS, VOCABULARY - 1u) * ROW_VECTORS + k];
      for (var t = 0u; t < TOKENS; t++) { // unroll
        sum[t * ROWS + r] += dot(scaled[t], weight);
      }
    }
  }
  for (var t = 0u; t < TOKENS; t++) { // unroll
    if (first + t < arguments.tokens) {
      let scale = inverseSqrt(squares[t] / f32(HIDDEN) + RMS_EPSILON);
      for (var r = 0u; r < ROWS; r++) { // unroll
        if (id.x + r * INVOCATIONS < VOCABULARY) {
          logit[(first + t) * VOCABULARY + id.x + r * INVOCATIONS] = sum[t * ROWS + r] * scale;
        }
      }
    }
  }
}
