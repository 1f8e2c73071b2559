// Decode: attention of one token per sequence over shares of its cache. One invocation takes one key/value
// head of one token (y) and one share (x): every n-th position, for all query heads of the group. There is a
// share per page of the sequence, up to MAX_SHARES; `shares` is that of the longest, between whose results
// the shorter ones leave gaps. Here one position at a time
// is as fast as four. The result of a share is already divided by its total; `merge_attention` weighs the
// shares by their logarithms. Lanes never meet: a version that merged them behind a barrier in workgroup
// memory took five times as long.

@group(0) @binding(0) var<storage, read> queries: array<vec4f>;
@group(0) @binding(1) var<storage, read> tables: array<u32>;
@group(0) @binding(2) var<storage, read> keys: array<vec4f>;
@group(0) @binding(3) var<storage, read> values: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> attended: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> logarithms: array<f32>;
struct Arguments { position: u32, table: u32, record: u32, shares: u32, gridX: u32 }
@group(0) @binding(6) var<uniform> arguments: Arguments;

const VECTORS = HEAD_DIM / 4u;
const GROUP = HEADS / KV_HEADS;
const OUTPUTS = GROUP * VECTORS;

@compute @workgroup_size(8)
fn decode_attention(@builtin(global_invocation_id) id: vec3u) {
  let share = id.x;
  let token = id.y / KV_HEADS;
  let kv_head = id.y % KV_HEADS;
  let record = (arguments.record + token) * 2u;
  let position = arguments.position + tables[record];
  let table = arguments.table + tables[record + 1u];
  let stride = min(position / PAGE + 1u, MAX_SHARES);
  if (share >= stride) { return; }
  let scale = inverseSqrt(f32(HEAD_DIM));

  var query: array<vec4f, OUTPUTS>;
  for (var o = 0u; o < OUTPUTS; o++) { // unroll
    query[o] = queries[id.y * OUTPUTS + o] * scale;
  }
  var highest: array<f32, GROUP>;
  for (var g = 0u; g < GROUP; g++) { // unroll
    highest[g] = -1e30;
  }
  var total: array<f32, GROUP>;
  var sum: array<vec4f, OUTPUTS>;

  for (var at = share; at <= position; at += stride) {
    let place = tables[table + at / PAGE] * PAGE + at % PAGE;
    let base = (place * KV_HEADS + kv_head) * VECTORS;
    var score: array<f32, GROUP>;
    for (var g = 0u; g < GROUP; g++) { // unroll
      score[g] = 0.0; // see prefill_attention.wgsl
    }
    for (var v = 0u; v < VECTORS; v++) { // unroll
      let key = keys[base + v];
      for (var g = 0u; g < GROUP; g++) { // unroll
        score[g] += dot(query[g * VECTORS + v], key);
      }
    }
    for (var g = 0u; g < GROUP; g++) { // unroll
      let top = max(highest[g], score[g]);
      let shrink = exp(highest[g] - top);
      highest[g] = top;
      score[g] = exp(score[g] - top);
      total[g] = total[g] * shrink + score[g];
      for (var v = 0u; v < VECTORS; v++) { // unroll
        sum[g * VECTORS + v] *= shrink;
      }
    }
    for (var v = 0u; v < VECTORS; v++) { // unroll
      let value = values[base + v];
      for (var g = 0u; g < GROUP; g++) { // unroll
        sum[g * VECTORS + v] += score[g] * value;
      }
    }
  }

  let result = (token * arguments.shares + share) * KV_HEADS + kv_head;
  for (var g = 0u; g < GROUP; g++) { // unroll
    logarithms[result * GROUP + g] = highest[g] + log(total[g]);
    for (var v = 0u; v < VECTORS; v++) { // unroll
      attended[result * OUTPUTS + g * VECTORS + v] = sum[g * VECTORS + v] / total[g];
    }
  }
}
