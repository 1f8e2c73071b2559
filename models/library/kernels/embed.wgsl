// Rows of the embedding table for the given tokens. One invocation copies four numbers.

@group(0) @binding(0) var<storage, read> tokens: array<i32>;
@group(0) @binding(1) var<storage, read> table: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> embeddings: array<vec4f>;
struct Arguments { tokenOffset: u32, rows: u32, gridX: u32 }
@group(0) @binding(3) var<uniform> arguments: Arguments;

const ROW_VECTORS = HIDDEN / 4u;

@compute @workgroup_size(64)
fn embed(@builtin(global_invocation_id) id: vec3u) {
  let row = id.x / ROW_VECTORS;
  if (row >= arguments.rows) { return; }
  let token = u32(tokens[arguments.tokenOffset + row]);
  embeddings[id.x] = table[token * ROW_VECTORS + id.x % ROW_VECTORS];
}
