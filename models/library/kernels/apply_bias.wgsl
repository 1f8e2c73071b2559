// Adds a bias to the logits of some tokens, each in the row given for it.

@group(0) @binding(0) var<storage, read_write> logit: array<f32>;
@group(0) @binding(1) var<storage, read> rows: array<u32>;
@group(0) @binding(2) var<storage, read> tokens: array<u32>;
@group(0) @binding(3) var<storage, read> bias: array<f32>;
struct Arguments { logitOffset: u32, logitRows: u32, count: u32, gridX: u32 }
@group(0) @binding(4) var<uniform> arguments: Arguments;

@compute @workgroup_size(64)
fn apply_bias(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= arguments.count) { return; }
  let token = tokens[id.x];
  let row = rows[id.x];
  if (token >= VOCABULARY || row >= arguments.logitRows) { return; }
  logit[arguments.logitOffset + row * VOCABULARY + token] += bias[id.x];
}
