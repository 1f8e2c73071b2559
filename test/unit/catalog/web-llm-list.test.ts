/** The catalogue against the list of the installed web-llm: nothing invented, nothing forgotten. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type ModelRecord, prebuiltAppConfig } from "@mlc-ai/web-llm";
import { describe, expect, test } from "vitest";
import { prebuiltModels } from "../../../scripts/build/prebuilt-models.ts";
import { chatModelTable } from "../../../scripts/reference/chat-models.ts";
import { CHAT_MODELS } from "../../../worker/catalog/chat/chat-model-rows.ts";
import { catalogueChatModels } from "../../../worker/catalog/chat/chat-models.ts";
import { hubRecord } from "../../../worker/catalog/hub.ts";

const HUB = "https://hub.test/";
const manifest = prebuiltModels();
const EMBEDDING = 1;

/** Chat models of web-llm's list that have no catalogue name. All but the first can be deployed by their hub name. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  "Phi-3.5-vision-instruct": "takes images, which llama.cpp alone does here",
  "Ministral-3-3B-Base-2512": "base model, not trained on chats",
  "phi-2": "base model, not trained on chats",
  "phi-1_5": "base model, not trained on chats",
  "RedPajama-INCITE-Chat-3B-v1": "older than chat templates",
  "Llama-3.1-70B-Instruct": "31 GB of GPU memory",
  "Llama-3-70B-Instruct": "31 GB of GPU memory",
  "Llama-2-13b-chat-hf": "12 GB of GPU memory; replaced by Llama 3",
  "Llama-2-7b-chat-hf": "replaced by Llama 3",
  "gemma-2b-it": "replaced by Gemma 2",
  "Phi-3-mini-4k-instruct": "replaced by Phi 3.5",
  "Mistral-7B-Instruct-v0.2": "replaced by v0.3",
  "TinyLlama-1.1B-Chat-v0.4": "replaced by v1.0",
  "Qwen2-0.5B-Instruct": "replaced by Qwen2.5",
  "Qwen2-1.5B-Instruct": "replaced by Qwen2.5",
  "Qwen2-7B-Instruct": "replaced by Qwen2.5",
  "Qwen2-Math-1.5B-Instruct": "mathematics only",
  "Qwen2-Math-7B-Instruct": "mathematics only",
  "Qwen2.5-Math-1.5B-Instruct": "mathematics only",
  "WizardMath-7B-V1.1": "mathematics only",
  "Hermes-2-Theta-Llama-3-8B": "replaced by Hermes 3",
  "Hermes-2-Pro-Mistral-7B": "replaced by Hermes 3",
  "OpenHermes-2.5-Mistral-7B": "replaced by Hermes 3",
  "NeuralHermes-2.5-Mistral-7B": "replaced by Hermes 3",
};

const chat = prebuiltAppConfig.model_list.filter(({ model_type }) => model_type !== EMBEDDING);
const repositoryOf = ({ model }: ModelRecord): string => model.replace("https://huggingface.co/", "");
const nameOf = (listed: ModelRecord): string => repositoryOf(listed).replace(/^mlc-ai\/(.+?)-q\df.*$/, "$1");

test("every chat model of the list has a catalogue name or a reason why not", () => {
  const listed = new Set(chat.map(nameOf));
  const catalogue = Object.values(CHAT_MODELS).map(({ mlc }) => mlc);
  expect(new Set(catalogue).size).toBe(catalogue.length);
  expect([...listed].sort()).toEqual([...catalogue, ...Object.keys(LEFT_OUT)].sort());
});

describe("what the list says of a model is what runs here", () => {
  const text = chat.filter(({ model_type, model_id }) => !model_type && !model_id.endsWith("-1k"));

  test.each(text.map((listed) => [listed.model_id, listed] as const))("%s", (_, listed) => {
    const record = hubRecord(repositoryOf(listed), HUB, undefined, manifest);
    if (record?.kind !== "chat") throw new Error("It is missing.");
    const { model_lib, overrides, vram_required_MB, buffer_size_required_bytes, required_features } = listed;
    const { context_window_size: contextWindow = 4096, ...rest } = { ...overrides };
    const { webllm } = record.builds;
    expect(webllm).toMatchObject({ library: model_lib, memoryAt: { contextWindow } });
    expect(webllm?.overrides ?? {}).toEqual(rest);
    expect(webllm?.bufferBytes).toBe(buffer_size_required_bytes);
    expect(webllm?.features).toEqual(expect.arrayContaining(required_features ?? []));
    expect(record.memoryBytes).toBe(Math.round(vram_required_MB!) * 1e6);
  });

  test("and every catalogue name is one of its builds", () => {
    const repositories = new Set(text.map(repositoryOf));
    for (const { id, baseModel } of catalogueChatModels(HUB, manifest))
      expect(repositories, id).toContain(baseModel);
  });
});

test("the table of the guide is current (npm run reference)", () => {
  const guide = readFileSync(join(import.meta.dirname, "../../../docs/models.md"), "utf8");
  expect(guide).toContain(`\n\n${chatModelTable()}\n\n`);
});
