import { expect, test } from "vitest";
import { ModelQueue, type Turn } from "../../../worker/engines/scheduling/model-queue.ts";
import { concurrentChoices } from "../../../worker/generation/choices/concurrent-choices.ts";
import type { ChoiceEvent } from "../../../worker/generation/choices/sequential-choices.ts";
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
  /** Of other requests, too. */
  queue?: ModelQueue;
  arrival?: number;
}

/** Choices whose steps take a turn of the event loop each. */
async function start({ choices, width, signal = NEVER, steps = () => 3, failing, ...more }: Options) {
  const { queue = new ModelQueue(9), arrival = 1 } = more;
  queue.adapt({ parallel: width });
  const state = { running: 0, most: 0, started: [] as number[], queue };
  async function* run(choice: number, _: Turn, ended: AbortSignal): AsyncGenerator<ChoiceEvent, void> {
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
      yield ended.aborted
        ? { type: "abort", choice, usage }
        : { type: "finish", choice, reason: "stop", usage };
    } finally {
      state.running--;
    }
  }
  const own = await queue.enter(NEVER, { arrival });
  const enter = (ended: AbortSignal) => queue.enter(ended, { arrival, isFurther: true });
  return { state, events: concurrentChoices(own, { choices, run, enter, signal }) };
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
  expect(all.filter(({ type }) => type === "abort")).toHaveLength(3);
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

test("requests of several choices that take all places let each waiting request run after one choice", async () => {
  const queue = new ModelQueue(99);
  const two = [
    await start({ choices: 5, width: 2, queue, arrival: 1 }),
    await start({ choices: 5, width: 2, queue, arrival: 2 }),
  ];
  const ends: string[] = [];
  const all = two.map(async ({ events }, which) => {
    for await (const { type, choice } of events) if (type === "finish") ends.push(`${"ab"[which]}${choice}`);
  });
  for (let arrival = 3; arrival < 7; arrival++)
    all.push(
      queue.enter(NEVER, { arrival }).then((turn) => {
        ends.push(`short ${arrival}`);
        turn.release();
      }),
    );
  await Promise.all(all);
  expect(ends.slice(0, 6).filter((end) => end.startsWith("short"))).toHaveLength(4);
  expect(ends.toSorted().slice(0, 10)).toEqual(
    [..."ab"].flatMap((which) => [0, 1, 2, 3, 4].map((choice) => which + choice)),
  );
  expect(await isFree(queue)).toBe(true);
});

test("a request of several choices goes on beside requests without an end", async () => {
  const queue = new ModelQueue(99);
  const { events, state } = await start({ choices: 4, width: 1, queue });
  let arrivals = 1;
  let isOver = false;
  const others = Array.from({ length: 3 }, async () => {
    while (!isOver) {
      const turn = await queue.enter(NEVER, { arrival: ++arrivals });
      await new Promise((resolve) => setImmediate(resolve));
      turn.release();
    }
  });
  for await (const _ of events);
  isOver = true;
  await Promise.all(others);
  expect(state.started).toEqual([0, 1, 2, 3]);
  // Three come at first, and three more after each choice.
  expect(arrivals).toBeLessThanOrEqual(1 + 3 + 4 * 3);
});

test("an abort between two choices ends the request without its place", async () => {
  const queue = new ModelQueue(99);
  const abort = new AbortController();
  const { events, state } = await start({ choices: 4, width: 1, queue, signal: abort.signal });
  const blocking = queue.enter(NEVER, { arrival: 2 });
  void blocking.then(() => abort.abort());
  for await (const _ of events);
  expect(state.started).toEqual([0]);
  (await blocking).release();
  expect(await isFree(queue)).toBe(true);
});

test("a request whose choices have all ended ends at once, however many others wait", async () => {
  const queue = new ModelQueue(99);
  const { events, state } = await start({ choices: 2, width: 3, queue, steps: (choice) => 3 + 3 * choice });
  await events.next();
  expect(state.started).toEqual([0, 1]);
  const others = [2, 3, 4, 5].map((arrival) => queue.enter(NEVER, { arrival }));
  const ends: ChoiceEvent[] = [];
  for await (const event of events) if (event.type === "finish") ends.push(event);
  expect(ends).toMatchObject([
    { choice: 0, reason: "stop" },
    { choice: 1, reason: "stop" },
  ]);
  for (const other of others) (await other).release();
  expect([queue.running, queue.waiting]).toEqual([0, 0]);
});
