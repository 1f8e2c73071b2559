/** One budget for chat and embedding models: real loads, evictions and waits in Chromium. */

import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type ModelPage, type RunningPage, startModelPage } from "./support/model-page.ts";

const CHAT = "infetch-tiny";
const EMBEDDING = "infetch-tiny-embed";
/** A second chat model: each deployment has its own engine. */
const SECOND = "second";
/** Estimates: chat model 6.6 MB, 10.5 MB of context and 4.2 MB of page lists, embedding model 4.8 MB. */
const ROOM_FOR_ONE_CHAT = 27_000_000;

const hello = (model: string, changes: object = {}) => ({
  model,
  messages: [{ role: "user", content: "Hello!" }],
  temperature: 0,
  max_tokens: 5,
  ...changes,
});

let tested: ModelPage;
beforeAll(async () => {
  tested = await startModelPage();
});
afterAll(() => tested?.close());
afterEach(() => tested.page.evaluate(() => (globalThis as unknown as RunningPage).runtime.close()));

async function open(options: import("infetch").RuntimeOptions): Promise<void> {
  await tested.open(options);
  await tested.page.evaluate(async (name) => {
    const { runtime } = globalThis as unknown as RunningPage;
    const deployments = await runtime.deployments.list();
    if (deployments.length === 0) await runtime.deployments.create({ name, model: "infetch-tiny" });
  }, SECOND);
}

const embed = () => tested.ask({ model: EMBEDDING, input: "a" }, "/embeddings");

/** `loaded a`, `unloaded b: reason`, in order. */
function events(): Promise<string[]> {
  return tested.page.evaluate(() =>
    (globalThis as unknown as RunningPage).engineEvents.map(
      ({ state, model, reason }) => `${state} ${model}${reason ? `: ${reason}` : ""}`,
    ),
  );
}

const workers = (name: string): number =>
  tested.page.workers().filter((worker) => worker.url().endsWith(`/worker/${name}.js`)).length;

describe("a budget with room for one chat model and one embedding model", () => {
  test("evicts what was not used for the longest, and no more; who comes back is loaded again", async () => {
    await open({ memoryBudgetBytes: ROOM_FOR_ONE_CHAT });
    const first = await tested.ask(hello(CHAT));
    expect((await embed()).status).toBe(200);
    expect(await events()).toEqual([`loaded ${CHAT}`, `loaded ${EMBEDDING}`]);
    expect([workers("webllm"), workers("transformers")]).toEqual([1, 1]);

    expect((await tested.ask(hello(SECOND))).status).toBe(200);
    expect((await tested.ask(hello(CHAT))).body.choices).toEqual(first.body.choices);
    expect(await events()).toEqual([
      `loaded ${CHAT}`,
      `loaded ${EMBEDDING}`,
      `unloaded ${CHAT}: its memory was needed for '${SECOND}'`,
      `loaded ${SECOND}`,
      `unloaded ${SECOND}: its memory was needed for '${CHAT}'`,
      `loaded ${CHAT}`,
    ]);
    await expect.poll(() => workers("webllm")).toBe(1);
  });

  test("lets a model finish what it writes before it leaves, and requests for both models end", async () => {
    await open({ memoryBudgetBytes: ROOM_FOR_ONE_CHAT });
    await tested.ask(hello(CHAT));
    const long = hello(CHAT, { n: 3, max_tokens: 100 });
    const answers = await Promise.all([
      tested.ask(long),
      tested.ask(hello(SECOND)),
      tested.ask(hello(CHAT)),
      tested.ask(hello(SECOND)),
      embed(),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(answers[0]!.body.choices).toHaveLength(3);
    expect((await events()).filter((event) => event.startsWith("lost"))).toEqual([]);
  });
});

test("a model that is larger than the budget is refused in words, and the others go on", async () => {
  await open({ memoryBudgetBytes: 5_000_000 });
  expect(await tested.ask(hello(CHAT))).toMatchObject({
    status: 503,
    body: {
      error: {
        code: "insufficient_memory",
        // Its GGUF file alone would fit, so the smallest context is what decides.
        message: expect.stringMatching(
          /needs about 11\.\d MB .* only 512 tokens; 4\.8 MB are available.*memoryBudgetBytes/,
        ),
      },
    },
  });
  expect((await embed()).status).toBe(200);
  await expect.poll(() => workers("webllm")).toBe(0);
});

test("a model that nobody uses leaves memory, and comes back when it is asked", async () => {
  await open({ keepAliveMs: 0 });
  expect((await tested.ask(hello(CHAT))).status).toBe(200);
  await expect.poll(events).toEqual([`loaded ${CHAT}`, `unloaded ${CHAT}: it was idle for 0 s`]);
  await expect.poll(() => workers("webllm")).toBe(0);
  expect((await tested.ask(hello(CHAT))).status).toBe(200);
});
