/** Names of hub models with a revision: what they mean, and which are refused. */

import { expect, test } from "vitest";
import { aliasesOf } from "../../../worker/catalog/aliases.ts";
import { embeddingRecord } from "../../../worker/catalog/embeddings/embedding-models.ts";
import { namedEmbeddings } from "../../../worker/catalog/embeddings/named-embeddings.ts";
import { isHubName, parseHubName } from "../../../worker/catalog/hub/hub-name.ts";
import { hubNameError } from "../../../worker/catalog/hub/hub-name-errors.ts";
import { hubRecord } from "../../../worker/catalog/hub.ts";
import { addressesOf } from "../../../worker/catalog/model-addresses.ts";
import { findOptionFault } from "../../../worker/catalog/own-models/check-options.ts";
import { sizeClassOf } from "../../../worker/usage/billing/prices/size-class.ts";

const HUB = "https://hub.test/";
const manifest = { libraries: "https://l.test/", models: { m: { memoryMB: { q4f16_1: 1 } } } };

test.each([
  ["org/model", "org/model", "main"],
  ["org/model@v1.0", "org/model", "v1.0"],
  ["org/model@feature/x", "org/model", "feature/x"],
  ["org/model@refs/pr/3", "org/model", "refs/pr/3"],
  ["org/model@release@2", "org/model", "release@2"],
  ["org/model@größe", "org/model", "größe"],
  [`org/model@${"a".repeat(40)}`, "org/model", "a".repeat(40)],
])("%s is %s at %s", (name, repository, revision) => {
  expect(parseHubName(name)).toEqual({ repository, revision });
});

test.each(["infetch-tiny", "gpt-4o", "a/b/c", "user@host/path", "org/two words", "@cf/meta/llama"])(
  "%s is no hub name",
  (name) => {
    expect([isHubName(name), hubNameError(name), parseHubName(name)]).toEqual([false, undefined, undefined]);
  },
);

const HOSTILE = [
  "org/model@",
  "org/model@..",
  "org/model@../../other/model",
  "org/model@a/../b",
  "org/model@/main",
  "org/model@main/",
  "org/model@a//b",
  "org/model@.git",
  "org/model@a/.b",
  "org/model@a.lock",
  "org/model@a b",
  "org/model@a\nb",
  "org/model@a\u0000",
  "org/model@a\\b",
  "org/model@a?token=1",
  "org/model@a:b",
  "org/model@a~1",
  "org/model@a@{1}",
  "org/model@\ud800",
  `org/model@${"a".repeat(251)}`,
  "../model@main",
  "org/..",
  "org/model?x",
  "org/model#x",
  "org/mod%2fel",
  "org/model:Q4_K_M",
];

test.each(HOSTILE)("%j is refused", (name) => {
  expect(hubNameError(name)).toMatch(/revision|hub name/);
  expect(hubRecord(name, HUB, "m.gguf", manifest)).toBeUndefined();
  expect(findOptionFault({ models: [{ kind: "embedding", id: "mine", hubId: name }] }, [])).toMatch(
    /^models: .*\.$/s,
  );
});

test("an MLC build is found by its own name only", () => {
  for (const name of ["m-q4f32_1", "m", "constructor-q4f16_1", "toString-q4f16_1", "m-q4f16_1-MLC"])
    expect(hubRecord(`mlc-ai/${name}-MLC`, HUB, undefined, manifest), name).toBeUndefined();
  expect(hubRecord("acme/m-q4f16_1-MLC", HUB, undefined, manifest)).toBeUndefined();
});

