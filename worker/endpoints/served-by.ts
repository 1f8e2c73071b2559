/** Engine and device of a model for usage and events. Getters keep the last value after an unload. */

import type { RequestEngine } from "../../src/protocol/events.ts";
import type { CatalogRecord } from "../catalog/model-record.ts";
import type { EmbeddingService } from "../engines/embeddings/embedding-service.ts";
import type { EngineSupervisor } from "../engines/scheduling/supervisor.ts";

interface Engines {
  engines: EngineSupervisor;
  embeddings: EmbeddingService;
}

/** Returns a getter for the engine's name. */
export function engineOf(
  { id, kind }: CatalogRecord,
  { engines, embeddings }: Engines,
): () => RequestEngine | undefined {
  let known: RequestEngine | undefined;
  return () => {
    const vectors = embeddings.info(id);
    const ofVectors = vectors && (vectors.engine ?? "transformers");
    known = (kind === "chat" ? engines.loaded(id)?.info.engine : ofVectors) ?? known;
    return known;
  };
}

/**
 * Returns a getter for the device of its invoice lines: the adapter name, `wasm`, or "" before the model is first
 * loaded.
 */
export function gpuTypeOf({ id, kind }: CatalogRecord, { engines, embeddings }: Engines): () => string {
  let known = "";
  return () => {
    const vectors = embeddings.info(id);
    const device = kind === "chat" ? engines.loaded(id)?.info.device : (vectors?.gpu ?? vectors?.device);
    known = device?.replace(/^webgpu: /, "").replace(/^wasm\b.*/, "wasm") ?? known;
    return known;
  };
}
