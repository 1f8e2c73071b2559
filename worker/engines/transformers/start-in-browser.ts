/** {@link startEmbeddingEngine} with the browser's workers and GPU; loaded lazily with the first model. */

import type { EngineEvent } from "../../../src/protocol/events.ts";
import type { ServerOptions } from "../../../src/protocol/options/server-options.ts";
import type { EmbeddingEngine } from "../../engine-api/embedding-engine.ts";
import type { EmbeddingModel } from "../../engine-api/embedding-model.ts";
import { isSoftwareAdapter } from "../../engine-api/gpu.ts";
import { findAdapter } from "../../engine-api/gpu-adapter.ts";
import { withHubToken } from "../../engine-api/hub-token.ts";
import { RemoteEmbeddingEngine } from "../embeddings/remote-embedding-engine.ts";
import type { StartContext } from "../scheduling/start-engine.ts";
import { startEmbeddingEngine } from "./start-embedding-engine.ts";

interface BrowserServices {
  options: ServerOptions;
  serverLock: string;
  emit(event: EngineEvent): void;
}

export function startInBrowser(
  { options, serverLock, emit }: BrowserServices,
  model: EmbeddingModel,
  context: StartContext,
): Promise<EmbeddingEngine> {
  const { engineURLs, embeddings, hub } = options;
  const reportAs = (state: "fallback" | "note") => (id: string, reason: string) =>
    emit({ type: "engine", model: id, state, reason });
  const start = {
    workerURL: engineURLs.transformers,
    runtimeURL: embeddings.runtimeURL,
    serverLock,
    device: embeddings.device,
    onFallback: reportAs("fallback"),
    onNote: reportAs("note"),
    hasHardwareGpu: async () => {
      const found = await findAdapter();
      return !("reason" in found) && !isSoftwareAdapter(found);
    },
    startWorker: RemoteEmbeddingEngine.start,
  };
  return startEmbeddingEngine(start, withHubToken(model, hub.token), context);
}
