/** The dimensions of a model (`architecture.json`) and the constants derived from them. */

export interface Architecture {
  /** Width of the residual stream. */
  hidden: number;
  layers: number;
  heads: number;
  /** Key/value heads; each serves `heads / kvHeads` query heads. */
  kvHeads: number;
  headDim: number;
  /** Width of the feed-forward part. */
  intermediate: number;
  /** Rows of the embedding table, which is also the number of logits. */
  vocab: number;
  ropeTheta: number;
  rmsEps: number;
  /** Whether the output embedding is the token embedding; otherwise there is a parameter `lm_head.weight`. */
  tiedEmbedding: boolean;
  /** Maximum context in tokens; a model's config may set a shorter one. */
  contextWindow: number;
  /** Maximum number of tokens in a forward pass. */
  prefillChunk: number;
}

export interface Parameter {
  name: string;
  shape: number[];
}

/** Positions in a page of the KV cache: what web-llm asks for, and what MLC's own libraries have. */
export const PAGE = 16;
/** Most shares that attention over one sequence is split into for one token. */
export const MAX_SHARES = 32;
/** Most sequences in one forward pass. */
export const MAX_BATCH = 8;

const WHOLE_NUMBERS = [
  "hidden",
  "layers",
  "heads",
  "kvHeads",
  "headDim",
  "intermediate",
  "vocab",
  "contextWindow",
  "prefillChunk",
] as const;

/** @throws {Error} that names the first dimension the kernels do not support */
export function validateArchitecture(architecture: Architecture): void {
  for (const name of WHOLE_NUMBERS) {
    const value = architecture[name];
    if (!Number.isInteger(value) || value < 1)
      throw new Error(`architecture: ${name} must be a positive whole number, not ${value}`);
  }
  const { heads, kvHeads, rmsEps, ropeTheta } = architecture;
  for (const name of ["hidden", "intermediate", "headDim"] as const) {
    if (architecture[name] % 8 !== 0)
      throw new Error(`architecture: ${name} must be a multiple of 8, the width of a kernel's tile`);
  }
  const rules: [boolean, string][] = [
    [heads % kvHeads === 0, "heads must be a multiple of kvHeads: each key/value head serves equally many"],
    [rmsEps > 0 && ropeTheta > 0, "rmsEps and ropeTheta must be positive"],
  ];
  for (const [holds, message] of rules) if (!holds) throw new Error(`architecture: ${message}`);
}

/** All weights in the order that the library expects, named as in a Llama checkpoint in MLC's layout. */
export function listParameters(architecture: Architecture): Parameter[] {
  const { hidden, layers, heads, kvHeads, headDim, intermediate, vocab, tiedEmbedding } = architecture;
  const parameters: Parameter[] = [{ name: "model.embed_tokens.weight", shape: [vocab, hidden] }];
  for (let layer = 0; layer < layers; layer++) {
    const prefix = `model.layers.${layer}`;
    parameters.push(
      { name: `${prefix}.input_layernorm.weight`, shape: [hidden] },
      { name: `${prefix}.self_attn.qkv_proj.weight`, shape: [(heads + 2 * kvHeads) * headDim, hidden] },
      { name: `${prefix}.self_attn.o_proj.weight`, shape: [hidden, heads * headDim] },
      { name: `${prefix}.post_attention_layernorm.weight`, shape: [hidden] },
      { name: `${prefix}.mlp.gate_up_proj.weight`, shape: [2 * intermediate, hidden] },
      { name: `${prefix}.mlp.down_proj.weight`, shape: [hidden, intermediate] },
    );
  }
  parameters.push({ name: "model.norm.weight", shape: [hidden] });
  if (!tiedEmbedding) parameters.push({ name: "lm_head.weight", shape: [vocab, hidden] });
  return parameters;
}

/** Index of each role in `listParameters`, as constants for the library. */
export function parameterConstants(architecture: Architecture): Record<string, number> {
  const perLayer = 6;
  const finalNorm = 1 + architecture.layers * perLayer;
  return {
    PARAMETER_EMBEDDING: 0,
    PARAMETER_FIRST_LAYER: 1,
    PARAMETERS_PER_LAYER: perLayer,
    PARAMETER_INPUT_NORM: 0,
    PARAMETER_QKV: 1,
    PARAMETER_OUTPUT: 2,
    PARAMETER_POST_NORM: 3,
    PARAMETER_GATE_UP: 4,
    PARAMETER_DOWN: 5,
    PARAMETER_FINAL_NORM: finalNorm,
    PARAMETER_HEAD: architecture.tiedEmbedding ? 0 : finalNorm + 1,
  };
}

/** The integer dimensions and the layout of the cache, under the names that kernels and library use. */
export function dimensionConstants(architecture: Architecture): Record<string, number> {
  return {
    HIDDEN: architecture.hidden,
    LAYERS: architecture.layers,
    HEADS: architecture.heads,
    KV_HEADS: architecture.kvHeads,
    HEAD_DIM: architecture.headDim,
    INTERMEDIATE: architecture.intermediate,
    VOCABULARY: architecture.vocab,
    PAGE,
    MAX_SHARES,
  };
}

/** The metadata that web-llm reads with `_metadata`. */
export function describeModel(architecture: Architecture): string {
  return JSON.stringify({
    model_type: "llama",
    quantization: "q0f32",
    context_window_size: architecture.contextWindow,
    prefill_chunk_size: architecture.prefillChunk,
    max_batch_size: MAX_BATCH,
    kv_state_kind: "kv_cache",
    params: listParameters(architecture).map(({ name, shape }) => ({ name, shape, dtype: "float32" })),
  });
}
