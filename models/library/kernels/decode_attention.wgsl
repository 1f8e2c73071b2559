// Decode: attention of one token over shares of the cache. One invocation takes one key/value head (y) and one share (x):
// every `shares`-th position, KEYS at a time, for all query heads of the group, as in `prefill_attention`.
// The result of a share is already divided by its total; `merge_attention` weighs the shares by their logarithms.
// Lanes never meet: a version that merged them behind a barrier in workgroup memory took five times as long.

@group(0) @binding(0) var<storage, read> queries: array<vec4f>;
@group(0) @binding(1) var<storage, read> keys: array<vec4f>;
@group(0) @binding(2) var<storage, read> values: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> attended: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> logarithms: array<f32>;
struct Arguments { position: u32, shares: u32, gridX: u32 }
@group(0) @binding(5) var<uniform> arguments: Arguments;

const MAX_SHARES = 32u;
const POSITIONS_PER_SHARE = 16u;
const KEYS = 2u;
const VECTORS = HEAD_DIM / 4u;
const GROUP = HEADS / KV_HEADS;
const OUTPUTS = GROUP * VECTORS;
const SCORES = GROUP * KEYS;
const NEVER = -1e30;

@compute @workgroup_size(8)
fn decode_attention(@builtin(global_invocation_id) id: vec3u) {
  let share = id.x;
  let stride = arguments.shares;
  if (share >= stride) { return; }
  let kv_head = id.y;
  let last = arguments.position;
  let scale = inverseSqrt(f32(HEAD_DIM));

  var query: array<vec4f, OUTPUTS>;
  for (var o = 0u; o < OUTPUTS; o++) { // unroll
    query[o] = queries[kv_head * OUTPUTS + o] * scale;
  }
  var highest: array<f32, GROUP>;
  for (var g = 0u; g < GROUP; g++) { // unroll
    highest[g] = NEVER;
  }
  var total: array<f32, GROUP>;
  var sum: array<vec4f, OUTPUTS>;

  for (var at = share; at <= last; at += KEYS * stride) {
    var score: array<f32, SCORES>;
    for (var i = 0u; i < KEYS; i++) { // unroll
      let key_index = at + i * stride;
      for (var g = 0u; g < GROUP; g++) { // unroll
        score[i * GROUP + g] = select(NEVER, 0.0, key_index <= last);
      }
      let base = (min(key_index, last) * KV_HEADS + kv_head) * VECTORS;
      for (var v = 0u; v < VECTORS; v++) { // unroll
        let key = keys[base + v];
        for (var g = 0u; g < GROUP; g++) { // unroll
          score[i * GROUP + g] += dot(query[g * VECTORS + v], key);
        }
      }
    }
    for (var g = 0u; g < GROUP; g++) { // unroll
      var top = highest[g];
      for (var i = 0u; i < KEYS; i++) { // unroll
        top = max(top, score[i * GROUP + g]);
      }
      let shrink = exp(highest[g] - top);
      highest[g] = top;
      total[g] *= shrink;
      for (var i = 0u; i < KEYS; i++) { // unroll
        score[i * GROUP + g] = exp(score[i * GROUP + g] - top);
        total[g] += score[i * GROUP + g];
      }
      for (var v = 0u; v < VECTORS; v++) { // unroll
        sum[g * VECTORS + v] *= shrink;
      }
    }
    for (var i = 0u; i < KEYS; i++) { // unroll
      let base = (min(at + i * stride, last) * KV_HEADS + kv_head) * VECTORS;
      for (var v = 0u; v < VECTORS; v++) { // unroll
        let value = values[base + v];
        for (var g = 0u; g < GROUP; g++) { // unroll
          sum[g * VECTORS + v] += score[i * GROUP + g] * value;
        }
      }
    }
  }

  let result = share * KV_HEADS + kv_head;
  for (var g = 0u; g < GROUP; g++) { // unroll
    logarithms[result * GROUP + g] = highest[g] + log(total[g]);
    for (var v = 0u; v < VECTORS; v++) { // unroll
      attended[result * OUTPUTS + g * VECTORS + v] = sum[g * VECTORS + v] / total[g];
    }
  }
}
