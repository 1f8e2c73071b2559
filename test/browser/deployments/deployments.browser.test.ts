/** Deployments of the built-in models, with real engines: settings, reloads and invoices. */

import { createRuntime, type EngineEvent, type Runtime, type RuntimeOptions } from "infetch";
import { afterEach, expect, test } from "vitest";
import { freshLedgerName } from "../billing/support/frames.ts";
import { largestDifference } from "../embeddings/support/client.ts";
import { openaiFor } from "../support/runtime.ts";

const messages = [{ role: "user" as const, content: "Hello" }];
const open = new Set<Runtime>();

async function start(storageName: string, options: RuntimeOptions = {}): Promise<Runtime> {
  const runtime = await createRuntime({ storageName, shared: false, ...options });
  open.add(runtime);
  return runtime;
}

/** Pricing group values of a tier's lines; checks that all are of the built-in chat model. */
async function lineValues(runtime: Runtime, tier: string): Promise<Record<string, string>[]> {
  const invoice = await runtime.fetch(`${runtime.baseURL}/billing/invoices/current`, {
    headers: { authorization: `Bearer ${runtime.apiKey}` },
  });
  const { line_items: lines } = (await invoice.json()) as {
    line_items: { pricing_group_values: Record<string, string>; presentation_group_values: object }[];
  };
  const found = lines.filter(({ pricing_group_values: values }) => values.tier === tier);
  for (const line of found) expect(line.presentation_group_values).toEqual({ model: "infetch-tiny" });
  return found.map((line) => line.pricing_group_values);
}

function close(runtime: Runtime): void {
  runtime.close();
  open.delete(runtime);
}

afterEach(() => open.forEach(close));

test("a deployment runs with its own context, outlives the server, and has invoice lines of its own", async () => {
  const storageName = freshLedgerName();
  const first = await start(storageName);
  await first.deployments.create({ name: "short", model: "infetch-tiny", contextWindow: 64 });
  close(first);

  const runtime = await start(storageName);
  expect(await runtime.deployments.list()).toMatchObject([{ name: "short", contextWindow: 64 }]);
  const openai = openaiFor(runtime);
  const models = await openai.models.list();
  expect(models.data.find(({ id }) => id === "short")).toMatchObject({
    owned_by: "infetch",
    infetch: { context_window: 64 },
  });

  const reply = await openai.chat.completions.create({ model: "short", messages, max_tokens: 8 });
  expect(reply.model).toBe("short");
  expect(reply.usage!.completion_tokens).toBeGreaterThan(0);
  const long = [{ role: "user" as const, content: "word ".repeat(100) }];
  await expect(openai.chat.completions.create({ model: "short", messages: long })).rejects.toMatchObject({
    status: 400,
    code: "context_length_exceeded",
    message: expect.stringContaining("64 tokens"),
  });
  const whole = await openai.chat.completions.create({
    model: "infetch-tiny",
    messages: long,
    max_tokens: 1,
  });
  expect(whole.usage!.prompt_tokens).toBeGreaterThan(64);

  const dedicated = await lineValues(runtime, "dedicated");
  expect(dedicated.length).toBeGreaterThan(0);
  for (const values of dedicated) {
    expect(values.deployment_name).toBe("short");
    expect(values.gpu_type).toMatch(/\w+/);
    expect(values.gpu_type).not.toMatch(/webgpu/);
  }
  expect((await lineValues(runtime, "serverless"))[0]).toEqual({ tier: "serverless" });
});

test("a deployment that is kept loaded is loaded by the start alone", async () => {
  const storageName = freshLedgerName();
  const first = await start(storageName);
  const loaded = (runtime: Runtime, wanted: EngineEvent["state"]) =>
    new Promise<void>((resolve) => {
      runtime.on("engine", ({ model, state }) => {
        if (model === "always" && state === wanted) resolve();
      });
    });
  const atOnce = loaded(first, "loaded");
  await first.deployments.create({ name: "always", model: "infetch-tiny", keepLoaded: true });
  await atOnce;
  close(first);

  const next = await start(storageName);
  await loaded(next, "loaded");
  const gone = loaded(next, "unloaded");
  await next.deployments.delete("always");
  await gone;
  await expect(next.deployments.get("always")).rejects.toMatchObject({ code: "deployment_not_found" });
  await expect(openaiFor(next).chat.completions.create({ model: "always", messages })).rejects.toMatchObject({
    status: 404,
    code: "model_not_found",
  });
});

