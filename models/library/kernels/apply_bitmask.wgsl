// Forbids every token whose bit in the mask is 0, in the rows listed (y). The mask has a row for each row of
// logits.

@group(0) @binding(0) var<storage, read_write> logit: array<f32>;
@group(0) @binding(1) var<storage, read> rows: array<u32>;
@group(0) @binding(2) var<storage, read> mask: array<u32>;
struct Arguments { logitOffset: u32, logitRows: u32, gridX: u32 }
@group(0) @binding(3) var<uniform> arguments: Arguments;

const MASK_WORDS = (VOCABULARY + 31u) / 32u;

@compute @workgroup_size(64)
fn apply_bitmask(@builtin(global_invocation_id) id: vec3u) {
  let row = rows[id.y];
  if (id.x >= VOCABULARY || row >= arguments.logitRows) { return; }
  let word = mask[row * MASK_WORDS + id.x / 32u];
  if (((word >> (id.x % 32u)) & 1u) == 0u) {
    logit[arguments.logitOffset + row * VOCABULARY + id.x] = -3.4028234e38;
  }
}
