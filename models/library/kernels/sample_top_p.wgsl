// Draws a token per workgroup, from the smallest set of most likely tokens that together hold `top_p`. No
// sort: the set is "every probability at least as large as a cut", and the cut is found by a search over the
// bits of non-negative floats, which are ordered like the floats. Each of 10 passes settles 3 bits: it sums
// the tails of 7 trial cuts at once. Tokens as likely as the last one of the set belong to it too. Then the
// set is walked in the order of the vocabulary until the running sum exceeds uniform * (sum of the set).

@group(0) @binding(0) var<storage, read> probability: array<f32>;
@group(0) @binding(1) var<storage, read> uniform_number: array<f32>;
@group(0) @binding(2) var<storage, read> rows: array<u32>;
@group(0) @binding(3) var<storage, read> top_p: array<f32>;
@group(0) @binding(4) var<storage, read_write> token: array<i32>;
struct Arguments { probabilityOffset: u32, probabilityRows: u32, gridX: u32 }
@group(0) @binding(5) var<uniform> arguments: Arguments;

const LANES = 64u;
const SHARE = (VOCABULARY + LANES - 1u) / LANES;
const TRIALS = 7u;

var<workgroup> partial: array<f32, TRIALS * LANES>;
var<workgroup> tail: array<f32, TRIALS>;

@compute @workgroup_size(LANES)
fn sample_top_p(@builtin(local_invocation_id) local: vec3u, @builtin(workgroup_id) group: vec3u) {
  let lane = local.x;
  // A row that there is not ends as -1 below; until then, all lanes must reach the barriers.
  let row = min(rows[group.y], arguments.probabilityRows - 1u);
  let base = arguments.probabilityOffset + row * VOCABULARY;
  let goal = top_p[row];
  let first = min(lane * SHARE, VOCABULARY);
  let end = min(first + SHARE, VOCABULARY);

  // Invariant: the tail above `low` holds the goal. Steps of 8^9 ... 8^0 cover every value up to one.
  var low = 0u;
  if (goal < 1.0) {
    var step = 1u << 27u;
    for (var pass_index = 0u; pass_index < 10u; pass_index++) {
      var sums: array<f32, TRIALS>;
      for (var t = 0u; t < TRIALS; t++) { // unroll
        sums[t] = 0.0; // see prefill_attention.wgsl: SwiftShader does not do this by itself
      }
      for (var i = first; i < end; i++) {
        let p = probability[base + i];
        let bits = bitcast<u32>(p);
        for (var t = 0u; t < TRIALS; t++) { // unroll
          sums[t] += select(0.0, p, bits >= low + (t + 1u) * step);
        }
      }
      for (var t = 0u; t < TRIALS; t++) { // unroll
        partial[t * LANES + lane] = sums[t];
      }
      workgroupBarrier();
      if (lane < TRIALS) {
        var sum = 0.0;
        for (var i = 0u; i < LANES; i++) {
          sum += partial[lane * LANES + i];
        }
        tail[lane] = sum;
      }
      workgroupBarrier();
      var passed = 0u;
      for (var t = 0u; t < TRIALS; t++) {
        passed += select(0u, 1u, tail[t] >= goal);
      }
      low += passed * step;
      step >>= 3u;
    }
  }

  var sum = 0.0;
  for (var i = first; i < end; i++) {
    let p = probability[base + i];
    sum += select(0.0, p, bitcast<u32>(p) >= low);
  }
  workgroupBarrier();
  partial[lane] = sum;
  workgroupBarrier();
  if (lane != 0u) { return; }

  var total = 0.0;
  for (var i = 0u; i < LANES; i++) {
    total += partial[i];
  }
  // The share in which the running sum passes the wanted value; the last one with any probability if
  // rounding hides it.
  let wanted = uniform_number[group.y] * total;
  var running = 0.0;
  var start = 0u;
  var before = 0.0;
  for (var i = 0u; i < LANES; i++) {
    if (partial[i] > 0.0) {
      start = i * SHARE;
      before = running;
    }
    running += partial[i];
    if (running > wanted) { break; }
  }
  var chosen = start;
  running = before;
  for (var i = start; i < min(start + SHARE, VOCABULARY); i++) {
    let p = probability[base + i];
    if (p > 0.0 && bitcast<u32>(p) >= low) {
      chosen = i;
      running += p;
      if (running > wanted) { break; }
    }
  }
  token[group.y] = select(-1, i32(chosen), rows[group.y] < arguments.probabilityRows);
}
