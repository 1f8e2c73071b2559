// Prefill: causal attention with a running softmax, so that no matrix of scores is stored. One invocation owns one row
// and one key/value head, and serves the GROUP query heads that share it: every key and value is loaded once for all.

@group(0) @binding(0) var<storage, read> queries: array<vec4f>;
@group(0) @binding(1) var<storage, read> keys: array<vec4f>;
@group(0) @binding(2) var<storage, read> values: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> attended: array<vec4f>;
struct Arguments { position: u32, rows: u32, gridX: u32 }
@group(0) @binding(4) var<uniform> arguments: Arguments;

const VECTORS = HEAD_DIM / 4u;
const GROUP = HEADS / KV_HEADS;
const OUTPUTS = GROUP * VECTORS;

@compute @workgroup_size(32)
fn prefill_attention(@builtin(global_invocation_id) id: vec3u) {
  let row = id.x;
  if (row >= arguments.rows) { return; }
  let kv_head = id.y;
  let base = (row * KV_HEADS + kv_head) * OUTPUTS;
  let scale = inverseSqrt(f32(HEAD_DIM));

  var query: array<vec4f, OUTPUTS>;
  for (var o = 0u; o < OUTPUTS; o++) { // unroll
    query[o] = queries[base + o] * scale;
  }
  var highest: array<f32, GROUP>;
  for (var g = 0u; g < GROUP; g++) { // unroll
    highest[g] = -1e30;
  }
  var total: array<f32, GROUP>;
  var sum: array<vec4f, OUTPUTS>;

  let count = arguments.position + row + 1u;
  for (var key_index = 0u; key_index < count; key_index++) {
    let key_base = (key_index * KV_HEADS + kv_head) * VECTORS;
    var score: array<f32, GROUP>;
    for (var g = 0u; g < GROUP; g++) { // unroll
      score[g] = 0.0; // WGSL promises zeros here, but on SwiftShader the array keeps its values from the last iteration
    }
    for (var v = 0u; v < VECTORS; v++) { // unroll
      let key = keys[key_base + v];
      for (var g = 0u; g < GROUP; g++) { // unroll
        score[g] += dot(query[g * VECTORS + v], key);
      }
    }
    for (var g = 0u; g < GROUP; g++) { // unroll
      if (score[g] > highest[g]) {
        let shrink = exp(highest[g] - score[g]);
        highest[g] = score[g];
        total[g] *= shrink;
        for (var v = 0u; v < VECTORS; v++) { // unroll
          sum[g * VECTORS + v] *= shrink;
        }
      }
      score[g] = exp(score[g] - highest[g]);
      total[g] += score[g];
    }
    for (var v = 0u; v < VECTORS; v++) { // unroll
      let value = values[key_base + v];
      for (var g = 0u; g < GROUP; g++) { // unroll
        sum[g * VECTORS + v] += score[g] * value;
      }
    }
  }

  for (var g = 0u; g < GROUP; g++) { // unroll
    for (var v = 0u; v < VECTORS; v++) { // unroll
      attended[base + g * VECTORS + v] = sum[g * VECTORS + v] / total[g];
    }
  }
}
