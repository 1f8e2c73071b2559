// Decode: attention of one token over a share of the cache. A workgroup takes one key/value head (grid x) and one of
// `splits` equal shares of the positions (grid y); each of its lanes runs a softmax of its own over every LANES-th
// position for all query heads of the group, and one barrier later the lanes are merged.
// The result of a share is already divided by its total; `merge_attention` weighs shares by their logarithms.

@group(0) @binding(0) var<storage, read> queries: array<vec4f>;
@group(0) @binding(1) var<storage, read> keys: array<vec4f>;
@group(0) @binding(2) var<storage, read> values: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> attended: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> logarithms: array<f32>;
struct Arguments { position: u32, splits: u32, gridX: u32 }
@group(0) @binding(5) var<uniform> arguments: Arguments;

const LANES = 32u;
const MAX_SPLITS = 8u;
const VECTORS = HEAD_DIM / 4u;
const GROUP = HEADS / KV_HEADS;
const OUTPUTS = GROUP * VECTORS;

var<workgroup> lane_highest: array<f32, GROUP * LANES>;
var<workgroup> lane_total: array<f32, GROUP * LANES>;
var<workgroup> lane_sum: array<vec4f, OUTPUTS * LANES>;

@compute @workgroup_size(LANES)
fn decode_attention(@builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_id) local: vec3u) {
  let lane = local.x;
  let kv_head = workgroup.x;
  let count = arguments.position + 1u;
  let share = (count + arguments.splits - 1u) / arguments.splits;
  let end = min((workgroup.y + 1u) * share, count);
  let scale = inverseSqrt(f32(HEAD_DIM));

  var query: array<vec4f, OUTPUTS>;
  for (var o = 0u; o < OUTPUTS; o++) { // unroll
    query[o] = queries[kv_head * OUTPUTS + o] * scale;
  }
  var highest: array<f32, GROUP>;
  for (var g = 0u; g < GROUP; g++) { // unroll
    highest[g] = -1e30;
  }
  var total: array<f32, GROUP>;
  var sum: array<vec4f, OUTPUTS>;

  for (var at = workgroup.y * share + lane; at < end; at += LANES) {
    let base = (at * KV_HEADS + kv_head) * VECTORS;
    var score: array<f32, GROUP>;
    for (var g = 0u; g < GROUP; g++) { // unroll
      score[g] = 0.0; // WGSL promises zeros here, but on SwiftShader the array keeps its values from the last iteration
    }
    for (var v = 0u; v < VECTORS; v++) { // unroll
      let key = keys[base + v];
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
      let value = values[base + v];
      for (var g = 0u; g < GROUP; g++) { // unroll
        sum[g * VECTORS + v] += score[g] * value;
      }
    }
  }

  for (var g = 0u; g < GROUP; g++) { // unroll
    lane_highest[g * LANES + lane] = highest[g];
    lane_total[g * LANES + lane] = total[g];
  }
  for (var o = 0u; o < OUTPUTS; o++) { // unroll
    lane_sum[o * LANES + lane] = sum[o];
  }
  workgroupBarrier();

  let share_index = workgroup.y * KV_HEADS + kv_head;
  for (var o = lane; o < OUTPUTS; o += LANES) {
    let g = o / VECTORS;
    var top = -1e30;
    for (var i = 0u; i < LANES; i++) {
      top = max(top, lane_highest[g * LANES + i]);
    }
    var all = 0.0;
    var merged = vec4f();
    for (var i = 0u; i < LANES; i++) {
      let weight = exp(lane_highest[g * LANES + i] - top);
      all += weight * lane_total[g * LANES + i];
      merged += weight * lane_sum[o * LANES + i];
    }
    attended[share_index * OUTPUTS + o] = merged / all;
    if (o % VECTORS == 0u) {
      logarithms[share_index * GROUP + g] = top + log(all);
    }
  }
}
