import type { CatalogRecord } from "../../catalog/model-record.ts";
import type { Services } from "../endpoint.ts";

/**
 * Terminates the engine of a deleted model after its running and queued requests.
 */
export async function releaseModel(
  { engines, embeddings }: Pick<Services, "engines" | "embeddings">,
  { id, kind }: CatalogRecord,
): Promise<void> {
  if (kind === "embedding") return embeddings.retire(id);
  // It comes last, after requests that arrived before the deletion and are not in the queue yet.
  const turn = await engines.queue(id).drain(true);
  await engines.forget(id);
  turn.release();
}
