// Prefill: causal attention of one sequence's rows with a running softmax, so that no matrix of scores is stored. One invocation
// owns ROWS rows and one key/value head, and serves all query heads that share it: ROWS * GROUP streams of
// softmax for every key and value it loads. It takes KEYS keys at a time and rescales its sums once for all
// of them, without a branch.

@group(0) @binding(0) var<storage, read> queries: array<vec4f>;
@group(0) @binding(1) var<storage, read> tables: array<u32>;
@group(0) @binding(2) var<storage, read> keys: array<vec4f>;
@group(0) @binding(3) var<storage, read> values: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> attended: array<vec4f>;
struct Arguments { position: u32, table: u32, firstRow: u32, rows: u32, gridX: u32 }
@group(0) @binding(5) var<uniform> arguments: Arguments;

const ROWS = 2u;
const KEYS = 4u;
const VECTORS = HEAD_DIM / 4u;
const GROUP = HEADS / KV_HEADS;
const OUTPUTS = GROUP * VECTORS;
const STREAMS = ROWS * GROUP;
const SUMS = STREAMS * VECTORS;
const SCORES = STREAMS * KEYS;
const NEVER = -1e30;

@compute @workgroup_size(16)
fn prefill_attention(@builtin(global_invocation_id) id: vec3u) {
  let first_row = id.x * ROWS;
  if (first_row >= arguments.rows) { return; }
  let kv_head = id.y;
  let scale = inverseSqrt(f32(HEAD_DIM));

  var query: array<vec4f, SUMS>;
  for (var r = 0u; r < ROWS; r++) { // unroll
    let row = arguments.firstRow + min(first_row + r, arguments.rows - 1u);
    for (var o = 0u; o < OUTPUTS; o++) { // unroll
      query[r * OUTPUTS + o] = queries[(row * KV_HEADS + kv_head) * OUTPUTS + o] * scale;
    }
  }
  var highest: array<f32, STREAMS>;
  for (var s = 0u; s < STREAMS; s++) { // unroll
    highest[s] = NEVER;
  }
  var total: array<f32, STREAMS>;
  var sum: array<vec4f, SUMS>;

  let first_position = arguments.position + first_row;
  let last = arguments.position + min(first_row + ROWS, arguments.rows) - 1u;
  // The last step may look up to KEYS - 1 positions too far: their scores are NEVER, so they weigh nothing.
  for (var at = 0u; at <= last; at += KEYS) {
    // KEYS divides PAGE, so a step never leaves its page.
    let place = tables[arguments.table + at / PAGE] * PAGE + at % PAGE;
    // Set, not left to WGSL's initial zeros: on SwiftShader an array keeps its values from the last
    // iteration.
    var score: array<f32, SCORES>;
    for (var i = 0u; i < KEYS; i++) { // unroll
      for (var s = 0u; s < STREAMS; s++) { // unroll
        score[i * STREAMS + s] = select(NEVER, 0.0, at + i <= first_position + s / GROUP);
      }
      let base = ((place + i) * KV_HEADS + kv_head) * VECTORS;
      for (var v = 0u; v < VECTORS; v++) { // unroll
        let key = keys[base + v];
        for (var s = 0u; s < STREAMS; s++) { // unroll
          score[i * STREAMS + s] += dot(query[s * VECTORS + v], key);
        }
      }
    }
    for (var s = 0u; s < STREAMS; s++) { // unroll
      var top = highest[s];
      for (var i = 0u; i < KEYS; i++) { // unroll
        top = max(top, score[i * STREAMS + s]);
      }
      let shrink = exp(highest[s] - top);
      highest[s] = top;
      total[s] *= shrink;
      for (var i = 0u; i < KEYS; i++) { // unroll
        score[i * STREAMS + s] = exp(score[i * STREAMS + s] - top);
        total[s] += score[i * STREAMS + s];
      }
      for (var v = 0u; v < VECTORS; v++) { // unroll
        sum[s * VECTORS + v] *= shrink;
      }
    }
    for (var i = 0u; i < KEYS; i++) { // unroll
      let base = ((place + i) * KV_HEADS + kv_head) * VECTORS;
      for (var v = 0u; v < VECTORS; v++) { // unroll
        let value = values[base + v];
        for (var s = 0u; s < STREAMS; s++) { // unroll
          sum[s * VECTORS + v] += score[i * STREAMS + s] * value;
        }
      }
    }
  }

  for (var r = 0u; r < ROWS; r++) { // unroll
    if (first_row + r < arguments.rows) {
      for (var o = 0u; o < OUTPUTS; o++) { // unroll
        attended[((arguments.firstRow + first_row + r) * KV_HEADS + kv_head) * OUTPUTS + o] =
          sum[r * OUTPUTS + o] / total[r * GROUP + o / VECTORS];
      }
    }
  }
}
