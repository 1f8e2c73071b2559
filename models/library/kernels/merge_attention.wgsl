// Decode: joins the shares that `decode_attention` computed, each weighted by its part of the softmax.

@group(0) @binding(0) var<storage, read> partial: array<vec4f>;
@group(0) @binding(1) var<storage, read> logarithms: array<f32>;
@group(0) @binding(2) var<storage, read_write> attended: array<vec4f>;
struct Arguments { shares: u32, gridX: u32 }
@group(0) @binding(3) var<uniform> arguments: Arguments;

const VECTORS = HEAD_DIM / 4u;
const ROW_VECTORS = HEADS * VECTORS;

@compute @workgroup_size(16)
fn merge_attention(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= ROW_VECTORS) { return; }
  let head = id.x / VECTORS;
  var top = -1e30;
  for (var s = 0u; s < arguments.shares; s++) {
    top = max(top, logarithms[s * HEADS + head]);
  }
  var all = 0.0;
  var merged = vec4f();
  for (var s = 0u; s < arguments.shares; s++) {
    let weight = exp(logarithms[s * HEADS + head] - top);
    all += weight;
    merged += weight * partial[s * ROW_VECTORS + id.x];
  }
  attended[id.x] = merged / all;
}
