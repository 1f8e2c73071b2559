/** The built-in model on both backends, through the whole runtime, against reference vectors. */

import { createRuntime, type Runtime, type RuntimeEvent } from "infetch";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectsWebGPU, hasWebGPU } from "../support/runtime.ts";
import { type EmbeddingList, embed, largestDifference, postEmbeddings } from "./support/client.ts";
import { type ReferenceItem, readReference } from "./support/reference.ts";

const MODEL = "infetch-tiny-embed";
/** Texts of many lengths, kept short: with software WebGPU a token takes about 1 ms. */
const COMPANY = Array.from({ length: 24 }, (_, at) => "word ".repeat(1 + ((at * 7) % 11)).trim());

/** Set by the Vitest project, not detected: a browser that lost its adapter must fail (`vitest.config.ts`). */
const DEVICES = expectsWebGPU ? (["wasm", "webgpu"] as const) : (["wasm"] as const);

test("WebGPU is there where the suite says so, and nowhere else", async () => {
  expect(await hasWebGPU()).toBe(expectsWebGPU);
});

describe.each(DEVICES)("on %s", (device) => {
  let runtime: Runtime;
  let items: ReferenceItem[];
  const events: RuntimeEvent[] = [];

  beforeAll(async () => {
    items = await readReference();
    runtime = await createRuntime({ embeddings: { device } });
    runtime.on("engine", (event) => events.push(event));
  });
  afterAll(() => runtime.close());

  test("the model runs on the device that was asked for, and says so", async () => {
    const response = await postEmbeddings(runtime, { model: MODEL, input: "hello" });
    expect(response.status).toBe(200);
    expect(response.headers.get("x-infetch-engine")).toBe(`transformers; device=${device}; dtype=fp32`);
    expect(events.filter((event) => event.type === "engine" && event.state === "fallback")).toEqual([]);
    const model = await (
      await runtime.fetch(`${runtime.baseURL}/models/${MODEL}`, {
        headers: { authorization: `Bearer ${runtime.apiKey}` },
      })
    ).json();
    expect(model.infetch).toMatchObject({
      engine: "transformers",
      device,
      dtype: "fp32",
      dimensions: 384,
      pooling: "mean",
      normalized: true,
      context_window: 256,
    });
  });

  test("vectors and token counts are those of the reference forward pass", async () => {
    const filled = items.filter(({ text }) => text !== "");
    const list = await embed(runtime, { model: MODEL, input: filled.map(({ text }) => text) });
    for (const [at, { vector }] of filled.entries()) {
      expect(largestDifference(list.data[at]!.embedding, vector)).toBeLessThan(1e-3);
    }
    const tokens = filled.reduce((sum, item) => sum + item.tokens.length, 0);
    expect(list.usage).toEqual({ prompt_tokens: tokens, total_tokens: tokens });
    expect(list.data.map(({ index }) => index)).toEqual(filled.map((_, at) => at));
  });

  test("tokens give the vector of their text", async () => {
    const { text, tokens } = items[0]!;
    const inner = tokens.slice(1, -1);
    const [ofText, ofTokens] = await Promise.all([
      embed(runtime, { model: MODEL, input: [text] }),
      embed(runtime, { model: MODEL, input: [inner] }),
    ]);
    expect(ofTokens.usage).toEqual(ofText.usage);
    expect(largestDifference(ofText.data[0]!.embedding, ofTokens.data[0]!.embedding)).toBeLessThan(1e-5);
  });

  test("a vector does not depend on its company", async () => {
    const alone = await embed(runtime, { model: MODEL, input: COMPANY[5] });
    const batched = await embed(runtime, { model: MODEL, input: COMPANY });
    const difference = largestDifference(alone.data[0]!.embedding, batched.data[5]!.embedding);
    console.log(`${device}: alone against batched`, difference);
    expect(difference).toBeLessThan(1e-5);
  });

  test("64 requests at once get the answers of 64 in turn", async () => {
    const texts = Array.from({ length: 64 }, (_, at) => `request ${at} ${at % 3 ? "" : "of three"}`);
    const started = performance.now();
    const together = await Promise.all(texts.map((input) => embed(runtime, { model: MODEL, input })));
    const elapsedMs = performance.now() - started;
    const list = await embed(runtime, { model: MODEL, input: texts });
    console.log(`${device}: 64 requests at once in ${elapsedMs.toFixed(0)} ms`);
    for (const [at, one] of together.entries()) {
      expect(largestDifference(one.data[0]!.embedding, list.data[at]!.embedding)).toBeLessThan(1e-5);
    }
    expect(sumOfTokens(together)).toBe(list.usage.prompt_tokens);
  });

  test("cut vectors are the beginning of the whole one, of unit length", async () => {
    const input = "where is my parcel";
    const whole = (await embed(runtime, { model: MODEL, input })).data[0]!.embedding;
    const short = (await embed(runtime, { model: MODEL, input, dimensions: 64 })).data[0]!.embedding;
    const length = Math.hypot(...whole.slice(0, 64));
    expect(short).toHaveLength(64);
    expect(Math.hypot(...short)).toBeCloseTo(1, 5);
    expect(
      largestDifference(
        short,
        whole.slice(0, 64).map((x) => x / length),
      ),
    ).toBeLessThan(1e-5);
  });

  test("an input that is too long is named, never cut", async () => {
    const response = await postEmbeddings(runtime, { model: MODEL, input: ["short", "word ".repeat(300)] });
    expect(response.status).toBe(400);
    expect((await response.json()).error).toMatchObject({
      param: "input[1]",
      code: "context_length_exceeded",
    });
  });
});

function sumOfTokens(lists: readonly EmbeddingList[]): number {
  return lists.reduce((sum, list) => sum + list.usage.prompt_tokens, 0);
}
