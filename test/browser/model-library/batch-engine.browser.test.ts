/** The batch engine on the real library, with replies that begin, wait for pages and are aborted at random. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { EngineStep, GenerateRequest } from "../../../worker/engine-api/chat-engine.ts";
import { neutralSampling } from "../../support/neutral-sampling.ts";
import { fc, seed } from "../../support/random.ts";
import { startBatch, startSingle } from "./support/two-engines.ts";

const OPERATIONS = 500;
/** 31 pages, which two long conversations fill. */
const CONTEXT = 480;
const LONGEST_PROMPT = 400;
const WIDTH = 4;
/** Some wait for a place. */
const MOST_AT_ONCE = 6;
/** Prompts go on from one of so many conversations. */
const RECENT = 4;
const CHUNK = 48;
const NEVER = new AbortController().signal;

let batch: Awaited<ReturnType<typeof startBatch>>;
let single: Awaited<ReturnType<typeof startSingle>>;
beforeAll(async () => {
  batch = await startBatch(CONTEXT, WIDTH);
  single = await startSingle(CONTEXT);
});
afterAll(() => Promise.all([batch.close(), single.close()]));

async function read(steps: AsyncIterable<EngineStep>) {
  let text = "";
  for await (const step of steps) {
    if (step.type === "finish") return { text, reason: step.reason, usage: step.usage };
    if (step.type === "reply")
      for (const event of step.events) text += event.type === "text" ? event.text : "";
  }
  throw new Error("The reply has no end.");
}
type Ended = Awaited<ReturnType<typeof read>>;

/** What does not depend on what is in the cache. */
const contentOf = ({ text, reason, usage }: Ended) => ({
  text,
  reason,
  usage: { ...usage, cachedTokens: 0 },
});

const sampling = fc.constantFrom(
  { temperature: 0 },
  { temperature: 0, frequencyPenalty: 0.7 },
  { temperature: 1 },
  { temperature: 0.8, topP: 0.9, presencePenalty: 0.5 },
  { temperature: 1.2, topK: 20, minP: 0.02 },
);
const send = fc.record({
  kind: fc.constant("send" as const),
  /** The earlier conversation, and the percentage of it, that the prompt begins with. */
  which: fc.nat({ max: 1_000 }),
  share: fc.constantFrom(0, 50, 70, 90, 100, 100),
  tail: fc.string({ unit: "grapheme-ascii", minLength: 4, maxLength: 90, size: "max" }),
  sampling,
  randomState: fc.bigInt({ min: 0n, max: 2n ** 62n }),
  maxTokens: fc.integer({ min: 1, max: 12 }),
  cacheScope: fc.constantFrom("a", "a", "b"),
});
const operation = fc.oneof(
  { weight: 5, arbitrary: send },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("abort" as const), which: fc.nat({ max: 1_000 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("wait" as const), passes: fc.integer({ min: 1, max: 6 }) }),
  },
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;
type Send = Extract<Operation, { kind: "send" }>;

interface Sent {
  request: GenerateRequest;
  abort: AbortController;
  ended: Promise<Ended>;
}

function requestOf(
  { which, share, tail, sampling, randomState, maxTokens, cacheScope }: Send,
  known: string[],
) {
  const earlier = known.slice(-RECENT)[which % Math.min(known.length, RECENT)] ?? "";
  const length = Math.min((earlier.length * share) / 100, LONGEST_PROMPT - tail.length);
  const prompt = earlier.slice(0, length) + tail;
  const all = { ...neutralSampling, ...sampling, maxTokens };
  return { prompt, cacheScope, sampling: all, randomState, reader: { stop: [] } } satisfies GenerateRequest;
}

/** All pages are accounted for; with no reply running, none is active, and the library counts the same. */
function expectPages(total: number, isIdle: boolean): void {
  const { free, retained, active } = batch.cache.pages;
  expect([free + retained + active, Math.min(free, retained, active) >= 0]).toEqual([total, true]);
  if (!isIdle) return;
  expect(active).toBe(0);
  batch.cache.verify();
}

test(`after ${OPERATIONS} random operations each reply is web-llm's, and pages add up before each pass (seed ${seed})`, async () => {
  const { engine, steps, cache, counts } = batch;
  const [list] = fc.sample(
    fc.array(operation, { minLength: OPERATIONS, maxLength: OPERATIONS, size: "max" }),
    {
      seed,
      numRuns: 1,
    },
  );
  const total = engine.pages.total;
  const running = new Set<Sent>();
  const sent: Sent[] = [];
  const known: string[] = [];
  let target = 0;
  let resume = (): void => {};
  steps.check = () => {
    expectPages(total, false);
    cache.verify();
    if (steps.passes >= target) resume();
  };
  const passes = (count: number) =>
    new Promise<void>((resolve) => {
      target = steps.passes + count;
      resume = resolve;
    });
  for (const one of list!) {
    const all = [...running];
    if (one.kind === "abort") all[one.which % all.length]?.abort.abort();
    else if (one.kind === "wait") {
      // Without a reply there are no passes to wait for.
      if (all.length > 0) await Promise.race([passes(one.passes), ...all.map(({ ended }) => ended)]);
    } else {
      while (running.size >= MOST_AT_ONCE) await Promise.race([...running].map(({ ended }) => ended));
      const request = requestOf(one, known);
      const abort = new AbortController();
      const ended = read(engine.generate(request, abort.signal)).then((reply) => {
        running.delete(entry);
        known.push(request.prompt + reply.text);
        return reply;
      });
      const entry: Sent = { request, abort, ended };
      running.add(entry);
      sent.push(entry);
    }
    expectPages(total, running.size === 0);
  }
  const replies = await Promise.all(sent.map(({ ended }) => ended));
  expectPages(total, true);
  expect(engine.retainedTokens).toBeGreaterThan(0);
  for (const [what, count] of Object.entries(counts)) expect([what, count >= 5]).toEqual([what, true]);

  let aborted = 0;
  for (const [at, { request, abort }] of sent.entries()) {
    const got = replies[at]!;
    const expected = await read(single.engine.generate(request, NEVER));
    const what = `${at}: ${JSON.stringify(request.prompt)}`;
    // An aborted one lacks the text of its last step.
    if (abort.signal.aborted) {
      aborted++;
      expect([what, expected.text.slice(0, got.text.length)]).toEqual([what, got.text]);
      expect(got.usage.promptTokens).toBe(expected.usage.promptTokens);
    } else expect([what, contentOf(got)]).toEqual([what, contentOf(expected)]);
  }
  expect(aborted).toBeGreaterThan(5);
  console.log(`${sent.length} replies, ${aborted} aborted: ${JSON.stringify(counts)}`);
});

test("an abort in a prefill takes effect after the chunk that runs, whose tokens stay", async () => {
  const { engine, steps } = batch;
  const abort = new AbortController();
  const request = {
    ...requestOf({ tail: "x".repeat(200), randomState: 1n } as Send, []),
    cacheScope: "c",
    sampling: neutralSampling,
  };
  const before = steps.passes;
  steps.check = () => {
    if (steps.passes === before + 2) abort.abort();
  };
  expect(await read(engine.generate(request, abort.signal))).toMatchObject({ reason: "abort", text: "" });
  expect(steps.passes).toBe(before + 2);
  steps.check = () => {};
  const next = { ...request, sampling: { ...neutralSampling, maxTokens: 1 } };
  expect((await read(engine.generate(next, NEVER))).usage.cachedTokens).toBe(2 * CHUNK);
});
