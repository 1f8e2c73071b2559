/**
 * `openai` 7, which `npm install openai` installs. It needs Node 22 and the other SDKs need `openai` 6, so that it is
 * no development dependency.
 */

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type OpenAI from "openai";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { FakeBehaviour } from "../fakes/fake-engine.ts";
import { BatchWorld, until } from "../support/batches/batch-world.ts";
import { chatLine, resultsOf } from "../support/batches/lines.ts";
import { testApp } from "../support/test-app.ts";
import { EmptyFolder } from "./support/empty-folder.ts";

const VERSION = "7.59.0";
const model = "infetch-tiny";
const messages = [{ role: "user" as const, content: "Hi" }];
const parameters = {
  type: "object",
  properties: { a: { type: "string" } },
  required: ["a"],
  additionalProperties: false,
};
const call = '<tool_call>\n{"name": "f", "arguments": {"a": "x"}}\n</tool_call>';

let folder: EmptyFolder;
let Client: typeof OpenAI;
let toFile: typeof import("openai").toFile;

beforeAll(async () => {
  folder = await EmptyFolder.create();
  await folder.type(`npm install openai@${VERSION}`);
  const path = join(folder.path, "node_modules/openai/index.mjs");
  ({ OpenAI: Client, toFile } = await import(/* @vite-ignore */ pathToFileURL(path).href));
});

afterAll(() => folder.remove());

async function client(
  reply: FakeBehaviour["reply"],
  behaviour: Partial<FakeBehaviour> = {},
): Promise<OpenAI> {
  const { app, apiKey } = await testApp({ reply, ...behaviour });
  const fetch = (input: string | URL | Request, init?: RequestInit) => app.fetch(new Request(input, init));
  return new Client({ apiKey, baseURL: "https://app.test/v1", fetch, maxRetries: 0 });
}

test("chats: whole, streamed, parsed, and with tools that the SDK runs", async () => {
  const openai = await client(() => ["Hello", " there"]);
  const whole = await openai.chat.completions.create({ model, messages });
  expect(whole.choices[0]).toMatchObject({ finish_reason: "stop", message: { content: "Hello there" } });
  const stream = openai.chat.completions.stream({ model, messages, stream_options: { include_usage: true } });
  expect((await stream.finalChatCompletion()).choices[0]?.message.content).toBe("Hello there");
  expect(await stream.totalUsage()).toMatchObject({ completion_tokens: 2 });

  const json = await client(() => ['{"a":"x"}']);
  const json_schema = { name: "n", strict: true, schema: parameters };
  const parsed = await json.chat.completions.parse({
    model,
    messages,
    response_format: { type: "json_schema", json_schema },
  });
  expect(parsed.choices[0]?.message.parsed).toEqual({ a: "x" });

  let turns = 0;
  const agent = await client(() => (turns++ === 0 ? [call] : ["done"]));
  const runner = agent.chat.completions.runTools({
    model,
    messages,
    tools: [
      {
        type: "function",
        function: {
          name: "f",
          description: "Gets a.",
          parse: JSON.parse,
          parameters,
          function: ({ a }: { a: string }) => `got ${a}`,
        },
      },
    ],
  });
  expect(await runner.finalContent()).toBe("done");
  expect(runner.messages.find(({ role }) => role === "tool")?.content).toBe("got x");
});

test("responses: whole, streamed, with thoughts and calls, and counted", async () => {
  const openai = await client(() => ["<think>", "hm", "</think>", "Hi", call]);
  const request = {
    model,
    input: "Hi",
    reasoning: { effort: "low", summary: "auto" } as const,
    include: ["reasoning.encrypted_content" as const],
    tools: [{ type: "function" as const, name: "f", parameters, strict: true }],
  };
  const whole = await openai.responses.create(request);
  expect(whole.output_text).toBe("Hi");
  const { output } = await openai.responses.stream(request).finalResponse();
  expect(output.map(({ type }) => type)).toEqual(["reasoning", "message", "function_call"]);
  expect(output.at(-1)).toMatchObject({ arguments: '{"a": "x"}', parsed_arguments: { a: "x" } });
  const { input_tokens } = await openai.responses.inputTokens.count({ model, input: "Hi" });
  expect(input_tokens).toBeGreaterThan(0);
});

test("text completions, embeddings and models", async () => {
  const openai = await client(() => ["Hi"]);
  expect((await openai.completions.create({ model, prompt: "x" })).choices[0]?.text).toBe("Hi");
  const { data } = await openai.embeddings.create({ model: "infetch-tiny-embed", input: ["a", "b"] });
  expect(data.map(({ embedding }) => embedding.length)).toEqual([8, 8]);
  const names = [];
  for await (const { id } of openai.models.list()) names.push(id);
  expect(names).toContain(model);
  expect(await openai.models.retrieve(model)).toMatchObject({ id: model, object: "model" });
});

test("errors: before the reply, and in its stream", async () => {
  const openai = await client(() => ["a", "b", "c"], { failAfter: 2 });
  await expect(openai.models.retrieve("unknown")).rejects.toMatchObject({
    status: 404,
    code: "model_not_found",
  });
  const cut = openai.chat.completions.stream({ model, messages }).finalChatCompletion();
  await expect(cut).rejects.toMatchObject({ code: "engine_lost", type: "server_error" });
  const { status, error, output } = await openai.responses.stream({ model, input: "Hi" }).finalResponse();
  expect([status, error?.code, output.length]).toEqual(["failed", "server_error", 1]);
});

test("files and batches", async () => {
  const tab = await new BatchWorld().openTab();
  const fetch = (input: string | URL | Request, init?: RequestInit) =>
    tab.app.fetch(new Request(input, init));
  const { apiKey } = tab.openai;
  const openai = new Client({ apiKey, baseURL: "https://app.test/v1", fetch, maxRetries: 0 });
  const file = await openai.files.create({
    file: await toFile(Buffer.from(chatLine("a")), "a.jsonl"),
    purpose: "batch",
    expires_after: { anchor: "created_at", seconds: 3600 },
  });
  expect(file.expires_at! - file.created_at).toBe(3600);
  const endpoint = "/v1/chat/completions";
  const batch = await openai.batches.create({ input_file_id: file.id, endpoint, completion_window: "24h" });
  const done = await until(tab, batch.id, "completed");
  expect((await resultsOf(tab, done.output_file_id)).map((line) => line.custom_id)).toEqual(["a"]);
  for await (const { id } of openai.batches.list({ limit: 1 })) expect(id).toBe(batch.id);
});
