// Copies one page of one layer's keys and values, before a sequence writes into a page that others read.

@group(0) @binding(0) var<storage, read_write> keys: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> values: array<vec4f>;
struct Arguments { source: u32, target_page: u32, gridX: u32 }
@group(0) @binding(2) var<uniform> arguments: Arguments;

const PAGE_VECTORS = PAGE * KV_HEADS * HEAD_DIM / 4u;

@compute @workgroup_size(64)
fn copy_page(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= PAGE_VECTORS) { return; }
  let source = arguments.source * PAGE_VECTORS + id.x;
  let place = arguments.target_page * PAGE_VECTORS + id.x;
  keys[place] = keys[source];
  values[place] = values[source];
}
