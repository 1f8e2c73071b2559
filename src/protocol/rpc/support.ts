/** Types of the support report. */

/** The engine a model would use in this browser, and why not a faster one. */
export interface ModelSupport {
  /** Model id as used in requests. */
  id: string;
  /** Null if no engine supports it here, or if its manifest has not been read. */
  engine: "webllm" | "llamacpp" | "transformers" | "upstream" | null;
  /** Where that engine runs; null for `upstream`, or without an engine. */
  device: "webgpu" | "wasm" | null;
  /**
   * Why no faster engine or 16-bit build is used, or no engine at all, for example `no navigator.gpu`, `no WebGPU adapter`,
   * `WebGPU did not answer`, `adapter lacks shader-f16`, `maxStorageBuffersPerShaderStage 8 < 10`, `no JSPI`,
   * `no 64-bit memory`, `no build for WebGPU`, `WebGPU on the processor`, `its options say so`. Null if the first choice is used.
   */
  reason: string | null;
}

/** Capabilities of workers on this origin. Detecting them downloads nothing. */
export interface SupportReport {
  /** WebGPU in workers. */
  webgpu: {
    /** Whether a WebGPU adapter exists; `models` says whether it suits each model. */
    available: boolean;
    /** Why no adapter is available. */
    reason: string | null;
    /** Vendor, architecture and description, as reported by the browser. */
    adapter: string | null;
    /** Whether WebGPU runs on the CPU; embeddings are then faster in WASM. */
    isSoftware: boolean;
    /** Names of the adapter's features, sorted. */
    features: string[];
    /** WebGPU limits relevant to models. */
    limits: Record<string, number>;
  };
  /** WebAssembly in workers. */
  wasm: {
    /** Whether there is WebAssembly at all. */
    available: boolean;
    /** 64-bit memory (over 4 GB). Without it, llama.cpp uses its slower compatible build. */
    memory64: boolean;
    /** Requires a cross-origin isolated page. */
    threads: boolean;
    /** Maximum threads per engine. */
    cores: number;
  };
  /** Storage for model files. */
  storage: {
    /** Origin private file system, from which model files are read in chunks; without it they are held in memory. */
    privateFiles: boolean;
    /** Storage estimates; without them, oversized downloads are not rejected in advance. */
    estimate: boolean;
  };
  /** Every model of `GET /v1/models`. */
  models: ModelSupport[];
}
