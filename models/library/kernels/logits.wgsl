// The final norm of one row and its product with the output embedding. One invocation computes ROWS logits.

@group(0) @binding(0) var<storage, read> hidden: array<vec4f>;
@group(0) @binding(1) var<storage, read> gain: array<vec4f>;
@group(0) @binding(2) var<storage, read> weights: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> logit: array<f32>;
struct Arguments { row: u32, gridX: u32 }
@group(0) @binding(4) var<uniform> arguments: Arguments;

const ROW_VECTORS = HIDDEN / 4u;
const ROWS = 8u;
const INVOCATIONS = (VOCABULARY + ROWS - 1u) / ROWS;

@compute @workgroup_size(8)
fn logits(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= INVOCATIONS) { return; }
  let base = arguments.row * ROW_VECTORS;
  var squares = 0.0;
  var sum: array<f32, ROWS>;
  for (var k = 0u; k < ROW_VECTORS; k++) {
    let x = hidden[base + k];
    squares += dot(x, x);
    let scaled = x * gain[k];
    for (var r = 0u; r < ROWS; r++) { // unroll
      sum[r] += dot(scaled, weights[min(id.x + r * INVOCATIONS, VOCABULARY - 1u) * ROW_VECTORS + k]);
    }
  }
  let scale = inverseSqrt(squares / f32(HIDDEN) + RMS_EPSILON);
  for (var r = 0u; r < ROWS; r++) { // unroll
    if (id.x + r * INVOCATIONS < VOCABULARY) {
      logit[id.x + r * INVOCATIONS] = sum[r] * scale;
    }
  }
}
