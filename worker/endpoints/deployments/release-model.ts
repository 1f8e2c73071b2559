import type { CatalogRecord } from "../../catalog/model-record.ts";
import type { Services } from "../endpoint.ts";

/**
 * Ends the engine of a model that nobody can name any more: requests that run on it, or wait for it, come to their
 * end first.
 */
export async function releaseModel(
  { engines, embeddings }: Pick<Services, "engines" | "embeddings">,
  { id, kind }: CatalogRecord,
): Promise<void> {
  if (kind === "embedding") return embeddings.retire(id);
  // A full queue lets nobody in: then what runs ends with `engine_lost`.
  const turn = await engines
    .queue(id)
    .enter(new AbortController().signal)
    .catch(() => undefined);
  await engines.unload(id);
  turn?.release();
}
