import { expect, test, vi } from "vitest";
import { FakeEmbeddingEngine } from "../../fakes/fake-embedding-engine.ts";
import { embeddingApp, FAKE_MODEL } from "../../support/embedding-app.ts";

test("a model that is retired answers those who wait for it, and only then leaves memory", async () => {
  const engine = new FakeEmbeddingEngine();
  const { post, embeddings } = await embeddingApp(() => engine);
  await post({ model: FAKE_MODEL, input: "loads the model" });
  let batchesBeforeEnd: number | undefined;
  const { dispose } = engine;
  engine.dispose = (reason) => {
    batchesBeforeEnd ??= engine.batches.length;
    dispose.call(engine, reason);
  };
  const embed = vi.spyOn(embeddings, "embed");
  engine.close();
  const running = post({ model: FAKE_MODEL, input: "abc" });
  await expect.poll(() => engine.batches.length).toBe(2);
  const waiting = post({ model: FAKE_MODEL, input: "abcd" });
  await expect.poll(() => embed.mock.calls.length).toBe(2);
  const retired = embeddings.retire(FAKE_MODEL);
  engine.open();
  expect((await Promise.all([running, waiting])).map(({ status }) => status)).toEqual([200, 200]);
  await retired;
  expect(batchesBeforeEnd).toBe(3);
});
