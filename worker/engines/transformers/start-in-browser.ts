/** {@link startEmbeddingEngine} with the browser's workers and GPU; loaded lazily with the first model. */

import type { EmbeddingEngine } from "../api/embedding-engine.ts";
import type { EmbeddingModel } from "../api/embedding-model.ts";
import { isSoftwareAdapter } from "../api/gpu.ts";
import { findAdapter } from "../api/gpu-adapter.ts";
import { RemoteEmbeddingEngine } from "../embeddings/remote-embedding-engine.ts";
import type { StartContext } from "../scheduling/start-engine.ts";
import { type EmbeddingStart, startEmbeddingEngine } from "./start-embedding-engine.ts";

export function startInBrowser(
  start: Omit<EmbeddingStart, "hasHardwareGpu" | "startWorker">,
  model: EmbeddingModel,
  context: StartContext,
): Promise<EmbeddingEngine> {
  const browser = {
    hasHardwareGpu: async () => {
      const found = await findAdapter();
      return !("reason" in found) && !isSoftwareAdapter(found);
    },
    startWorker: RemoteEmbeddingEngine.start,
  };
  return startEmbeddingEngine({ ...start, ...browser }, model, context);
}
