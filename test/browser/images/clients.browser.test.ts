/** Pictures from unmodified SDKs to the built-in model that sees: what it says is what was drawn. */

import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { HumanMessage } from "@langchain/core/messages";
import { ChatOpenAI } from "@langchain/openai";
import { Agent, OpenAIChatCompletionsModel, OpenAIResponsesModel, Runner } from "@openai/agents";
import { generateText, streamText } from "ai";
import type { Runtime } from "infetch";
import type OpenAI from "openai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startRuntime } from "../support/runtime.ts";

const model = "infetch-tiny-vision";
const QUESTION = "What shape is this?";

interface Picture {
  url: string;
  bytes: Uint8Array;
  answer: string;
}

let runtime: Runtime;
let openai: OpenAI;
let circle: Picture;
let square: Picture;

async function picture(answer: string, draw: (context: OffscreenCanvasRenderingContext2D) => void) {
  const canvas = new OffscreenCanvas(96, 96);
  const context = canvas.getContext("2d")!;
  context.fillStyle = "white";
  context.fillRect(0, 0, 96, 96);
  draw(context);
  const blob = await canvas.convertToBlob({ type: "image/png" });
  const bytes = new Uint8Array(await blob.arrayBuffer());
  return { answer, bytes, url: `data:image/png;base64,${btoa(String.fromCharCode(...bytes))}` };
}

beforeAll(async () => {
  ({ runtime, openai } = await startRuntime());
  circle = await picture("circle", (context) => {
    context.fillStyle = "rgb(215 35 35)";
    context.arc(46, 50, 28, 0, 2 * Math.PI);
    context.fill();
  });
  square = await picture("square", (context) => {
    context.fillStyle = "rgb(40 70 220)";
    context.fillRect(24, 20, 44, 44);
  });
});
afterAll(() => runtime.close());

test("openai: chat completions and Responses, whole and streamed", async () => {
  for (const { url, answer } of [circle, square]) {
    const content: OpenAI.ChatCompletionContentPart[] = [
      { type: "text", text: QUESTION },
      { type: "image_url", image_url: { url, detail: "high" } },
    ];
    const body = { model, messages: [{ role: "user" as const, content }], temperature: 0 };
    const whole = await openai.chat.completions.create(body);
    expect(whole.choices[0]?.message.content).toBe(answer);
    const streamed = await openai.chat.completions.stream(body).finalContent();
    expect(streamed).toBe(answer);
    const input: OpenAI.Responses.ResponseInput = [
      {
        role: "user",
        content: [
          { type: "input_text", text: QUESTION },
          { type: "input_image", image_url: url, detail: "auto" },
        ],
      },
    ];
    const response = await openai.responses.create({ model, input, temperature: 0, store: false });
    expect(response.output_text).toBe(answer);
    expect(response.usage?.input_tokens).toBe(whole.usage?.prompt_tokens);
  }
});

test("a second question about a picture finds it in the cache and gets its own answer", async () => {
  const ask = async (text: string) => {
    const { choices, usage } = await openai.chat.completions.create({
      model,
      messages: [
        {
          role: "user",
          content: [
            { type: "image_url", image_url: { url: square.url } },
            { type: "text", text },
          ],
        },
      ],
      temperature: 0,
    });
    return { text: choices[0]?.message.content, cached: usage?.prompt_tokens_details?.cached_tokens ?? 0 };
  };
  expect((await ask(QUESTION)).text).toBe("square");
  const second = await ask("What color is the square?");
  expect(second.text).toBe("blue");
  // All tokens of the picture (`models/tiny-vision/architecture.json`: 8 × 8 patches).
  expect(second.cached).toBeGreaterThanOrEqual(64);
});

test("an address of a server is fetched with `remoteImages` alone", async () => {
  const remote = await startRuntime({ remoteImages: true });
  // What is no image is refused once it is there, before the model loads.
  const { href: url } = new URL("/package/worker/images.js", location.href);
  const content: OpenAI.ChatCompletionContentPart[] = [{ type: "image_url", image_url: { url } }];
  const askOf = (client: OpenAI) =>
    client.chat.completions.create({ model, messages: [{ role: "user", content }] });
  await expect(askOf(openai)).rejects.toMatchObject({ code: "invalid_image_url" });
  await expect(askOf(remote.openai)).rejects.toMatchObject({ code: "invalid_image_format" });
  remote.runtime.close();
});

test("AI SDK: bytes and a data URL, both endpoints, whole and streamed", async () => {
  const { apiKey, baseURL, fetch } = runtime;
  const provider = createOpenAI({ apiKey, baseURL, fetch });
  const compatible = createOpenAICompatible({ name: "infetch", apiKey, baseURL, fetch });
  for (const of of [provider.chat(model), provider.responses(model), compatible(model)]) {
    for (const image of [circle.bytes, circle.url]) {
      const messages = [
        {
          role: "user" as const,
          content: [
            { type: "text" as const, text: QUESTION },
            { type: "image" as const, image },
          ],
        },
      ];
      expect((await generateText({ model: of, messages, temperature: 0 })).text).toBe("circle");
      expect(await streamText({ model: of, messages, temperature: 0 }).text).toBe("circle");
    }
  }
});

test("LangChain: both kinds of image parts", async () => {
  const { apiKey, baseURL, fetch } = runtime;
  const chat = new ChatOpenAI({
    model,
    apiKey,
    configuration: { baseURL, fetch },
    maxRetries: 0,
    temperature: 0,
  });
  for (const part of [
    { type: "image_url", image_url: { url: square.url } },
    { type: "image", source_type: "base64", mime_type: "image/png", data: square.url.split(",")[1]! },
  ]) {
    const reply = await chat.invoke([
      new HumanMessage({ content: [{ type: "text", text: QUESTION }, part] }),
    ]);
    expect(reply.content).toBe("square");
  }
});

test("Agents SDK: both endpoints", async () => {
  for (const Model of [OpenAIChatCompletionsModel, OpenAIResponsesModel]) {
    const agent = new Agent({
      name: "eyes",
      model: new Model(openai as never, model),
      modelSettings: { temperature: 0 },
    });
    const { finalOutput } = await new Runner({ tracingDisabled: true }).run(agent, [
      {
        role: "user",
        content: [
          { type: "input_text", text: QUESTION },
          { type: "input_image", image: circle.url },
        ],
      },
    ]);
    expect(finalOutput).toBe("circle");
  }
});
