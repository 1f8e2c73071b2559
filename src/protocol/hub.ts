/** Options of the server about the hub and the embedding engine. */

/** Access to the hub. */
export interface HubServerOptions {
  /** Absolute base URL, with a trailing slash. */
  url: string;
  /** Sent to the hub only. */
  token?: string;
  /** Absolute URL of the folder with web-llm's model libraries, with a trailing slash. */
  librariesURL?: string;
}

/** Settings of the embedding engine. */
export interface EmbeddingServerOptions {
  /** Absolute URL of the folder with the ONNX Runtime files, with a trailing slash. */
  runtimeURL: string;
  device: "auto" | "webgpu" | "wasm";
}
