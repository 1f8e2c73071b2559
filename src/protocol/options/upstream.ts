/** Types for forwarding requests to another server. */

/** An OpenAI-compatible server, for example vLLM on a cluster. Without this option no request leaves the page. */
export interface UpstreamOptions {
  /** Base URL with version, for example `https://gpu.example/v1`. The server must allow the page's origin (CORS). */
  baseURL: string | URL;
  /** Bearer token, sent only to this server. The page's own keys are never sent. */
  apiKey: string;
  /** Model names to forward. `"*"` forwards every locally unknown name, and models that this device cannot run. */
  models: "*" | readonly (string | UpstreamModel)[];
}

/** A model of the upstream, optionally under another name. */
export interface UpstreamModel {
  /** Value of `model` in requests. */
  id: string;
  /** Model name sent to the upstream. @default `id` */
  model?: string;
}
