/** GGUF models of the hub, by repository and file: which run, and which error each bad file gives. */

import type { Runtime } from "infetch";
import { afterAll, beforeAll, expect, test } from "vitest";
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
  ["embedding.gguf", 400, "invalid_request", "/v1/embeddings"],
  ["refusing.gguf", 503, "model_load_failed", "This model reads pictures only"],
  ["unheard-of.gguf", 503, "model_load_failed", "pre-tokenizer 'unheard-of' is unknown"],
  ["rwkv.gguf", 503, "model_load_failed", "tokenizer type 'rwkv'"],
  ["missing.gguf", 502, "model_download_failed", "404"],
])("%s is answered with %i %s, and the next request is served", async (file, status, code, words) => {
  const model = await deploy(runtime, file);
  for (let tries = 0; tries < 2; tries++) {
    const answer = await read(await chat(runtime, model));
    expect(answer).toMatchObject({ status, error: { code, message: expect.stringContaining(words) } });
  }
  expect(await read(await chat(runtime, "infetch-tiny"))).toMatchObject({ status: 200 });
});

test("nothing of a model that cannot be used is downloaded", async () => {
  const model = "refusing";
  const phases: string[] = [];
  const off = runtime.on("progress", (event) => {
    if (event.model === model) phases.push(event.phase);
  });
  expect(await read(await chat(runtime, model))).toMatchObject({ status: 503 });
  off();
  expect(phases).not.toContain("download");
});
