import type { Clock } from "../../worker/clock.ts";
import { ItemCache } from "../../worker/endpoints/responses/item-cache.ts";
import type { EmbeddingEngine } from "../../worker/engine-api/embedding-engine.ts";
import type { EmbeddingModel } from "../../worker/engine-api/embedding-model.ts";
import { EmbeddingService } from "../../worker/engines/embeddings/embedding-service.ts";
import { EngineSupervisor } from "../../worker/engines/scheduling/supervisor.ts";
import { ReplyCaches } from "../../worker/prompt/reply-cache.ts";
import { FakeEmbeddingEngine } from "../fakes/fake-embedding-engine.ts";
import { fakeLoadImage } from "../fakes/fake-image-loader.ts";

/** What an app needs besides its chat engines, its catalogue and its ledger: fake embeddings and images, empty caches. */
export function fakeServices(
  clock: Clock,
  maxQueued: number,
  startEmbedder = (): EmbeddingEngine => new FakeEmbeddingEngine(),
) {
  const embedders = new EngineSupervisor<EmbeddingEngine, EmbeddingModel>({
    start: async () => startEmbedder(),
    emit: () => {},
    maxQueued,
    clock,
  });
  const items = new ItemCache();
  const replyCaches = new ReplyCaches();
  return {
    embeddings: new EmbeddingService(embedders, maxQueued),
    replyCacheOf: (account: string) => async () => replyCaches.of(account),
    loadImage: fakeLoadImage,
    items: async () => items,
  };
}
