import { expect, test } from "vitest";
import { prebuiltModels } from "../../../scripts/prebuilt-models.ts";
import { catalogueChatModels } from "../../../worker/catalog/chat-models.ts";
import { hubRecord } from "../../../worker/catalog/hub.ts";
import { chooseEngine } from "../../../worker/engines/chat/choose-engine.ts";
import { chooseFamily } from "../../../worker/tools/families/choose-family.ts";

const HUB = "https://hub.test/";
const manifest = prebuiltModels();

test("every chat model of the catalogue is one that web-llm has a library for", () => {
  const models = catalogueChatModels(HUB, manifest);
  expect(models.length).toBeGreaterThanOrEqual(12);
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
  expect(both.length).toBeGreaterThanOrEqual(6);
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
    const weights = /^mlc-ai\/(.+)-q4f16_1-MLC$/.exec(baseModel!)![1]!.toLowerCase();
    expect(file?.name.toLowerCase()).toBe(`${weights}-q4_k_m.gguf`);
  }
});

test("the small list tells the same as web-llm's own", async () => {
  const { prebuiltAppConfig } = await import("@mlc-ai/web-llm");
  const listed = prebuiltAppConfig.model_list.filter(
    ({ model_id, model_type }) => !model_type && !model_id.endsWith("-1k"),
  );
  expect(listed.length).toBeGreaterThan(100);
  for (const { model_id, model_lib, overrides } of listed) {
    const record = hubRecord(`mlc-ai/${model_id}`, HUB, undefined, manifest);
    if (record?.kind !== "chat") throw new Error(`${model_id} is missing`);
    const { context_window_size: contextWindow = 4096, ...rest } = { ...overrides };
    const { webllm } = record.builds;
    expect(webllm).toMatchObject({ library: model_lib, memoryAt: { contextWindow } });
    expect(webllm?.overrides ?? {}).toEqual(rest);
  }
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
