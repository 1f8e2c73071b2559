/** GGUF files of the hub: which kind of model a name suggests, and what loads show. */

import { expect, test } from "vitest";
import { embeddingRecord } from "../../../worker/catalog/embeddings/embedding-models.ts";
import { GgufKinds } from "../../../worker/catalog/gguf-kinds.ts";
import { hubRecord } from "../../../worker/catalog/hub.ts";
import { addressesOf } from "../../../worker/catalog/model-addresses.ts";
import { asKind } from "../../../worker/catalog/model-record.ts";
import { findListFault } from "../../../worker/catalog/own-models/check-options.ts";
import { recordOf } from "../../../worker/catalog/own-models/manifest.ts";
import { EngineError } from "../../../worker/engine-api/engine-error.ts";
import { chooseWeights } from "../../../worker/engine-api/gguf-name.ts";

const HUB = "https://hub.test/";
const NO_MODELS = { libraries: "", models: {} };

test.each([
  ["nomic-ai/nomic-embed-text-v1.5-GGUF", "nomic-embed-text-v1.5.Q8_0.gguf", "embedding"],
  ["CompendiumLabs/bge-small-en-v1.5-gguf", "bge-small-en-v1.5-q8_0.gguf", "embedding"],
  ["someone/models", "all-MiniLM-L6-v2-Q8_0.gguf", "embedding"],
  ["bartowski/SmolLM2-360M-Instruct-GGUF", "SmolLM2-360M-Instruct-Q4_K_M.gguf", "chat"],
  ["EmbeddedLLM/any-GGUF", "any.gguf", "chat"],
])("%s with %s is taken for a model of the kind %s until it is loaded", (name, file, kind) => {
  const record = hubRecord(name, HUB, file, NO_MODELS)!;
  expect(record.kind).toBe(kind);
  expect(asKind(record, "chat")?.builds.llamacpp?.parts).toEqual([{ name: file, bytes: 0 }]);
  expect(asKind(record, "embedding")?.embedding.gguf?.parts).toEqual([{ name: file, bytes: 0 }]);
  expect(addressesOf(record).folders).toEqual([`${HUB}${name}/resolve/main/`]);
});

test("a load that gives a model, or refuses the other kind, settles what the file is", async () => {
  const kinds = new GgufKinds();
  const find = (file: string) => hubRecord("acme/any-GGUF", HUB, file, NO_MODELS, kinds)!;
  const filesOf = (file: string) => asKind(find(file), "chat")!.builds.llamacpp!;
  const refusal = new EngineError("model_not_found", "an embedding model");
  const refused = kinds.learn(filesOf("a.gguf"), "chat", Promise.reject(refusal));
  await expect(refused).rejects.toBe(refusal);
  await kinds.learn(filesOf("b.gguf"), "chat", Promise.resolve({}));
  const failed = kinds.learn(filesOf("c.gguf"), "chat", Promise.reject(new Error("no network")));
  await expect(failed).rejects.toThrow("no network");
  expect(["a", "b", "c"].map((name) => find(`${name}.gguf`))).toMatchObject([
    { kind: "embedding" },
    { kind: "chat" },
    { kind: "chat", otherwise: { kind: "embedding" } },
  ]);
  expect(find("a.gguf").otherwise).toBeUndefined();
  expect(find("b.gguf").otherwise).toBeUndefined();
});

test("without a file, only a repository named as an embedding model has one chosen", () => {
  expect(hubRecord("Qwen/Qwen3-Embedding-0.6B-GGUF", HUB, undefined, NO_MODELS)).toMatchObject({
    kind: "embedding",
    embedding: { gguf: { parts: [] }, knownRules: { pooling: "last_token" } },
  });
  expect(hubRecord("acme/chat-GGUF", HUB, undefined, NO_MODELS)).toBeUndefined();
  expect(hubRecord("EmbeddedLLM/any-GGUF", HUB, undefined, NO_MODELS)).toBeUndefined();
});

test.each([
  [["m-Q4_K_M.gguf", "m-Q8_0.gguf", "m-f16.gguf"], "m-Q8_0.gguf"],
  [["README.md", "m-bf16.gguf", "m-f16.gguf"], "m-f16.gguf"],
  [
    ["mmproj-Q8_0.gguf", "m-Q8_0-00002-of-00002.gguf", "m-Q8_0-00001-of-00002.gguf"],
    "m-Q8_0-00001-of-00002.gguf",
  ],
  [["m-Q2_K.gguf"], "m-Q2_K.gguf"],
  [["imatrix_unsloth.gguf", "m-Q6_K.gguf", "m.imatrix.gguf"], "m-Q6_K.gguf"],
  [["model.onnx"], undefined],
])("of %j, %s is chosen", (names, chosen) => {
  expect(chooseWeights(names.map((name) => ({ name })))?.name).toBe(chosen);
});

test("a row of the options names a file beside a repository or a folder", () => {
  const ofHub = embeddingRecord({ id: "mine", hubId: "acme/m@v1", file: "m.gguf" }, HUB, 0);
  expect(ofHub.embedding).toMatchObject({
    hub: { repository: "acme/m", revision: "v1" },
    gguf: { sourceURL: `${HUB}acme/m/resolve/v1/`, parts: [{ name: "m.gguf" }] },
  });
  const own = embeddingRecord({ id: "own", url: "https://a.test/m/", file: "m.gguf" }, HUB, 0);
  expect(own.embedding.gguf).toMatchObject({ sourceURL: "https://a.test/m/" });
  expect(own.embedding.gguf?.hub).toBeUndefined();
  expect(own.embedding.gguf?.cacheURL.startsWith(addressesOf(own).folders[0]!)).toBe(true);
  expect(embeddingRecord({ id: "acme/m" }, HUB, 0).embedding.gguf).toBeUndefined();
});

test.each(["m.onnx", "../m.gguf", 7])("the file %j of a row is refused", (file) => {
  const models = [{ kind: "embedding", id: "mine", hubId: "acme/m", file }];
  expect(findListFault({ models } as never, [])).toContain("models[0].file must be the path of a .gguf file");
});

test("a manifest of the kind embedding with a GGUF file runs in llama.cpp", () => {
  const file = { name: "m-Q8_0.gguf", bytes: 5, sha256: "a".repeat(64) };
  const source = { id: "mine", sourceURL: "https://a.test/m/", version: "v", created: 0 };
  const text = (files: object[]) => JSON.stringify({ infetch: 1, kind: "embedding", files });
  const record = asKind(recordOf(text([file]), source), "embedding")!;
  expect(record.embedding.gguf?.parts).toEqual([file]);
  const both = recordOf(text([file, { ...file, name: "onnx/model.onnx" }]), source);
  expect(asKind(both, "embedding")?.embedding.gguf).toBeUndefined();
});
