/** Adapters without `shader-f16` get the 32-bit build of the same name. */

import { prebuiltAppConfig } from "@mlc-ai/web-llm";
import { expect, test } from "vitest";
import { prebuiltModels } from "../../../scripts/build/prebuilt-models.ts";
import { Catalog } from "../../../worker/catalog/catalog.ts";
import { catalogueChatModels } from "../../../worker/catalog/chat/chat-models.ts";
import { rememberAdapter } from "../../../worker/catalog/chat/device-build.ts";
import { Deployments } from "../../../worker/catalog/deployments/deployments.ts";
import { addressesOf } from "../../../worker/catalog/model-addresses.ts";
import type { CatalogRecord, ChatModelRecord } from "../../../worker/catalog/model-record.ts";
import { toModelObject } from "../../../worker/endpoints/models/handler.ts";
import { memoryStore } from "../../fakes/memory-deployments.ts";

const HUB = "https://hub.test/";
const models = catalogueChatModels(HUB, prebuiltModels());
const adapter = (...features: string[]) => ({ features: new Set(features) }) as unknown as GPUAdapter;
const withF16 = adapter("shader-f16");
const without = adapter();

const catalogOn = (found: GPUAdapter, deployments: () => readonly CatalogRecord[] = () => []) =>
  new Catalog(models, { adapter: () => Promise.resolve(found), deployments });
const complete = async (catalog: Catalog, id: string) =>
  (await catalog.complete(catalog.find(id)!)) as ChatModelRecord;

test("every model whose list has a 32-bit build runs without shader-f16, with that build's memory", async () => {
  const rows = new Map(prebuiltAppConfig.model_list.map((row) => [`mlc-ai/${row.model_id}`, row]));
  const alone: string[] = [];
  for (const { id, baseModel } of models) {
    const repository = baseModel!.replace("f16", "f32");
    const row = rows.get(repository);
    const model = await complete(catalogOn(without), id);
    if (!row) {
      alone.push(id);
      expect(model.builds.webllm?.features).toEqual(["shader-f16"]);
      continue;
    }
    const memoryBytes = Math.round(row.vram_required_MB!) * 1e6;
    expect(model).toMatchObject({
      id,
      baseModel: repository,
      memoryBytes,
      builds: {
        webllm: {
          features: [],
          library: row.model_lib,
          sourceURL: `${HUB}${repository}/resolve/main/`,
          cacheURL: `${HUB}${repository}/resolve/main/`,
          hub: { repository },
          insteadBecause: "adapter lacks shader-f16",
        },
      },
    });
    expect(toModelObject(model).infetch).toMatchObject({ features: [], memory_bytes: memoryBytes });
  }
  expect(alone).toEqual(["infetch-gemma-3-1b"]);
});

test("an adapter with shader-f16 gets the first choice", async () => {
  for (const { id } of models)
    expect(await complete(catalogOn(withF16), id)).toBe(models.find((model) => model.id === id));
});

test("a deployment of the name gets it too, with its own settings", async () => {
  const deployments = await Deployments.open(memoryStore(), (name) => models.find(({ id }) => id === name));
  const settings = { file: null, engine: null, keepLoaded: false, created: 1 };
  await deployments.add({ name: "mine", model: "infetch-qwen3-0.6b", contextWindow: 512, ...settings });
  const mine = await complete(
    catalogOn(without, () => deployments.records()),
    "mine",
  );
  expect(mine.baseModel).toBe("mlc-ai/Qwen3-0.6B-q4f32_1-MLC");
  expect(mine.builds.webllm).toMatchObject({ contextWindow: 512 });
});

test("files of both builds belong to the model", () => {
  const { folders, shared } = addressesOf(models.find(({ id }) => id === "infetch-qwen3-0.6b")!);
  for (const name of ["mlc-ai/Qwen3-0.6B-q4f16_1-MLC/", "mlc-ai/Qwen3-0.6B-q4f32_1-MLC/"])
    expect(folders).toContain(`${HUB}${name}resolve/main/`);
  expect(shared).toHaveLength(2);
});

test("the adapter is asked for until there is one", async () => {
  let asked = 0;
  const find = rememberAdapter(async () =>
    ++asked < 2 ? { reason: "no WebGPU adapter", message: "" } : without,
  );
  for (const expected of ["reason", "features", "features"]) expect(await find()).toHaveProperty(expected);
  expect(asked).toBe(2);
});
