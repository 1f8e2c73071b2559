// Prefill: output = input * weights^T, or output += input * weights^T (a residual connection). One
// invocation computes a tile of 8 rows by 8 columns in registers: 16 loads for 64 dot products. The columns
// lie an eighth of the width apart, so that neighbouring invocations read neighbouring rows of the weights.

@group(0) @binding(0) var<storage, read> input: array<vec4f>;
@group(0) @binding(1) var<storage, read> weights: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> output: array<f32>;
struct Arguments { rows: u32, inner: u32, width: u32, accumulate: u32, gridX: u32 }
@group(0) @binding(3) var<uniform> arguments: Arguments;

const TILE_ROWS = 8u;
const TILE_COLUMNS = 8u;

@compute @workgroup_size(16)
fn matmul(@builtin(global_invocation_id) id: vec3u) {
  let stride = arguments.width / TILE_COLUMNS;
  if (id.x >= stride) { return; }
  let vectors = arguments.inner / 4u;
  let first_row = id.y * TILE_ROWS;

  var input_base: array<u32, TILE_ROWS>;
  for (var r = 0u; r < TILE_ROWS; r++) { // unroll
    input_base[r] = min(first_row + r, arguments.rows - 1u) * vectors;
  }
  var weight_base: array<u32, TILE_COLUMNS>;
  for (var c = 0u; c < TILE_COLUMNS; c++) { // unroll
    weight_base[c] = (id.x + c * stride) * vectors;
  }

  var sum: array<f32, TILE_ROWS * TILE_COLUMNS>;
  for (var k = 0u; k < vectors; k++) {
    var weight: array<vec4f, TILE_COLUMNS>;
    for (var c = 0u; c < TILE_COLUMNS; c++) { // unroll
      weight[c] = weights[weight_base[c] + k];
    }
    for (var r = 0u; r < TILE_ROWS; r++) { // unroll
      let x = input[input_base[r] + k];
      for (var c = 0u; c < TILE_COLUMNS; c++) { // unroll
        sum[r * TILE_COLUMNS + c] += dot(x, weight[c]);
      }
    }
  }

  for (var r = 0u; r < TILE_ROWS; r++) { // unroll
    if (first_row + r < arguments.rows) {
      for (var c = 0u; c < TILE_COLUMNS; c++) { // unroll
        let at = (first_row + r) * arguments.width + id.x + c * stride;
        if (arguments.accumulate == 1u) {
          output[at] += sum[r * TILE_COLUMNS + c];
        } else {
          output[at] = sum[r * TILE_COLUMNS + c];
        }
      }
    }
  }
}
