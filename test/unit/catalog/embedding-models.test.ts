import { expect, test } from "vitest";
import { catalogueEmbeddings, embeddingRecord } from "../../../worker/catalog/embedding-models.ts";

const HUB = "https://hub.test/";

test("a model of the hub lies at its identifier and revision", () => {
  const record = embeddingRecord({ id: "org/name", revision: "v2" }, HUB, 7);
  expect(record).toMatchObject({ id: "org/name", kind: "embedding", created: 7, ownedBy: "org" });
  expect(record.embedding).toMatchObject({
    sourceURL: "https://hub.test/org/name/resolve/v2/",
    version: "v2",
    dtypes: { webgpu: ["fp16", "fp32"], wasm: ["q8", "fp32"] },
  });
  // Fields absent from the record are read from the model's files.
  expect(record.embedding).not.toHaveProperty("pooling");
});

test("a name and an address of one's own", () => {
  const option = { id: "ours", url: "https://app.test/ours/", pooling: "cls" } as const;
  expect(embeddingRecord(option, HUB, 7).embedding).toMatchObject({
    id: "ours",
    sourceURL: "https://app.test/ours/",
    pooling: "cls",
  });
});

test("the catalogue's own have the service's prefix and their rules written out", () => {
  for (const { id, embedding } of catalogueEmbeddings(HUB)) {
    expect(id).toMatch(/^infetch-/);
    expect(embedding.pooling).toMatch(/^(mean|cls)$/);
    expect(embedding.normalize).toBeTypeOf("boolean");
    expect(embedding.maxTokens).toBeGreaterThanOrEqual(128);
    expect(embedding.sourceURL).toMatch(/^https:\/\/hub\.test\/[^/]+\/[^/]+\/resolve\/main\/$/);
  }
});
