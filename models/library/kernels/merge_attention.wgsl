// Decode: joins the shares that `decode_attention` computed, each weighted by its part of the softmax,
// for one token of a sequence per y.

@group(0) @binding(0) var<storage, read> partial: array<vec4f>;
@group(0) @binding(1) var<storage, read> logarithms: array<f32>;
@group(0) @binding(2) var<storage, read> tables: array<u32>;
@group(0) @binding(3) var<storage, read_write> attended: array<vec4f>;
struct Arguments { position: u32, record: u32, shares: u32, gridX: u32 }
@group(0) @binding(4) var<uniform> arguments: Arguments;

const VECTORS = HEAD_DIM / 4u;
const ROW_VECTORS = HEADS * VECTORS;

@compute @workgroup_size(16)
fn merge_attention(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= ROW_VECTORS) { return; }
  let head = id.x / VECTORS;
  let position = arguments.position + tables[(arguments.record + id.y) * 2u];
  let shares = min(position / PAGE + 1u, MAX_SHARES);
  let first = id.y * arguments.shares;
  var top = -1e30;
  for (var s = 0u; s < shares; s++) {
    top = max(top, logarithms[(first + s) * HEADS + head]);
  }
  var all = 0.0;
  var merged = vec4f();
  for (var s = 0u; s < shares; s++) {
    let weight = exp(logarithms[(first + s) * HEADS + head] - top);
    all += weight;
    merged += weight * partial[(first + s) * ROW_VECTORS + id.x];
  }
  attended[id.y * ROW_VECTORS + id.x] = merged / all;
}
