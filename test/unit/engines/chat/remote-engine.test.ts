import { afterEach, expect, test, vi } from "vitest";
import type { EngineStep, GenerateRequest } from "../../../../worker/engine-api/chat-engine.ts";
import { startFakeEngine } from "../../../fakes/fake-engine-worker.ts";

const USAGE = { promptTokens: 9, cachedTokens: 0, completionTokens: 1, reasoningTokens: 0 };
const FINISH = { type: "finish", reason: "stop", usage: USAGE } as const;
const BATCH = { parallel: 4, abortsBetweenChunks: true };
const NEVER = new AbortController().signal;

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function last(steps: AsyncIterable<EngineStep>): Promise<EngineStep | undefined> {
  let step: EngineStep | undefined;
  for await (step of steps);
  return step;
}

/** Starts replies, and waits until the worker has them. */
async function startReplies(signals: readonly AbortSignal[]) {
  const { engine, replies, state } = await startFakeEngine(BATCH);
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const ends = signals.map((signal) => last(engine.generate({} as GenerateRequest, signal)));
  for (const end of ends) end.catch(() => {});
  await until(() => replies.length === ends.length);
  return { ends, replies, state };
}

/** Messages of ports arrive in turns of the event loop, which no fake timer moves. */
async function until(isDone: () => boolean): Promise<void> {
  for (let turn = 0; turn < 1_000 && !isDone(); turn++) await turnOver();
  expect(isDone()).toBe(true);
}

const turnOver = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Lets seconds pass, with time for the worker's answers in each. */
async function pass(seconds: number, each: () => void = () => {}): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    each();
    vi.advanceTimersByTime(1_000);
    for (let turn = 0; turn < 8; turn++) await turnOver();
  }
}

test("a step that fails under four replies is one loss", async () => {
  const { ends, replies, state } = await startReplies([NEVER, NEVER, NEVER, NEVER]);
  const error = { code: "engine_lost", message: "The GPU is gone." } as const;
  for (const reply of replies) reply.tell({ type: "error", error });
  for (const end of ends) await expect(end).rejects.toMatchObject({ code: "engine_lost" });
  expect(state.ends).toHaveLength(1);
});

test("a reply that runs out of memory ends the engine, whose next start then takes less", async () => {
  const { ends, replies, state } = await startReplies([NEVER, NEVER]);
  const error = { code: "out_of_memory", message: "llama.cpp: Array buffer allocation failed" } as const;
  replies[0]!.tell({ type: "error", error });
  await expect(ends[0]).rejects.toMatchObject({ code: "out_of_memory", message: error.message });
  await expect(ends[1]).rejects.toMatchObject({ code: "out_of_memory" });
  expect(state).toMatchObject({ ends: [error.message], codes: ["out_of_memory"], isTerminated: true });
});

test("a reply that fails alone leaves the others and the engine", async () => {
  const { ends, replies, state } = await startReplies([NEVER, NEVER]);
  replies[0]!.tell({ type: "error", error: { code: "reply_failed", message: "no mask" } });
  await expect(ends[0]).rejects.toMatchObject({ code: "reply_failed" });
  replies[1]!.tell(FINISH);
  expect(await ends[1]).toEqual(FINISH);
  expect(state.ends).toEqual([]);
});

test("a slow abort never ends the engine of other replies, nor while passes go on", async () => {
  const abort = new AbortController();
  const { ends, replies, state } = await startReplies([abort.signal, NEVER]);
  abort.abort();
  await pass(100);
  expect([replies.map(({ isAborted }) => isAborted), state.ends]).toEqual([[true, false], []]);
  replies[1]!.tell(FINISH);
  expect(await ends[1]).toEqual(FINISH);
  await pass(60, () => state.passes++);
  replies[0]!.tell({ ...FINISH, reason: "abort" });
  expect(await ends[0]).toMatchObject({ reason: "abort" });
  expect(state.ends).toEqual([]);
});

test("an engine with aborted replies alone, in which nothing moves, is replaced after seconds", async () => {
  const abort = new AbortController();
  const { ends, state } = await startReplies([abort.signal]);
  await pass(100);
  abort.abort();
  await pass(4);
  expect(state.ends).toEqual([]);
  await pass(4);
  await expect(ends[0]).rejects.toMatchObject({ code: "engine_lost" });
  expect(state.ends).toEqual(["it did not respond to an abort"]);
});

