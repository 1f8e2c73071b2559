/** What `runtime.support()` reports matches what runs, in any browser. */

import { createRuntime } from "infetch";
import { expect, test } from "vitest";
import { post } from "../support/runtime.ts";

test("support() names the engine that then answers, without downloading anything", async () => {
  const runtime = await createRuntime({ storageName: crypto.randomUUID() });
  const loads: string[] = [];
  runtime.on("progress", ({ model }) => loads.push(model));
  const notes: (string | undefined)[] = [];
  runtime.on("engine", ({ state, reason }) => {
    if (state === "note") notes.push(reason);
  });
  const report = await runtime.support();
  expect(loads).toEqual([]);
  const headers = { authorization: `Bearer ${runtime.apiKey}` };
  const get = async (path: string) => (await runtime.fetch(runtime.baseURL + path, { headers })).json();
  const { data } = await get("/models");
  expect(report.models.map(({ id }) => id)).toEqual(data.map(({ id }: { id: string }) => id));
  const told = (model: string) => report.models.find(({ id }) => id === model)!;

  const chat = { model: "infetch-tiny", messages: [{ role: "user", content: "Hello!" }], max_tokens: 1 };
  const chatted = await post(runtime, "/chat/completions", chat);
  expect(chatted.status, await chatted.clone().text()).toBe(200);
  const engine = chatted.headers.get("x-infetch-engine")!.split(";")[0]!;
  expect(engine).toBe(told("infetch-tiny").engine);
  expect(engine === "webllm").toBe(report.webgpu.available);
  const { infetch } = await get("/models/infetch-tiny");
  // Why the GGUF file runs, if it does.
  const why =
    told("infetch-tiny").reason === null ? [] : [`WebGPU is not used: ${told("infetch-tiny").reason}.`];
  expect(infetch.notes).toEqual(expect.arrayContaining(why));
  await expect.poll(() => notes).toEqual(infetch.notes);
  expect(why).toHaveLength(engine === "llamacpp" ? 1 : 0);
  expect(infetch.device.includes("compatible build")).toBe(engine === "llamacpp" && !report.wasm.memory64);

  const embedded = await post(runtime, "/embeddings", { model: "infetch-tiny-embed", input: "a" });
  expect(embedded.headers.get("x-infetch-engine")).toMatch(
    `transformers; device=${told("infetch-tiny-embed").device};`,
  );
  expect(report.webgpu.reason === null).toBe(report.webgpu.available);
  expect(report.webgpu.available).toBe(Boolean(await navigator.gpu?.requestAdapter()));
  const { available, features } = report.webgpu;
  const isF16 = features.includes("shader-f16");
  const reason = available ? (isF16 ? null : "adapter lacks shader-f16") : report.webgpu.reason;
  expect(told("infetch-qwen3-4b")).toMatchObject({ engine: available ? "webllm" : null, reason });
  const { infetch: listed } = await get("/models/infetch-qwen3-4b");
  const quantization = available && !isF16 ? "q4f32_1" : "q4f16_1";
  expect(listed.base_model).toBe(`mlc-ai/Qwen3-4B-${quantization}-MLC`);
  // As in this page.
  expect(report.wasm.threads).toBe(crossOriginIsolated);
  runtime.close();
});
