import { prefillTokens } from "./memory/prefill-tokens.ts";

export interface InstanceOptions {
  /** Folder of the built assets, with a trailing slash. */
  assetsURL: string;
  contextWindow: number;
  /** Must be 1 without cross-origin isolation. */
  threads: number;
  /** Precision of the KV cache: f16 halves its memory. */
  cacheType: "f32" | "f16";
  /** Whether WebGPU computes instead of WebAssembly. */
  onGPU: boolean;
  /** The projector, if the model takes images. */
  projector?: Blob | undefined;
  /** Larger images are scaled down. @default the projector's own limit */
  maxImageTokens?: number | undefined;
  /** Makes vectors in place of text. */
  embedding?: EmbeddingParameters | undefined;
}

/** How an instance makes vectors. */
export interface EmbeddingParameters {
  /** By llama.cpp's names. */
  pooling: "mean" | "cls" | "last";
  /** Tokens that are computed at once. Where each attends to all others, that has to be a whole input. */
  batchTokens: number;
}

/** llama.cpp's way to say "all". */
const ALL_LAYERS = 99_999;

/** The options of a model as wllama names them. */
export function loadParameters(options: InstanceOptions) {
  const { contextWindow, threads, cacheType, onGPU, projector, maxImageTokens, embedding } = options;
  const tokens = embedding?.batchTokens ?? prefillTokens(onGPU, projector !== undefined);
  return {
    n_ctx: contextWindow,
    n_batch: tokens,
    n_ubatch: tokens,
    n_threads: threads,
    // Requests beyond the available slots never run: use one slot and our own queue.
    n_parallel: 1,
    n_gpu_layers: onGPU ? ALL_LAYERS : 0,
    mmproj_offload: onGPU,
    ...(maxImageTokens === undefined ? {} : { image_max_tokens: maxImageTokens }),
    cache_type_k: cacheType,
    cache_type_v: cacheType,
    flash_attn: false,
    warmup: false,
    ctx_shift: false,
    ...(embedding ? { embeddings: true, pooling_type: embedding.pooling } : {}),
  };
}
