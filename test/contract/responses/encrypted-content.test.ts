/** `include: ["reasoning.encrypted_content"]`, with which clients send thoughts back although nothing is stored. */

import { createOpenAI } from "@ai-sdk/openai";
import { generateText, jsonSchema, stepCountIs, streamText, tool } from "ai";
import { expect, test, vi } from "vitest";
import {
  fromEncryptedContent,
  toEncryptedContent,
} from "../../../worker/endpoints/responses/encrypted-content.ts";
import { readResponse, readResponseStream } from "../../support/response-stream.ts";
import { appWith, tools } from "../../support/template-app.ts";
import { plain } from "../../support/test-app.ts";

const PATH = "/v1/responses";
const THOUGHT = "I should look. 🙂";
const RAW = `<think>\n${THOUGHT}\n</think>\n\n<tool_call>\n{"name": "weather", "arguments": {"city": "Paris"}}\n</tool_call>`;
const include = ["reasoning.encrypted_content"];
const request = {
  model: plain.id,
  input: "Weather in Paris?",
  tools: [{ type: "function", ...tools[0]!.function }],
};

test.each([undefined, "auto"])(
  "it is sent if requested, whole and streamed alike; summary: %s",
  async (summary) => {
    const { post } = await appWith("thinking", RAW);
    const reasoning = { summary };
    const without = await readResponse(await post(PATH, { ...request, reasoning }));
    expect(without.output[0]).not.toHaveProperty("encrypted_content");
    const { output } = await readResponse(await post(PATH, { ...request, reasoning, include }));
    expect(output[0]).toMatchObject({ type: "reasoning", encrypted_content: toEncryptedContent(THOUGHT) });
    const events = await readResponseStream(
      await post(PATH, { ...request, reasoning, include, stream: true }),
    );
    const items = events.flatMap((event) => ("item" in event && event.output_index === 0 ? [event] : []));
    expect(
      items.map(({ type, item }) => [type, "encrypted_content" in item && item.encrypted_content]),
    ).toEqual([
      ["response.output_item.added", false],
      ["response.output_item.done", toEncryptedContent(THOUGHT)],
    ]);
  },
);

test.each([
  ["generateText", undefined],
  ["generateText", "auto"],
  ["streamText", undefined],
  ["streamText", "auto"],
])("the AI SDK's %s with store: false sends the thought back; summary: %s", async (way, reasoningSummary) => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  const { app, apiKey, engine } = await appWith("thinking", RAW);
  const fetch: typeof globalThis.fetch = (input, init) => app.fetch(new Request(input, init));
  const options = {
    model: createOpenAI({ apiKey, baseURL: "https://app.test/v1", fetch }).responses(plain.id),
    prompt: "Weather in Paris?",
    stopWhen: stepCountIs(2),
    providerOptions: {
      openai: { store: false, forceReasoning: true, ...(reasoningSummary ? { reasoningSummary } : {}) },
    },
    tools: {
      weather: tool({
        inputSchema: jsonSchema({ type: "object", properties: { city: { type: "string" } } }),
        execute: async () => "Sunny",
      }),
    },
  };
  if (way === "generateText") await generateText(options);
  else await streamText(options).consumeStream();
  expect(engine.requests).toHaveLength(2);
  expect(engine.requests[1]?.prompt).toContain(`<think>\n${THOUGHT}\n</think>`);
  expect(warn).not.toHaveBeenCalled();
  warn.mockRestore();
});

test.each(["gAAAAABo", "infetch.***", "infetch.", ""])(
  "what was not written here, %j, is no thought",
  (content) => {
    expect(fromEncryptedContent(content)).toBe("");
  },
);

test("a long thought with half a character is opened as it was, but for that half", () => {
  const thought = "\ufeff🙂ü\0".repeat(100_000);
  expect(fromEncryptedContent(toEncryptedContent(thought))).toBe(thought);
  expect(fromEncryptedContent(toEncryptedContent("a\ud83d"))).toBe("a\ufffd");
});