test("a step that hangs ends all replies, however late the last one came, and a slow one ends none", async () => {
  const { engine, replies, state } = await startFakeEngine(BATCH);
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const ends = [last(engine.generate({} as GenerateRequest, NEVER))];
  await pass(100);
  state.passes++;
  await pass(100);
  ends.push(last(engine.generate({} as GenerateRequest, NEVER)));
  for (const end of ends) end.catch(() => {});
  await until(() => replies.length === 2);
  expect(state.ends).toEqual([]);
  await pass(40);
  expect(state).toMatchObject({ isTerminated: true, ends: ["a step of the model did not end"] });
  for (const end of ends) await expect(end).rejects.toMatchObject({ code: "engine_lost" });
});

test.each([
  [{ engine: "llamacpp" }, 121],
  [{ engine: "llamacpp", vision: true }, 601],
  [{ engine: "webllm" }, 601],
] as const)(
  "an engine whose prompts cannot be interrupted, %o, is lost after %d s without a pass, and never for an abort",
  async (info, seconds) => {
    const abort = new AbortController();
    const { engine, replies, state } = await startFakeEngine(info);
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const end = last(engine.generate({} as GenerateRequest, abort.signal));
    end.catch(() => {});
    await until(() => replies.length === 1);
    await pass(seconds - 10);
    state.passes++;
    abort.abort();
    await pass(seconds - 10);
    expect(state.ends).toEqual([]);
    await pass(20);
    expect(state.ends).toEqual(["a step of the model did not end"]);
    await expect(end).rejects.toMatchObject({ code: "engine_lost" });
  },
);

test("a prompt whose tokens are not counted in two minutes ends the engine, and only its own request for good", async () => {
  const { engine, replies, state } = await startFakeEngine(BATCH);
  state.counting = new Promise(() => {});
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const reply = last(engine.generate({} as GenerateRequest, NEVER));
  reply.catch(() => {});
  await until(() => replies.length === 1);
  const count = engine.countTokens("a text");
  count.catch(() => {});
  await pass(100, () => state.passes++);
  expect(state.ends).toEqual([]);
  await pass(30, () => state.passes++);
  await expect(count).rejects.toMatchObject({
    code: "invalid_request",
    message: "The model's tokenizer did not get through the text in 2 minutes. Send a shorter one.",
  });
  expect(state).toMatchObject({ isTerminated: true, ends: ["its tokenizer did not end"] });
  await expect(reply).rejects.toMatchObject({ code: "engine_lost" });
});

test("an engine that hung before a prompt's tokens were to be counted is lost, and the prompt not refused", async () => {
  const { engine, state } = await startFakeEngine(BATCH);
  state.pinged = state.counting = new Promise(() => {});
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const count = engine.countTokens("a text");
  count.catch(() => {});
  await pass(130);
  await expect(count).rejects.toMatchObject({ code: "engine_lost" });
  expect(state).toMatchObject({ isTerminated: true, ends: ["it did not answer"] });
});

test("an engine that hangs after the scores of a prompt is replaced", async () => {
  const { ends, replies, state } = await startReplies([NEVER]);
  replies[0]!.tell({ type: "prompt", tokens: [], usage: USAGE });
  await pass(150);
  await expect(ends[0]).rejects.toMatchObject({ code: "engine_lost" });
  expect(state.ends).toHaveLength(1);
});

test("a request that cannot be posted to the engine fails at once, and alone", async () => {
  const { engine, replies, state } = await startFakeEngine(BATCH);
  const unpostable = { prompt: () => {} } as unknown as GenerateRequest;
  await expect(last(engine.generate(unpostable, NEVER))).rejects.toMatchObject({ code: "reply_failed" });
  const end = last(engine.generate({} as GenerateRequest, NEVER));
  await until(() => replies.length === 1);
  replies[0]!.tell(FINISH);
  expect(await end).toEqual(FINISH);
  expect(state.ends).toEqual([]);
});

test("a reader that pauses, before the end or after it, is no engine that hangs", async () => {
  const { engine, replies, state } = await startFakeEngine(BATCH);
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const steps = engine.generate({} as GenerateRequest, NEVER);
  const first = steps.next();
  await until(() => replies.length === 1);
  replies[0]!.tell({ type: "reply", events: [], logprobs: [], usage: USAGE });
  await first;
  await pass(150, () => state.passes++);
  replies[0]!.tell(FINISH);
  await pass(150);
  expect(state.ends).toEqual([]);
  expect(await last(steps)).toEqual(FINISH);
});
