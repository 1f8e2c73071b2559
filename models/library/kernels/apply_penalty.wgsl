// Presence, frequency and repetition penalties for the tokens generated so far. `penalties` holds these
// three numbers per sequence, `rows` the row of logits of each sequence; a repetition penalty moves a logit towards less likely, whatever its sign.

@group(0) @binding(0) var<storage, read_write> logit: array<f32>;
@group(0) @binding(1) var<storage, read> rows: array<u32>;
@group(0) @binding(2) var<storage, read> sequences: array<u32>;
@group(0) @binding(3) var<storage, read> tokens: array<u32>;
@group(0) @binding(4) var<storage, read> counts: array<i32>;
@group(0) @binding(5) var<storage, read> penalties: array<f32>;
struct Arguments { logitOffset: u32, logitRows: u32, sequenceCount: u32, count: u32, gridX: u32 }
@group(0) @binding(6) var<uniform> arguments: Arguments;

@compute @workgroup_size(64)
fn apply_penalty(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= arguments.count) { return; }
  let sequence = sequences[id.x];
  let token = tokens[id.x];
  if (sequence >= arguments.sequenceCount || token >= VOCABULARY) { return; }
  let row = rows[sequence];
  if (row >= arguments.logitRows) { return; }
  let at = arguments.logitOffset + row * VOCABULARY + token;
  let presence = penalties[sequence * 3u];
  let frequency = penalties[sequence * 3u + 1u];
  let repetition = penalties[sequence * 3u + 2u];
  let penalized = logit[at] - presence - f32(counts[id.x]) * frequency;
  logit[at] = select(penalized / repetition, penalized * repetition, penalized < 0.0);
}
