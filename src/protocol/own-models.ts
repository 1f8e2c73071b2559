/** Models of one's own, by address: types only. */

/** A model in a folder that any static host serves. What it is, its manifest there tells. */
export interface ModelOption {
  /** What requests pass as `model`: no name of the catalogue, and no `/`. */
  id: string;
  /** The folder with the files and their `infetch-model.json`. Relative addresses resolve against the document. */
  url: string | URL;
  /**
   * Hexadecimal SHA-256 of `infetch-model.json`. The manifest has the hashes of all other files: with this one,
   * nothing that the host changes is ever used.
   */
  sha256?: string;
}

/** `infetch-model.json`: what a model is, and every file of it. `dist/model-manifest.js` writes it for a folder. */
export interface ModelManifest {
  /** The form of this file. */
  infetch: 1;
  kind: "chat" | "embedding";
  /** Every file that may be used; others in the folder are not there. */
  files: { name: string; bytes: number; sha256: string }[];
  /** Unix seconds. */
  created?: number;
  ownedBy?: string;
  licence?: string;
  /** Whose form it is, for example `Qwen/Qwen3-0.6B`: it tells the convention for tools. */
  baseModel?: string;
  /** Tokens that prompt and reply share, or of one input of an embedding model. */
  contextWindow?: number;
  /** How thinking is asked for, forbidden, and told from the reply. */
  reasoning?: { line: string; offLine?: string; open: string; close: string };
  /** Of an MLC build: its library, a file of the folder. @default "model-library.wasm" */
  library?: string;
  /** Of an embedding model; what is left out is read from its own files. */
  embedding?: {
    pooling?: "mean" | "cls" | "last_token";
    normalize?: boolean;
    prefixes?: { query: string; document: string };
    shortestDimensions?: number;
    dtypes?: Partial<Record<"webgpu" | "wasm", ("fp32" | "fp16" | "q8" | "q4" | "q4f16")[]>>;
  };
}
