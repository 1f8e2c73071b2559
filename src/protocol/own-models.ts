/** Types for your own models, given by URL. */

/** A model in a folder on any static host, described by the manifest in that folder. */
export interface ModelOption {
  /** Value of `model` in requests. Must not be a catalogue id or contain `/`. */
  id: string;
  /** Folder with the model's files and its `infetch-model.json`. Relative URLs resolve against the document. */
  url: string | URL;
  /**
   * Hexadecimal SHA-256 of `infetch-model.json`. The manifest contains the hashes of all other files, so this rejects
   * any change on the host.
   */
  sha256?: string;
  /**
   * Tokens of prompt and reply together to reserve memory for; refused if they do not fit. @default the largest that
   * fits, up to 8,192 and the manifest's `contextWindow`
   */
  contextWindow?: number;
}

/** `infetch-model.json`: describes a model and all its files. `dist/model-manifest.js` generates it for a folder. */
export interface ModelManifest {
  /** Version of the file format. */
  infetch: 1;
  kind: "chat" | "embedding";
  /** All files that may be used; others in the folder are ignored. */
  files: { name: string; bytes: number; sha256: string }[];
  /** Unix seconds. */
  created?: number;
  ownedBy?: string;
  licence?: string;
  /** Base model, for example `Qwen/Qwen3-0.6B`; determines the tool-calling format. */
  baseModel?: string;
  /** The model's limit: tokens of prompt and reply together, or of one input of an embedding model. */
  contextWindow?: number;
  /** Prompt lines that enable and disable thinking, and the delimiters around it in the output. */
  reasoning?: { line: string; offLine?: string; open: string; close: string };
  /** `generic`: tools are described as JSON if the model's template has none. @default requests with tools are a 400 */
  tools?: "generic";
  /** Whose sampling defaults apply. @default the runtime's option */
  samplingDefaults?: "api" | "model";
  /** Whether special tokens that messages spell out are read as such. @default the runtime's option */
  parseSpecialTokens?: boolean;
  /** Library file in the folder, for MLC builds. @default "model-library.wasm" */
  library?: string;
  /** For embedding models. Omitted fields are read from the model's own files. */
  embedding?: {
    pooling?: "mean" | "cls" | "last_token";
    normalize?: boolean;
    prefixes?: { query: string; document: string };
    shortestDimensions?: number;
    dtypes?: Partial<Record<"webgpu" | "wasm", ("fp32" | "fp16" | "q8" | "q4" | "q4f16")[]>>;
  };
}
