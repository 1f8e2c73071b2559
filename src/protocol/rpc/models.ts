/** RPC types for the models on a device. */

import type { Result } from "./result.ts";
import type { SupportReport } from "./support.ts";

/** Stored files of one model. */
export interface CachedModel {
  /** Id as used in requests, or the hub id if no current model refers to these files. */
  model: string;
  /** Bytes of complete files. */
  bytes: number;
  /** Bytes of interrupted downloads; the next load resumes from them. */
  partialBytes: number;
  /** Number of complete files. */
  files: number;
  /** Whether the model loads offline. */
  complete: boolean;
  /**
   * Tokens of earlier prompts and replies that the loaded model and its deployments keep for later prompts, in the
   * memory of their KV cache. They give way to requests. Absent while none is loaded; 0 for llama.cpp, which does not
   * tell.
   */
  retainedTokens?: number;
}

/** Result of verifying a model's stored files. */
export interface ModelVerification {
  /** Id as given. */
  model: string;
  /** Number of files read. */
  files: number;
  /** Names of corrupt files. They have been removed, and the next load downloads them again. */
  broken: string[];
}

/** Storage quota of this origin, and its usage. */
export interface StorageReport {
  /** Bytes that this origin may store; null if unknown. */
  quotaBytes: number | null;
  /** Bytes that this origin uses, for any purpose; null if unknown. */
  usageBytes: number | null;
  /** If false, the browser may evict everything under storage pressure. */
  persisted: boolean;
  /** The models with stored files. */
  models: CachedModel[];
}

/** When `unload()` ends a model's engine. */
export interface UnloadOptions {
  /** Ends the engine at once: text generation in progress fails with `engine_lost`. @default false */
  force?: boolean;
}

/** Errors have the same `code` as the HTTP API. */
export interface ModelsEndpoint {
  /** Loads a model before its first request. */
  load(model: string): Promise<Result<void>>;
  /** Frees a model's memory once its pending requests have ended; the next request reloads it. */
  unload(model: string, options?: UnloadOptions): Promise<Result<void>>;
  /** Cancels all loads of a model, for every caller; downloaded bytes are kept. */
  cancel(model: string): Promise<Result<void>>;
  /** Lists the models with stored files. */
  cached(): Promise<Result<CachedModel[]>>;
  /** Deletes all stored files of a model and cancels its loads; a loaded model stays in memory. */
  delete(model: string): Promise<Result<void>>;
  /** Re-reads the stored files of a model and checks their hashes. */
  verify(model: string): Promise<Result<ModelVerification>>;
  /** Reports the storage quota and its usage. */
  storage(): Promise<Result<StorageReport>>;
  /** Reports the browser's capabilities, and the engine each model would use. */
  support(): Promise<Result<SupportReport>>;
}
