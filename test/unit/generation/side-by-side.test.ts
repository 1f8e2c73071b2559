import { expect, test } from "vitest";
import { ModelQueue } from "../../../worker/engines/scheduling/model-queue.ts";
import { type ChoiceEvent, Lane, sideBySide } from "../../../worker/generation/side-by-side.ts";
import { fc } from "../../support/random.ts";

const usage = { promptTokens: 1, cachedTokens: 0, completionTokens: 1, reasoningTokens: 0 };
const NEVER = new AbortController().signal;

interface Options {
  choices: number;
  width: number;
  signal?: AbortSignal;
  /** Steps of each choice. */
  steps?: (choice: number) => number;
  /** The choice that throws after its first step. */
  failing?: number;
}

/** Choices whose steps take a turn of the event loop each. */
async function start({ choices, width, signal = NEVER, steps = () => 3, failing }: Options) {
  const queue = new ModelQueue(9);
  queue.width = width;
  const state = { running: 0, most: 0, started: [] as number[], queue };
  async function* run(choice: number, _: Lane, ended: AbortSignal): AsyncGenerator<ChoiceEvent, void> {
    state.started.push(choice);
    state.most = Math.max(state.most, ++state.running);
    try {
      for (let step = 0; step < steps(choice) && !ended.aborted; step++) {
        await new Promise((resolve) => setImmediate(resolve));
        yield {
          type: "reply",
          choice,
          events: [{ type: "text", text: "a" }],
          logprobs: [],
          usage,
        };
        if (choice === failing) throw new Error(`choice ${choice}`);
      }
      yield { type: "finish", choice, reason: ended.aborted ? "abort" : "stop", usage };
    } finally {
      state.running--;
    }
  }
  const own = await Lane.enter(queue, NEVER, { arrival: 1 });
  const enter = (ended: AbortSignal) => Lane.enter(queue, ended, { arrival: 1, isFurther: true });
  return { state, events: sideBySide(own, { choices, run, enter, signal }) };
}

async function isFree(queue: ModelQueue): Promise<boolean> {
  const turn = await Promise.race([
    queue.enter(NEVER, { isAlone: true }),
    new Promise<undefined>((resolve) => setTimeout(resolve, 50)),
  ]);
  return turn !== undefined;
}

test("every choice runs once, as many at a time as leave one place free, and all turns are given back", async () => {
  const numbers = { choices: fc.integer({ min: 2, max: 12 }), width: fc.integer({ min: 1, max: 6 }) };
  await fc.assert(
    fc.asyncProperty(fc.record(numbers), fc.array(fc.nat(5), { minLength: 12 }), async (sizes, lengths) => {
      const { state, events } = await start({ ...sizes, steps: (choice) => lengths[choice]! });
      const told = new Map<number, string>();
      for await (const event of events) {
        const text = told.get(event.choice) ?? "";
        expect(text.endsWith(".")).toBe(false);
        told.set(event.choice, text + (event.type === "finish" ? "." : "a"));
      }
      expect(told.size).toBe(sizes.choices);
      for (const [choice, text] of told) expect(text).toBe(`${"a".repeat(lengths[choice]!)}.`);
      expect(state.most).toBeLessThanOrEqual(Math.max(1, sizes.width - 1));
      expect(state.running).toBe(0);
      expect(await isFree(state.queue)).toBe(true);
    }),
    { numRuns: 40 },
  );
  const { state, events } = await start({ choices: 9, width: 4 });
  for await (const _ of events);
  expect(state.most).toBe(3);
});

test("an abort ends all running choices, a reader that leaves and a failure end them, too", async () => {
  const abort = new AbortController();
  const aborted = await start({ choices: 9, width: 4, signal: abort.signal, steps: () => 1_000 });
  const all: ChoiceEvent[] = [];
  for await (const event of aborted.events) if (all.push(event) === 20) abort.abort();
  expect(all.filter(({ type }) => type === "finish")).toMatchObject(Array(3).fill({ reason: "abort" }));
  expect(aborted.state.started).toHaveLength(3);
  expect(await isFree(aborted.state.queue)).toBe(true);

  const left = await start({ choices: 9, width: 4, steps: () => 1_000 });
  let seen = 0;
  for await (const _ of left.events) if (++seen === 20) break;
  expect([left.state.running, await isFree(left.state.queue)]).toEqual([0, true]);

  const failed = await start({ choices: 9, width: 4, steps: () => 1_000, failing: 2 });
  await expect(async () => {
    for await (const _ of failed.events);
  }).rejects.toThrow("choice 2");
  expect([failed.state.running, await isFree(failed.state.queue)]).toEqual([0, true]);
});

test("a request goes on with its own place while others take all further ones", async () => {
  const { state, events } = await start({ choices: 4, width: 2 });
  const short = await state.queue.enter(NEVER, { arrival: 2 });
  const order: number[] = [];
  for await (const { type, choice } of events) if (type === "finish") order.push(choice);
  expect([order, state.most]).toEqual([[0, 1, 2, 3], 1]);
  short.release();
});
