import type { Runtime } from "infetch";
import type OpenAI from "openai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startRuntime } from "../support/runtime.ts";

let runtime: Runtime;
let openai: OpenAI;

beforeAll(async () => {
  ({ runtime, openai } = await startRuntime());
});

afterAll(() => runtime.close());

test("an unmodified SDK streams a reply that web-llm computes", async () => {
  const phases = new Set<string>();
  const off = runtime.on("progress", (event) => phases.add(event.phase));
  const stream = await openai.chat.completions.create({
    model: "infetch-tiny",
    messages: [{ role: "user", content: "Hello!" }],
    temperature: 0,
    max_tokens: 60,
    stream: true,
    stream_options: { include_usage: true },
  });
  let text = "";
  let usage: OpenAI.CompletionUsage | null | undefined;
  for await (const chunk of stream) {
    text += chunk.choices[0]?.delta.content ?? "";
    usage = chunk.usage;
  }
  off();
  expect(text.length).toBeGreaterThan(5);
  expect(usage?.total_tokens).toBe(usage!.prompt_tokens + usage!.completion_tokens);
  expect([...phases]).toEqual(["download", "compile", "ready"]);
});
