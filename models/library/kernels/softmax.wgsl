// Probabilities of rows of logits, each at its own temperature: a workgroup per row. web-llm sends 1e-6 for temperature 0 and -3.4e38 for
// forbidden tokens, so differences are clamped before they are divided.

@group(0) @binding(0) var<storage, read> logit: array<f32>;
@group(0) @binding(1) var<storage, read> temperature: array<f32>;
@group(0) @binding(2) var<storage, read_write> probability: array<f32>;
struct Arguments { logitOffset: u32, gridX: u32 }
@group(0) @binding(3) var<uniform> arguments: Arguments;

const LANES = 64u;
var<workgroup> partial: array<f32, LANES>;

@compute @workgroup_size(LANES)
fn softmax(@builtin(local_invocation_id) local: vec3u, @builtin(workgroup_id) group: vec3u) {
  let lane = local.x;
  let row = group.y * VOCABULARY;
  let base = arguments.logitOffset + row;
  var highest = -3.4e38;
  for (var i = lane; i < VOCABULARY; i += LANES) {
    highest = max(highest, logit[base + i]);
  }
  partial[lane] = highest;
  workgroupBarrier();
  for (var i = 0u; i < LANES; i++) {
    highest = max(highest, partial[i]);
  }
  workgroupBarrier();

  let divisor = temperature[group.y];
  var total = 0.0;
  for (var i = lane; i < VOCABULARY; i += LANES) {
    let power = exp(max(max(logit[base + i] - highest, -1e4) / divisor, -1e4));
    probability[row + i] = power;
    total += power;
  }
  partial[lane] = total;
  workgroupBarrier();
  total = 0.0;
  for (var i = 0u; i < LANES; i++) {
    total += partial[i];
  }
  for (var i = lane; i < VOCABULARY; i += LANES) {
    probability[row + i] /= total;
  }
}
