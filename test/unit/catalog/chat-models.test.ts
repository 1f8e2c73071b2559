import { expect, test } from "vitest";
import { prebuiltModels } from "../../../scripts/build/prebuilt-models.ts";
import { catalogueChatModels } from "../../../worker/catalog/chat/chat-models.ts";
import { hubRecord } from "../../../worker/catalog/hub.ts";
import { toModelObject } from "../../../worker/endpoints/models/handler.ts";
import { chooseEngine } from "../../../worker/engines/chat/choose-engine.ts";
import { recommendedSampling } from "../../../worker/generation/sampling-defaults.ts";
import { chooseFamily } from "../../../worker/tools/families/choose-family.ts";

const HUB = "https://hub.test/";
const manifest = prebuiltModels();

test("every chat model of the catalogue is one that web-llm has a library for", () => {
  const models = catalogueChatModels(HUB, manifest);
  expect(models.length).toBeGreaterThanOrEqual(36);
  for (const { id, baseModel, builds, contextWindow, memoryBytes } of models) {
    expect(id).toMatch(/^infetch-[a-z0-9.-]+$/);
    expect(builds.webllm?.sourceURL).toBe(`${HUB}${baseModel}/resolve/main/`);
    expect(builds.webllm?.library).toMatch(/^https:\/\/.+\/v0_2_\d+\/base\/.+-webgpu\.wasm$/);
    expect(builds.webllm?.memoryAt).toEqual({ contextWindow, bytes: memoryBytes });
    expect(memoryBytes).toBeGreaterThan(100_000_000);
  }
  expect(new Set(models.map(({ id }) => id)).size).toBe(models.length);
});

test("small models go on without WebGPU: a K-quant of the same weights", () => {
  const both = catalogueChatModels(HUB, manifest).filter(({ builds }) => builds.llamacpp);
  expect(both.length).toBeGreaterThanOrEqual(18);
  for (const { builds, baseModel } of both) {
    const { sourceURL, parts } = builds.llamacpp!;
    expect(
      chooseEngine(
        { id: "any", builds },
        { gpuFault: { reason: "no adapter", message: "None." }, losses: 0 },
      ),
    ).toBe("llamacpp");
    expect(chooseEngine({ id: "any", builds }, { gpuFault: undefined, losses: 0 })).toBe("webllm");
    expect(sourceURL).toMatch(/^https:\/\/hub\.test\/.+-GGUF\/resolve\/main\/$/);
    const [file] = parts;
    expect(file?.name).toMatch(/q4_k_m\.gguf$/i);
    const weights = /^mlc-ai\/(.+?)(-BF16)?-q[04]f16(_1)?-MLC$/.exec(baseModel!)![1]!;
    expect(lettersOf(file!.name)).toBe(`${lettersOf(weights)}q4kmgguf`);
  }
});

function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}

test("abilities and recommended sampling are known before a load; the model's files come first", () => {
  const model = catalogueChatModels(HUB, manifest).find(({ id }) => id === "infetch-gemma-3-1b")!;
  expect(toModelObject(model).infetch).toMatchObject({
    abilities: { tools: false, json: true, reasoning: false, vision: false },
    recommended_sampling: { top_p: 0.95, top_k: 64 },
  });
  const info = { recommendedSampling: { temperature: 1, topP: 0.9 } };
  expect(recommendedSampling(model, info)).toEqual({ temperature: 1, topP: 0.9, topK: 64 });
  expect(recommendedSampling({}, info)).toEqual(info.recommendedSampling);
});

test("a model's conventions are told by what it is a form of, not by its name here", () => {
  const families = Object.fromEntries(
    catalogueChatModels(HUB, manifest).map((model) => [
      model.id,
      chooseFamily({ id: model.baseModel! }).name,
    ]),
  );
  expect(families["infetch-llama-3.2-1b"]).toBe(chooseFamily({ id: "Llama-3" }).name);
  expect(families["infetch-hermes-3-3b"]).toBe(chooseFamily({ id: "Hermes-3" }).name);
  expect(families["infetch-gemma-2-2b"]).toBe(chooseFamily({ id: "gemma" }).name);
});

test("what a model of the hub is run by is told by its name", () => {
  const gguf = hubRecord("org/Some-GGUF", HUB, "some-Q4_K_M.gguf", manifest);
  expect(gguf).toMatchObject({
    kind: "chat",
    builds: { llamacpp: { parts: [{ name: "some-Q4_K_M.gguf" }] } },
  });
  expect(hubRecord("Xenova/gte-small", HUB, undefined, manifest)?.kind).toBe("embedding");
  expect(hubRecord("org/Some-GGUF", HUB, undefined, manifest)).toBeUndefined();
  expect(hubRecord("mlc-ai/Nothing-MLC", HUB, undefined, manifest)).toBeUndefined();
  expect(hubRecord("no-slash", HUB, undefined, manifest)).toBeUndefined();
});
