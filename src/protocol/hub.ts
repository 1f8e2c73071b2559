/** Options of the server about the hub and the embedding models. */

/** Access to the hub. */
export interface HubServerOptions {
  /** Sent to the hub only. */
  token?: string;
  /** Absolute URL of the folder with web-llm's model libraries, with a trailing slash. */
  librariesURL?: string;
}

/** Embedding settings of the server. */
export interface EmbeddingServerOptions {
  /** Absolute URL of the folder with the ONNX Runtime files, with a trailing slash. */
  runtimeURL: string;
  /** Absolute base URL of the hub, with a trailing slash. */
  hubURL: string;
  device: "auto" | "webgpu" | "wasm";
  models: readonly EmbeddingModelOption[];
}

/** An embedding model beyond the catalogue's. Omitted fields are read from the model's own files. */
export interface EmbeddingModelOption {
  /**
   * Value of `model` in requests: a unique name of your own. A hub identifier (`<org>/<name>`) is accepted for
   * batches and deployments only; otherwise choose a name and set `hubId`.
   */
  id: string;
  /** Hub identifier, if `id` is a name of your own. */
  hubId?: string;
  /** Branch, tag or commit on the hub. @default "main" */
  revision?: string;
  /** Folder with the model's files, with a trailing slash; used instead of the hub. */
  sourceURL?: string;
  /** How token vectors are pooled. @default the model's `1_Pooling/config.json`, else that of a well-known model of its name */
  pooling?: "mean" | "cls" | "last_token";
  /** Whether vectors are normalized to unit length. @default whether `modules.json` has a Normalize module */
  normalize?: boolean;
  /** Text prefixes, selected by the request's `input_type`. @default `config_sentence_transformers.json` */
  prefixes?: { query: string; document: string };
  /** Maximum tokens per input. @default the lowest limit in the model's files */
  maxTokens?: number;
  /** Minimum `dimensions` of a request, for Matryoshka models. @default none */
  shortestDimensions?: number;
  /** Weight formats to try, in order of preference. */
  dtypes?: Partial<Record<"webgpu" | "wasm", readonly ("fp32" | "fp16" | "q8" | "q4" | "q4f16")[]>>;
}
