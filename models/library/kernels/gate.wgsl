// Prefill: silu(gate) * up, four columns per invocation. A row holds all gates, then all ups.

@group(0) @binding(0) var<storage, read> gate_up: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> activated: array<vec4f>;
struct Arguments { rows: u32, gridX: u32 }
@group(0) @binding(2) var<uniform> arguments: Arguments;

const ROW_VECTORS = INTERMEDIATE / 4u;

@compute @workgroup_size(64)
fn gate(@builtin(global_invocation_id) id: vec3u) {
  let row = id.x / ROW_VECTORS;
  if (row >= arguments.rows) { return; }
  let source = row * 2u * ROW_VECTORS + id.x % ROW_VECTORS;
  let g = gate_up[source];
  activated[id.x] = g / (1.0 + exp(-g)) * gate_up[source + ROW_VECTORS];
}
