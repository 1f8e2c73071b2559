// Presence, frequency and repetition penalties for the tokens generated so far. `penalties` holds these
// three numbers per sequence; a repetition penalty moves a logit towards less likely, whatever its sign.

@group(0) @binding(0) var<storage, read_write> logit: array<f32>;
@group(0) @binding(1) var<storage, read> rows: array<i32>;
@group(0) @binding(2) var<storage, read> sequences: array<i32>;
@group(0) @binding(3) var<storage, read> tokens: array<i32>;
@group(0) @binding(4) var<storage, read> counts: array<i32>;
@group(0) @binding(5) var<storage, read> penalties: array<f32>;
struct Arguments { logitOffset: u32, count: u32, gridX: u32 }
@group(0) @binding(6) var<uniform> arguments: Arguments;

@compute @workgroup_size(64)
fn apply_penalty(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= arguments.count) { return; }
  let sequence = u32(sequences[id.x]);
  let at = arguments.logitOffset + u32(rows[sequence]) * VOCABULARY + u32(tokens[id.x]);
  let presence = penalties[sequence * 3u];
  let frequency = penalties[sequence * 3u + 1u];
  let repetition = penalties[sequence * 3u + 2u];
  let penalized = logit[at] - presence - f32(counts[id.x]) * frequency;
  logit[at] = select(penalized / repetition, penalized * repetition, penalized < 0.0);
}
