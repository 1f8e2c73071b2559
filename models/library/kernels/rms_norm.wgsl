// Prefill: RMS norm of every row. One invocation per row: rows are short and there are many of them.

@group(0) @binding(0) var<storage, read> hidden: array<vec4f>;
@group(0) @binding(1) var<storage, read> gain: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> normed: array<vec4f>;
struct Arguments { rows: u32, gridX: u32 }
@group(0) @binding(3) var<uniform> arguments: Arguments;

const ROW_VECTORS = HIDDEN / 4u;

@compute @workgroup_size(32)
fn rms_norm(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= arguments.rows) { return; }
  let base = id.x * ROW_VECTORS;
  var squares = 0.0;
  for (var i = 0u; i < ROW_VECTORS; i++) {
    let x = hidden[base + i];
    squares += dot(x, x);
  }
  let scale = inverseSqrt(squares / f32(HIDDEN) + RMS_EPSILON);
  for (var i = 0u; i < ROW_VECTORS; i++) {
    normed[base + i] = hidden[base + i] * scale * gain[i];
  }
}
