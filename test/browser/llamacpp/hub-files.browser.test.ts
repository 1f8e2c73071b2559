/** GGUF models of the hub, by repository and file: which run, and which error each bad file gives. */

import type { Runtime } from "infetch";
import { afterAll, beforeAll, expect, test } from "vitest";
import { post } from "../support/runtime.ts";
import { chat, deploy, startGgufRuntime } from "./support/gguf-runtime.ts";

let runtime: Runtime;

beforeAll(async () => {
  runtime = await startGgufRuntime();
});
afterAll(() => runtime.close());

async function read(response: Response) {
  const { choices, usage, error } = await response.json();
  return { status: response.status, text: choices?.[0].message.content, usage, error };
}

test.each([
  ["tiny-f32.gguf", 1],
  ["tiny-00001-of-00002.gguf", 2],
])("%s answers, and its files (%i) are kept for the next time", async (file, parts) => {
  const model = await deploy(runtime, file);
  const first = await chat(runtime, model);
  expect(first.headers.get("x-infetch-engine")).toBe("llamacpp; device=wasm");
  expect(await read(first)).toMatchObject({ status: 200, text: "The capital of Japan is Tokyo." });
  const kept = await (await caches.open("infetch/gguf")).keys();
  const stem = file.replace(/(-00001-of-00002)?\.gguf/, "");
  const own = kept.filter(({ url }) => url.includes("/gguf-hub/") && url.includes(`/${stem}`));
  expect(own.length).toBeGreaterThanOrEqual(parts);
  await runtime.models.unload(model);
  expect(await read(await chat(runtime, model))).toMatchObject({ status: 200 });
});

test.each([
  ["truncated.gguf", 503, "model_load_failed", "could not read"],
  ["garbled.gguf", 503, "model_load_failed", "could not read"],
  ["garbage.gguf", 503, "model_load_failed", "does not start with the letters GGUF"],
  ["oversized-00001-of-00004.gguf", 503, "insufficient_memory", "7.7 GB of memory"],
  ["embedding.gguf", 404, "model_not_found", "v1/embeddings"],
  ["refusing.gguf", 503, "model_load_failed", "This model reads pictures only"],
  ["unheard-of.gguf", 503, "model_load_failed", "pre-tokenizer 'unheard-of' is unknown"],
  ["plamo.gguf", 503, "model_load_failed", "tokenizer type 'plamo2'"],
  ["unheard-of-architecture.gguf", 503, "model_load_failed", "'gemma99' is unknown to this version"],
  ["tiny-mmproj-f32.gguf", 503, "model_load_failed", "Name it with 'projector'"],
  ["missing.gguf", 502, "model_download_failed", "404"],
])("%s is answered with %i %s, and the next request is served", async (file, status, code, words) => {
  const model = await deploy(runtime, file);
  const before = await runtime.usage.list();
  for (let tries = 0; tries < 2; tries++) {
    const answer = await read(await chat(runtime, model));
    expect(answer).toMatchObject({ status, error: { code, message: expect.stringContaining(words) } });
  }
  expect(await runtime.usage.list()).toEqual(before);
  expect(await read(await chat(runtime, "infetch-tiny"))).toMatchObject({ status: 200 });
  expect(await runtime.usage.list()).toHaveLength(before.length + 1);
});

test("an RWKV model answers: its prompt has as many tokens as llama.cpp counts", async () => {
  const model = await deploy(runtime, "tiny-rwkv.gguf");
  const messages = [
    { role: "system", content: "Be kind: é, €, \t." },
    { role: "user", content: "  hello hello" },
  ];
  const more = { messages, max_tokens: 8, logit_bias: { 0: -100 } };
  const render = await post(runtime, "/chat/completions/render", { model, ...more });
  const { prompt, prompt_tokens: counted } = await render.json();
  expect(prompt).toBe("System: Be kind: é, €, \t.\n\nUser: hello hello\n\nAssistant:");
  const { status, usage, text } = await read(await chat(runtime, model, more));
  expect([status, usage?.prompt_tokens]).toEqual([200, counted]);
  // Its state has no tokens that could be taken back.
  const other = { ...more, messages: [messages[0], { role: "user", content: "hello" }] };
  expect(await read(await chat(runtime, model, other))).toMatchObject({ status: 200 });
  const again = await read(await chat(runtime, model, more));
  expect([again.status, again.text]).toEqual([200, text]);
});

const heavy = { name: "heavy", model: "acme/infetch-tiny-GGUF", file: "heavy.gguf", contextWindow: 4_096 };

test("a context without room is refused with the largest that fits", async () => {
  await runtime.deployments.create(heavy);
  const { status, error } = await read(await chat(runtime, heavy.name));
  expect([status, error.code]).toEqual([503, "insufficient_memory"]);
  expect(error.message).toMatch(/^A context window of 4,096 tokens needs about .* GB of memory, and 4\.0 GB/);
  expect(error.message).toMatch(/The largest that fits is 768: set contextWindow to at most 768\.$/);
});

test("a prompt of more than 4,096 tokens is read in the window asked for, and one beyond it is refused", async () => {
  const model = "long";
  const file = "long.gguf";
  await runtime.deployments.create({ name: model, model: heavy.model, file, contextWindow: 8_192 });
  const words = (count: number) => ({
    messages: [{ role: "user", content: "word ".repeat(count) }],
    max_tokens: 2,
  });
  const answer = await read(await chat(runtime, model, words(4_100)));
  expect(answer.status).toBe(200);
  expect(answer.usage.prompt_tokens).toBeGreaterThan(4_096);
  const { data } = await (await runtime.fetch(`${runtime.baseURL}/models`, authorized())).json();
  expect(data.find(({ id }: { id: string }) => id === model).infetch).toMatchObject({
    engine: "llamacpp",
    context_window: 8_192,
    max_context_window: 16_384,
  });
  expect(await read(await chat(runtime, model, words(8_200)))).toMatchObject({
    status: 400,
    error: { code: "context_length_exceeded", message: expect.stringContaining("is 8192 tokens") },
  });
});

const authorized = () => ({ headers: { authorization: `Bearer ${runtime.apiKey}` } });

test.each(["refusing", "unheard-of-architecture", "heavy"])(
  "nothing of %s.gguf is downloaded",
  async (model) => {
    const phases: string[] = [];
    const off = runtime.on("progress", (event) => {
      if (event.model === model) phases.push(event.phase);
    });
    expect(await read(await chat(runtime, model))).toMatchObject({ status: 503 });
    off();
    expect(phases).not.toContain("download");
  },
);
