/** `runtime.models.unload()` while replies run and wait. */

import type { Runtime } from "infetch";
import type OpenAI from "openai";
import { afterEach, beforeEach, expect, test } from "vitest";
import { endless } from "../batches/support/batch.ts";
import { freshLedgerName } from "../billing/support/frames.ts";
import { startRuntime } from "../support/runtime.ts";

const model = "infetch-tiny";
let runtime: Runtime;
let openai: OpenAI;
let states: string[];

beforeEach(async () => {
  ({ runtime, openai } = await startRuntime({ storageName: freshLedgerName() }));
  states = [];
  runtime.on("engine", ({ model: id, state }) => {
    if (id === model && state !== "note") states.push(state);
  });
});
afterEach(() => runtime.close());

/** A stream whose first chunk has come. */
async function begin(maxTokens: number) {
  const stream = await openai.chat.completions.create({
    model,
    messages: [{ role: "user", content: "Count to one hundred." }],
    max_tokens: maxTokens,
    logit_bias: endless,
    stream: true,
    stream_options: { include_usage: true },
  });
  const chunks = stream[Symbol.asyncIterator]();
  await chunks.next();
  return chunks;
}

async function rest(
  chunks: AsyncIterator<OpenAI.ChatCompletionChunk>,
): Promise<OpenAI.ChatCompletionChunk[]> {
  const all: OpenAI.ChatCompletionChunk[] = [];
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) all.push(next.value);
  return all;
}

function short() {
  return openai.chat.completions.create({
    model,
    messages: [{ role: "user", content: "Hello!" }],
    max_tokens: 3,
    n: 2,
  });
}

test("requests that run and wait end as usual, later ones reload the model", async () => {
  const running = [await begin(40), await begin(60)];
  const waiting = Array.from({ length: 10 }, short);
  const unloaded = runtime.models.unload(model);
  const ends = await Promise.all(running.map(rest));
  expect(ends.map((chunks) => chunks.at(-1)!.usage!.completion_tokens)).toEqual([40, 60]);
  for (const { choices } of await Promise.all(waiting)) expect(choices).toHaveLength(2);
  await unloaded;
  await short();
  await expect.poll(() => states).toEqual(["loaded", "unloaded", "loaded"]);
  await expect.poll(async () => (await runtime.usage.list()).length).toBe(13);
  const outcomes = (await runtime.usage.list()).map(({ outcome }) => outcome);
  expect(new Set(outcomes)).toEqual(new Set(["completed"]));
});

test("by force, what runs fails with engine_lost, and what comes is answered by another engine", async () => {
  const running = await begin(4_000);
  const other = short();
  await runtime.models.unload(model, { force: true });
  await expect(rest(running)).rejects.toMatchObject({ code: "engine_lost" });
  expect((await other).choices).toHaveLength(2);
});

test("an idle model is freed at once; one that is not loaded is no error", async () => {
  await runtime.models.unload(model);
  await short();
  await runtime.models.unload(model);
  await expect.poll(() => states).toEqual(["loaded", "unloaded"]);
});