test("a deployment that forces llama.cpp runs there, with its own context, and is billed as WASM", async () => {
  const runtime = await start(freshLedgerName());
  await runtime.deployments.create({
    name: "on-processor",
    model: "infetch-tiny",
    engine: "llamacpp",
    contextWindow: 128,
  });
  const openai = openaiFor(runtime);
  const request = { model: "on-processor", messages, max_tokens: 4 };
  const { data, response } = await openai.chat.completions.create(request).withResponse();
  expect(response.headers.get("x-infetch-engine")).toBe("llamacpp; device=wasm");
  expect(data.usage!.completion_tokens).toBeGreaterThan(0);
  const long = [{ role: "user" as const, content: "word ".repeat(200) }];
  await expect(openai.chat.completions.create({ ...request, messages: long })).rejects.toMatchObject({
    code: "context_length_exceeded",
    message: expect.stringContaining("128 tokens"),
  });
  expect(await lineValues(runtime, "dedicated")).toContainEqual({
    tier: "dedicated",
    deployment_name: "on-processor",
    gpu_type: "wasm",
  });
});

test("two servers of one origin have the same deployments, and free what the other deletes", async () => {
  const storageName = freshLedgerName();
  const [first, second] = await Promise.all([start(storageName), start(storageName)]);
  await first.deployments.create({ name: "common", model: "infetch-tiny" });
  await expect.poll(() => second.deployments.list()).toMatchObject([{ name: "common" }]);
  await expect(second.deployments.create({ name: "common", model: "infetch-tiny" })).rejects.toMatchObject({
    name: "InfetchError",
    code: "deployment_exists",
  });
  await second.models.load("common");
  const freed = new Promise<void>((resolve) => {
    second.on("engine", ({ model, state }) => {
      if (model === "common" && state === "unloaded") resolve();
    });
  });
  await first.deployments.delete("common");
  await freed;
  expect(await second.deployments.list()).toEqual([]);
});

test("an embedding model of the hub is deployed by its name there, and answers to both names", async () => {
  const hub = "/fixtures/hub/";
  const runtime = await start(freshLedgerName(), {
    embeddings: { device: "wasm" },
    hub: { url: hub },
  });
  const model = "acme/cls-embed";
  const openai = openaiFor(runtime);
  const reference: { text: string; vector: number[] }[] = await (
    await fetch(`${hub}${model}/resolve/main/reference.json`)
  ).json();
  const request = { input: reference.map(({ text }) => text), encoding_format: "float" as const };
  await expect(openai.embeddings.create({ ...request, model })).rejects.toMatchObject({ status: 404 });
  await runtime.deployments.create({ name: "search", model });
  const byHubName = await openai.embeddings.create({ ...request, model });
  const byName = await openai.embeddings.create({ ...request, model: "search" });
  expect([byHubName.model, byName.model]).toEqual([model, "search"]);
  expect(byHubName.data).toEqual(byName.data);
  const vectors = reference.map(({ vector }) => vector);
  const apart = vectors.flatMap((one, at) =>
    vectors.slice(at + 1).map((other) => largestDifference(one, other)),
  );
  // 8 bits on WASM: the tolerance is half the smallest distance between two references.
  const nearest = Math.min(...apart) / 2;
  expect(byName.data).toHaveLength(vectors.length);
  for (const [at, { embedding }] of byName.data.entries())
    expect(largestDifference(embedding, vectors[at]!)).toBeLessThan(nearest);
});

test("embeddings deployed under another name are the model's own, without another download", async () => {
  const runtime = await start(freshLedgerName());
  const openai = openaiFor(runtime);
  const request = { input: "hello", encoding_format: "float" as const };
  const own = await openai.embeddings.create({ ...request, model: "infetch-tiny-embed" });
  await runtime.deployments.create({ name: "search", model: "infetch-tiny-embed", contextWindow: 16 });
  const deployed = await openai.embeddings.create({ ...request, model: "search" });
  expect(deployed.model).toBe("search");
  expect(deployed.data).toEqual(own.data);
  const keys = await (await caches.open("infetch/transformers")).keys();
  expect(keys.filter(({ url }) => url.includes("/search/"))).toEqual([]);
  await expect(
    openai.embeddings.create({ ...request, input: "word ".repeat(40), model: "search" }),
  ).rejects.toMatchObject({ status: 400, code: "context_length_exceeded" });
});
