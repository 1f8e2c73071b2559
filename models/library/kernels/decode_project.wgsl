// Decode: output += weights * input for one token: the output and down projections with their residual
// connections. One invocation computes ROWS rows that lie HIDDEN / ROWS apart, so that each number of the
// input is loaded once for all.

@group(0) @binding(0) var<storage, read> input: array<vec4f>;
@group(0) @binding(1) var<storage, read> weights: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> output: array<f32>;
struct Arguments { inner: u32, gridX: u32 }
@group(0) @binding(3) var<uniform> arguments: Arguments;

const ROWS = 4u;
const INVOCATIONS = HIDDEN / ROWS;

@compute @workgroup_size(8)
fn decode_project(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= INVOCATIONS) { return; }
  let vectors = arguments.inner / 4u;
  var sum: array<f32, ROWS>;
  for (var k = 0u; k < vectors; k++) {
    let x = input[k];
    for (var r = 0u; r < ROWS; r++) { // unroll
      sum[r] += dot(x, weights[(id.x + r * INVOCATIONS) * vectors + k]);
    }
  }
  for (var r = 0u; r < ROWS; r++) { // unroll
    output[id.x + r * INVOCATIONS] += sum[r];
  }
}
