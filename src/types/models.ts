/**
 * `infetch/models`: types of `runtime.models`, `runtime.deployments` and `runtime.support()`, and of the options
 * `models`, `embeddings`, `llamacpp`, `hub` and `upstream`. There is nothing to import at run time.
 *
 * @example
 * import type { SupportReport } from "infetch/models";
 *
 * @module
 */
export type { Deployments } from "../deployments.ts";
export type { LoadOptions, Models } from "../models.ts";
export type { EmbeddingOptions, HubOptions, LlamaCppOptions } from "../options/option-groups.ts";
export type { Deployment, DeploymentRequest } from "../protocol/deployments.ts";
export type { CachedModel, ModelVerification, StorageReport, UnloadOptions } from "../protocol/models.ts";
export type {
  EmbeddingModelOption,
  FolderModelOption,
  ModelManifest,
  ModelOption,
} from "../protocol/own-models.ts";
export type { Parallel } from "../protocol/parallel.ts";
export type { ModelSupport, SupportReport } from "../protocol/support.ts";
export type { UpstreamModel, UpstreamOptions } from "../protocol/upstream.ts";
