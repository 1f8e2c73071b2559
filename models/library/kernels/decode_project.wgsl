// Decode: output += weights * input for TOKENS tokens: the output and down projections with their residual
// connections. One invocation computes ROWS rows that lie HIDDEN / ROWS apart, so that each number of the
// input is loaded once for all.

@group(0) @binding(0) var<storage, read> input: array<vec4f>;
@group(0) @binding(1) var<storage, read> weights: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> output: array<f32>;
struct Arguments { inner: u32, tokens: u32, gridX: u32 }
@group(0) @binding(3) var<uniform> arguments: Arguments;

// variants TOKENS = 2, 4, 8
const TOKENS = 1u;
const ROWS = 4u;
const INVOCATIONS = HIDDEN / ROWS;

@compute @workgroup_size(8)
fn decode_project(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= INVOCATIONS) { return; }
  let vectors = arguments.inner / 4u;
  let first = id.y * TOKENS;
  var input_base: array<u32, TOKENS>;
  for (var t = 0u; t < TOKENS; t++) { // unroll
    input_base[t] = min(first + t, arguments.tokens - 1u) * vectors;
  }
  var sum: array<f32, TOKENS * ROWS>;
  for (var k = 0u; k < vectors; k++) {
    var x: array<vec4f, TOKENS>;
    for (var t = 0u; t < TOKENS; t++) { // unroll
      x[t] = input[input_base[t] + k];
    }
    for (var r = 0u; r < ROWS; r++) { // unroll
      let weight = weights[(id.x + r * INVOCATIONS) * vectors + k];
      for (var t = 0u; t < TOKENS; t++) { // unroll
        sum[t * ROWS + r] += dot(x[t], weight);
      }
    }
  }
  for (var t = 0u; t < TOKENS; t++) { // unroll
    if (first + t < arguments.tokens) {
      for (var r = 0u; r < ROWS; r++) { // unroll
        output[(first + t) * HIDDEN + id.x + r * INVOCATIONS] += sum[t * ROWS + r];
      }
    }
  }
}
