/**
 * `infetch/models`: types of `runtime.models`, `runtime.deployments` and `runtime.support()`, and of the options
 * `models`, `embeddings`, `llamacpp`, `hub` and `upstream`. There is nothing to import at run time.
 *
 * @example
 * import type { SupportReport } from "infetch/models";
 *
 * @module
 */

import type { CreatedDeployment, Deployment, DeploymentRequest } from "../protocol/rpc/deployments.ts";
import type { CachedModel, ModelVerification, StorageReport, UnloadOptions } from "../protocol/rpc/models.ts";

export type { EmbeddingOptions, HubOptions, LlamaCppOptions } from "../options/option-groups.ts";
export type {
  EmbeddingModelOption,
  FolderModelOption,
  ModelManifest,
  ModelOption,
} from "../protocol/options/own-models.ts";
export type { UpstreamModel, UpstreamOptions } from "../protocol/options/upstream.ts";
export type { Parallel } from "../protocol/parallel.ts";
export type { CreatedDeployment, Deployment, DeploymentRequest } from "../protocol/rpc/deployments.ts";
export type { CachedModel, ModelVerification, StorageReport, UnloadOptions } from "../protocol/rpc/models.ts";
export type { ModelSupport, SupportReport } from "../protocol/rpc/support.ts";

/** Options of {@link Models.load}. */
export interface LoadOptions {
  /** Cancels the load when it aborts. @default none */
  signal?: AbortSignal;
}

/** Models on this device. Calls reject with a {@link ModelLoadError}; see its `code`. */
export interface Models {
  /**
   * Loads a model before its first request; resolves when it is ready. Aborting the signal cancels the load for every
   * waiting caller; downloaded bytes are kept, and the next load resumes from them. Rejects with the signal's reason if it
   * aborts, with `load_cancelled` if another caller cancels.
   */
  load(model: string, options?: LoadOptions): Promise<void>;
  /**
   * Frees a model's memory by terminating its engine, once the requests that run or wait have ended (embeddings are
   * repeated instead). Resolves when it is free; later requests reload the model. Cancels a load in progress.
   */
  unload(model: string, options?: UnloadOptions): Promise<void>;
  /** Cancels all loads of a model; waiting callers reject with `load_cancelled`. */
  cancel(model: string): Promise<void>;
  /** Lists the models with files in browser storage. */
  cached(): Promise<CachedModel[]>;
  /** Deletes all stored files of a model and cancels its loads. A loaded model keeps working until it is unloaded. */
  delete(model: string): Promise<void>;
  /** Re-reads all stored files of a model and checks their hashes; corrupt files are removed. */
  verify(model: string): Promise<ModelVerification>;
  /** Reports the storage quota and its usage. */
  storage(): Promise<StorageReport>;
}

/** Models under your own names and settings. Failed calls reject with an {@link InfetchError}; see its `code`. */
export interface Deployments {
  /**
   * Creates one. Rejects with `deployment_exists`, `model_not_found`, `unsupported_engine`, or the code of an invalid
   * value.
   */
  create(request: DeploymentRequest): Promise<CreatedDeployment>;
  /** Lists all, oldest first. */
  list(): Promise<Deployment[]>;
  /** Returns one. Rejects with `deployment_not_found`. */
  get(name: string): Promise<Deployment>;
  /**
   * Removes the name at once, and resolves when its requests have ended and its memory is free. Rejects with
   * `deployment_not_found`.
   */
  delete(name: string): Promise<void>;
}