test("each kind of model is taken from its revision, whose files are cached apart", () => {
  const revision = "feature/x";
  const folder = "https://hub.test/mlc-ai/m-q4f16_1-MLC/resolve/feature%2Fx/";
  for (const [name, file] of [["mlc-ai/m-q4f16_1-MLC"], ["mlc-ai/m-q4f16_1-MLC", "m.gguf"]] as const) {
    const record = hubRecord(`${name}@${revision}`, HUB, file, manifest)!;
    if (record.kind !== "chat") throw new Error("It is a chat model.");
    const build = record.builds.webllm ?? record.builds.llamacpp!;
    expect(build).toMatchObject({ sourceURL: folder, cacheURL: folder, hub: { repository: name, revision } });
    expect(record).toMatchObject({ id: `${name}@${revision}`, baseModel: name });
    expect(addressesOf(record).folders).toEqual([folder]);
  }
  const embedding = hubRecord(`acme/e@${revision}`, HUB, undefined, manifest)!;
  expect(embedding).toMatchObject({
    embedding: { sourceURL: "https://hub.test/acme/e/resolve/feature%2Fx/", version: revision },
  });
  const [apart] = addressesOf(embedding).folders;
  const [main] = addressesOf(hubRecord("acme/e", HUB, undefined, manifest)!).folders;
  expect([apart, main]).toEqual([
    "https://infetch.invalid/acme/e@feature%2Fx/",
    "https://infetch.invalid/acme/e/",
  ]);
  expect(hubRecord("acme/e@main", HUB, undefined, manifest)).toEqual(
    hubRecord("acme/e", HUB, undefined, manifest),
  );
});

test("a row of models takes a revision with the name or apart, not both", () => {
  const sourceURL = "https://hub.test/org/e/resolve/v2/";
  expect(embeddingRecord({ id: "mine", hubId: "org/e@v2" }, HUB, 0).embedding.sourceURL).toBe(sourceURL);
  expect(embeddingRecord({ id: "mine", hubId: "org/e", revision: "v2" }, HUB, 0).embedding.sourceURL).toBe(
    sourceURL,
  );
  expect(embeddingRecord({ id: "gpt2" }, HUB, 0).embedding.sourceURL).toBe(
    "https://hub.test/gpt2/resolve/main/",
  );
  const faultOf = (hubId: string, revision?: string) =>
    findOptionFault(
      { models: [{ kind: "embedding", id: "mine", hubId, ...(revision ? { revision } : {}) }] },
      [],
    );
  expect(faultOf("org/e@v2", "v3")).toMatch(/names a revision, and so does the field 'revision'/);
  expect(faultOf("org/e", "../x")).toMatch(/the name of a branch or tag, or a commit, not "\.\.\/x"/);
  expect(faultOf("a model")).toMatch(/is named '<org>\/<model>'/);
  expect(faultOf("a/b/c")).toMatch(/is named '<org>\/<model>'/);
  expect([faultOf("org/e@v2"), faultOf("org/e", "v2"), faultOf("gpt2"), faultOf("gpt2@a/b")]).toEqual(
    Array(4).fill(undefined),
  );
});

test("the rules of a hub model in the options hold for its other revisions", () => {
  const { findAtHub } = namedEmbeddings(
    [{ kind: "embedding", id: "org/e", pooling: "cls", revision: "v2" }],
    HUB,
    0,
  );
  expect(findAtHub("org/e")?.embedding).toMatchObject({ pooling: "cls", version: "v2" });
  expect(findAtHub("org/e@v3")?.embedding).toMatchObject({ pooling: "cls", version: "v3" });
  expect(findAtHub("org/other")).toBeUndefined();
});

test("a revision has the price of its repository", () => {
  const names = aliasesOf([{ id: "infetch-e", baseModel: "org/e" } as never]);
  expect(names("org/e@v1")).toEqual(["org/e", "infetch-e"]);
  expect(sizeClassOf("org/model-1b@v70b", "text-output-tokens")).toBe("*chat-1b");
});

test.each(["org/model-GGUF:Q4_K_M", "org/model:latest@main"])(
  "%s: the 'file' of a deployment is named",
  (name) => {
    expect(hubNameError(name)).toContain("the option 'file' of a deployment");
  },
);
