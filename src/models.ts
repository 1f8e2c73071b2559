import type { Connection } from "./port/connection.ts";
import { abortable } from "./protocol/abortable.ts";
import type { CachedModel, ModelVerification, StorageReport, UnloadOptions } from "./protocol/models.ts";
import { createRpcClient } from "./rpc-client.ts";

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

export function createModels(connect: () => Promise<Connection>): Models {
  const group = createRpcClient(connect, "models");
  return {
    ...group,
    async load(model, { signal } = {}) {
      if (!signal) return group.load(model);
      // Rejects on abort even if no server ever answers.
      signal.throwIfAborted();
      await abortable(connect(), signal);
      signal.throwIfAborted();
      const cancel = (): void => void group.cancel(model).catch(() => {});
      signal.addEventListener("abort", cancel);
      try {
        return await group.load(model);
      } catch (error) {
        signal.throwIfAborted();
        throw error;
      } finally {
        signal.removeEventListener("abort", cancel);
      }
    },
  };
}
