/** Where requests go that this device does not answer itself: types only. */

/** An OpenAI-compatible server, for example vLLM on a cluster. Without this option nothing leaves the page. */
export interface UpstreamOptions {
  /** Its base address with the version, for example `https://gpu.example/v1`. It must allow the page's origin. */
  baseURL: string | URL;
  /** Sent to it as bearer token, and to nobody else. The page's own keys are never sent. */
  apiKey: string;
  /**
   * The names that are forwarded. `"*"` stands for every other name that nothing here answers to, and for models
   * that this device cannot run.
   */
  models: "*" | readonly (string | UpstreamModel)[];
}

/** A model of the upstream: by its own name, or by one that pages use in its place. */
export interface UpstreamModel {
  /** What requests pass as `model`. */
  id: string;
  /** What the upstream calls it. @default `id` */
  model?: string;
}
