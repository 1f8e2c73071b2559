/** n replies on an engine that runs several: side by side, with the tokens and usage of one after another. */

import { expect, test } from "vitest";
import type { GenerateRequest } from "../../../worker/engine-api/chat-engine.ts";
import { EngineError } from "../../../worker/engine-api/engine-error.ts";
import { type FakeBehaviour, FakeEngine } from "../../fakes/fake-engine.ts";
import { readEvents, testApp } from "../../support/test-app.ts";

interface Chunk {
  choices: { index: number; delta: { role?: string; content?: string }; finish_reason: string | null }[];
  usage?: { prompt_tokens: number; completion_tokens: number };
}

const body = { model: "plain", messages: [{ role: "user", content: "Hi" }], seed: 5 };

/** Replies that depend on the random stream alone, of different lengths. */
const reply = (_: string, { randomState }: GenerateRequest) =>
  Array.from({ length: 2 + Number(randomState % 7n) }, (_, at) => `${(randomState >> BigInt(at)) % 10n}`);

/** An engine that runs four replies: each is one of an engine of its own. */
async function severalApp(gate: () => Promise<void> = async () => {}, limit = 4) {
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const app = await testApp({ reply });
  const state = { running: 0, most: 0, requests: [] as GenerateRequest[] };
  Object.assign(app.engine.info, { parallel: limit });
  const behaviour: FakeBehaviour = { reply, gate: () => turn().then(gate) };
  app.engine.generate = async function* (request, signal) {
    state.requests.push(request);
    state.most = Math.max(state.most, ++state.running);
    try {
      yield* new FakeEngine(behaviour).generate(request, signal);
    } finally {
      state.running--;
    }
  };
  return { ...app, state };
}

test("n replies side by side are those of one after another, and leave one place free", async () => {
  const alone = await (
    await (await testApp({ reply })).post("/v1/chat/completions", { ...body, n: 9 })
  ).json();
  const { post, state, ledger } = await severalApp();
  const several = await (await post("/v1/chat/completions", { ...body, n: 9 })).json();
  expect(several.choices).toEqual(alone.choices);
  expect(several.usage).toEqual(alone.usage);
  expect(state.most).toBe(3);
  expect(ledger.events()).toMatchObject([{ outputTokens: alone.usage.completion_tokens }]);

  const request = { ...body, n: 9, stream: true, stream_options: { include_usage: true } };
  const { events } = await readEvents<Chunk>(await post("/v1/chat/completions", request));
  const chunks = events.flatMap(({ choices }) => choices);
  for (const { index, message } of alone.choices) {
    const own = chunks.filter((chunk) => chunk.index === index);
    expect(own.map(({ delta }) => delta.content ?? "").join("")).toBe(message.content);
    expect(own.filter(({ delta }) => delta.role)).toEqual([own[0]]);
    expect(own.filter(({ finish_reason: reason }) => reason)).toEqual([own.at(-1)]);
  }
  const order = chunks.map(({ index }) => index);
  expect(order).not.toEqual([...order].sort());
  expect(events.at(-1)?.usage).toEqual(alone.usage);
});

test("an engine lost beside others: what was not told is made again, alone, and charged once", async () => {
  const alone = await (
    await (await testApp({ reply })).post("/v1/chat/completions", { ...body, n: 5 })
  ).json();
  let pieces = 0;
  const { post, state, ledger } = await severalApp(async () => {
    if (++pieces === 8) throw new EngineError("engine_lost", "It broke.");
  });
  const several = await (await post("/v1/chat/completions", { ...body, n: 5 })).json();
  expect(several.choices).toEqual(alone.choices);
  expect(state.requests).toHaveLength(6);
  expect(several.usage).toEqual(alone.usage);
  expect(ledger.events()).toMatchObject([{ outputTokens: alone.usage.completion_tokens }]);
});

test("a stream that is left ends all its replies", async () => {
  const { post, state, services } = await severalApp();
  const response = await post("/v1/chat/completions", { ...body, n: 100, stream: true });
  const reader = response.body!.getReader();
  await reader.read();
  await reader.cancel();
  await expect.poll(() => state.running).toBe(0);
  expect(state.requests.length).toBeLessThan(10);
  const turn = await services.engines.queue("plain").enter(new AbortController().signal, { isAlone: true });
  turn.release();
});

test("a request that comes after two of several choices, which take all places, waits for one choice of them", async () => {
  let open = (): void => {};
  const haveCome = new Promise<void>((resolve) => {
    open = resolve;
  });
  const { post, ledger, services } = await severalApp(() => haveCome, 2);
  const queue = services.engines.queue("plain");
  const ends: string[] = [];
  const ask = async (name: string, n: number): Promise<void> => {
    const answer = await (await post("/v1/chat/completions", { ...body, n })).json();
    expect(answer.choices).toHaveLength(n);
    ends.push(name);
  };
  const several = [ask("first", 6), ask("second", 6)];
  // One choice of each runs, and its next one waits.
  await expect.poll(() => [queue.running, queue.waiting]).toEqual([2, 2]);
  const short = ask("short", 1);
  await expect.poll(() => queue.waiting).toBe(3);
  open();
  await Promise.all([...several, short]);
  expect(ends[0]).toBe("short");
  expect(ledger.events()).toHaveLength(3);
});

test.each([1, 2])("left between two choices, a stream costs what was read (%i at once)", async (limit) => {
  const { post, state, ledger, services } = await severalApp(undefined, limit);
  const response = await post("/v1/chat/completions", { ...body, n: 3, stream: true });
  const queue = services.engines.queue("plain");
  const never = new AbortController().signal;
  const others = Array.from({ length: limit }, () => queue.enter(never, { arrival: 9 }));
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!text.includes('"finish_reason":"stop"')) text += (await reader.read()).value;
  for (const turn of await Promise.all(others)) expect(turn).toBeDefined();
  expect(queue.waiting).toBeGreaterThan(0);
  await reader.cancel();
  await expect.poll(() => queue.waiting).toBe(0);
  for (const other of others) (await other).release();
  await expect.poll(() => ledger.events()).toHaveLength(1);
  const outputTokens = text.match(/"content":"\d"/g)!.length;
  expect(ledger.events()).toMatchObject([{ outcome: "aborted", outputTokens }]);
  expect([state.requests.length, queue.running]).toEqual([1, 0]);
});
