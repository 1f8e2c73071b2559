/** RPC types for deployments. */

import type { Parallel } from "../parallel.ts";
import type { Result } from "./result.ts";

/** A deployment to create: a model with custom settings, addressed by its own name (tier `dedicated`). */
export interface DeploymentRequest {
  /**
   * Value of `model` in requests: 1 to 64 letters, digits, `.`, `_` and `-`, of which the first is a letter or a digit; must
   * not start with `infetch-`.
   */
  name: string;
  /** Catalogue id, or on the hub `<org>/<model>`, with a branch, tag or commit `<org>/<model>@<revision>`. */
  model: string;
  /** File to run, `….gguf`, for a GGUF repository. */
  file?: string;
  /**
   * With `file`: the file of the repository that turns images into tokens (`mmproj-….gguf`), for a GGUF model that takes them; `"auto"`
   * chooses it. @default none: requests with images are a 400
   */
  projector?: string;
  /**
   * Tokens of prompt and reply together, up to the model's own limit: memory for them is reserved when it loads, and a
   * load that cannot is refused with the largest that fits. @default the largest that fits, up to 8,192
   */
  contextWindow?: number;
  /** As {@link RuntimeOptions.parallel}, for this model. @default the runtime's option */
  parallel?: Parallel;
  /** Selects an engine. @default the best one that this device supports */
  engine?: "webllm" | "llamacpp" | "transformers";
  /** Loads the model now and whenever the runtime starts, and never evicts it. @default false */
  keepLoaded?: boolean;
  /**
   * `generic`: tools are described as JSON in Qwen's format to a chat model whose template has none; the model was not
   * trained on it. @default requests with tools are a 400
   */
  tools?: "generic";
  /** As {@link RuntimeOptions.samplingDefaults}, for this model. @default the runtime's option */
  samplingDefaults?: "api" | "model";
  /** As {@link RuntimeOptions.parseSpecialTokens}, for this model. @default the runtime's option */
  parseSpecialTokens?: boolean;
}

/** A stored deployment. Its optional fields are absent in those that an earlier version stored, and then mean null. */
export interface Deployment {
  /** Value of `model` in requests. */
  name: string;
  /** Catalogue or hub id of the model. */
  model: string;
  /** Null unless the model is a GGUF repository. */
  file: string | null;
  /** Null: it takes no images. */
  projector?: string | null;
  /** As requested; null for the default. */
  contextWindow: number | null;
  /** Null: the best one that this device supports. */
  engine: "webllm" | "llamacpp" | "transformers" | null;
  /** Whether it is loaded when the runtime starts, and never evicted. */
  keepLoaded: boolean;
  /** Null: only the template's own tools. */
  tools?: "generic" | null;
  /** Null: the runtime's option. */
  samplingDefaults?: "api" | "model" | null;
  /** Null: the runtime's option. */
  parseSpecialTokens?: boolean | null;
  /** Null: the runtime's option. */
  parallel?: Parallel | null;
  /** RFC 3339. */
  createdAt: string;
}

/** A deployment that was just created. */
export interface CreatedDeployment extends Deployment {
  /**
   * Present while IndexedDB cannot be read: the deployment is stored as soon as it can, and until then ends with the
   * server; `message` is for people.
   */
  warning?: { code: "deployment_not_stored"; message: string };
}

/** Errors have the same `code` as the HTTP API. */
export interface DeploymentsEndpoint {
  /** Error codes: `deployment_exists`, `model_not_found`, `unsupported_engine`, and those for invalid values. */
  create(request: DeploymentRequest): Promise<Result<CreatedDeployment>>;
  /** Lists all deployments, oldest first. */
  list(): Promise<Result<Deployment[]>>;
  /** Error code: `deployment_not_found`. */
  get(name: string): Promise<Result<Deployment>>;
  /**
   * New requests for the name fail at once. Resolves when running requests have ended and the memory is free. Error
   * code: `deployment_not_found`.
   */
  delete(name: string): Promise<Result<void>>;
}
