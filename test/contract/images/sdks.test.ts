/** Images as unmodified SDKs send them. */

import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { HumanMessage } from "@langchain/core/messages";
import { ChatOpenAI } from "@langchain/openai";
import { Agent, OpenAIChatCompletionsModel, OpenAIResponsesModel, Runner } from "@openai/agents";
import { generateText } from "ai";
import OpenAI from "openai";
import { expect, test } from "vitest";
import { showImages } from "../../../worker/engine-api/prompt-image.ts";
import { dataURL, imageFile } from "../../support/images/image-files.ts";
import { seeingApp } from "../../support/images/seeing-app.ts";

const bytes = imageFile("quarters.png");
const url = dataURL(bytes);
const model = "seeing";

async function client() {
  const { app, apiKey, engine } = await seeingApp();
  const fetch = (async (input: RequestInfo | URL, init?: RequestInit) =>
    app.fetch(new Request(input, init))) as typeof globalThis.fetch;
  const baseURL = "https://app.test/v1";
  const seen = () => {
    const { prompt, images } = engine.requests.at(-1)!;
    return [showImages(prompt as string).includes("What is this?<image>"), images?.length];
  };
  return { fetch, baseURL, apiKey, seen, openai: new OpenAI({ apiKey, baseURL, fetch, maxRetries: 0 }) };
}

test("openai", async () => {
  const { openai, seen } = await client();
  const content: OpenAI.ChatCompletionContentPart[] = [
    { type: "text", text: "What is this?" },
    { type: "image_url", image_url: { url, detail: "high" } },
  ];
  await openai.chat.completions.create({ model, messages: [{ role: "user", content }] });
  expect(seen()).toEqual([true, 1]);
  await openai.responses.create({
    model,
    store: false,
    input: [
      {
        role: "user",
        content: [
          { type: "input_text", text: "What is this?" },
          { type: "input_image", image_url: url, detail: "auto" },
        ],
      },
    ],
  });
  expect(seen()).toEqual([true, 1]);
});

test("AI SDK, with bytes and with a data URL", async () => {
  const { seen, ...settings } = await client();
  const openai = createOpenAI(settings);
  const compatible = createOpenAICompatible({ name: "infetch", ...settings });
  for (const of of [openai.chat(model), openai.responses(model), compatible(model)]) {
    for (const image of [bytes, url]) {
      await generateText({
        model: of,
        messages: [
          {
            role: "user",
            content: [
              { type: "text", text: "What is this?" },
              { type: "image", image },
            ],
          },
        ],
      });
      expect(seen()).toEqual([true, 1]);
    }
  }
});

test("LangChain", async () => {
  const { seen, apiKey, ...configuration } = await client();
  const chat = new ChatOpenAI({ model, apiKey, configuration, maxRetries: 0 });
  const data = Buffer.from(bytes).toString("base64");
  for (const part of [
    { type: "image_url", image_url: { url } },
    { type: "image", source_type: "base64", mime_type: "image/png", data },
  ]) {
    await chat.invoke([new HumanMessage({ content: [{ type: "text", text: "What is this?" }, part] })]);
    expect(seen()).toEqual([true, 1]);
  }
});

test("Agents SDK, on both endpoints", async () => {
  const { openai, seen } = await client();
  for (const Model of [OpenAIChatCompletionsModel, OpenAIResponsesModel]) {
    const agent = new Agent({ name: "eyes", model: new Model(openai as never, model) });
    const runner = new Runner({ tracingDisabled: true });
    await runner.run(agent, [
      {
        role: "user",
        content: [
          { type: "input_text", text: "What is this?" },
          { type: "input_image", image: url },
        ],
      },
    ]);
    expect(seen()).toEqual([true, 1]);
  }
});
