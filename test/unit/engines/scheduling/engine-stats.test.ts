import { expect, test } from "vitest";
import type { StatsEvent } from "../../../../src/protocol/events.ts";
import { EngineStats } from "../../../../worker/engines/scheduling/engine-stats.ts";
import { EngineSupervisor } from "../../../../worker/engines/scheduling/supervisor.ts";
import { FakeClock } from "../../../fakes/fake-clock.ts";
import { FakeEngine } from "../../../fakes/fake-engine.ts";

const never = new AbortController().signal;
const turn = (): Promise<void> => new Promise((resume) => setImmediate(resume));

/** A supervisor with one listener; the test lets seconds pass. */
function world(engine = new FakeEngine({ reply: () => [] })) {
  const clock = new FakeClock(0);
  const engines = new EngineSupervisor({ start: async () => engine, emit: () => {}, maxQueued: 8, clock });
  const told: StatsEvent[] = [];
  const due: (() => void)[] = [];
  const state = { isWatched: true };
  const stats = new EngineStats(engines, {
    isWatched: () => state.isWatched,
    emit: (event) => told.push(event),
    timers: {
      after(_delay, call) {
        due.push(call);
        return () => {};
      },
    },
  });
  const second = async (): Promise<StatsEvent[]> => {
    clock.advance(1_000);
    for (const call of due.splice(0)) call();
    await turn();
    return told.splice(0);
  };
  const begin = async (): Promise<StatsEvent[]> => {
    stats.begin();
    await turn();
    return told.splice(0);
  };
  return { clock, engines, engine, state, due, second, begin };
}

const model = { id: "m", builds: {} };
const IDLE = { type: "stats", model: "m", running: 0, waiting: 0, tokensPerSecond: 0 };

test("a new listener gets every loaded model, and each that is loaded later; then events only come while one works, and once when it is idle", async () => {
  const { engines, engine, second, begin } = world();
  expect(await begin()).toEqual([]);
  await engines.engine(model, never);
  const pages = { total: 10, free: 7, retained: 3 };
  const idle = { ...IDLE, cacheHitRate: null, pages };
  expect(await second()).toEqual([idle]);
  expect(await second()).toEqual([]);
  await begin();
  expect(await second()).toEqual([idle]);
  expect(await second()).toEqual([]);

  const queue = engines.queue("m");
  const turns = [await queue.enter(never)];
  void queue.enter(never, { priority: "background" }).then((entered) => turns.push(entered));
  Object.assign(engine.counts, { promptTokens: 80, cachedTokens: 60, completionTokens: 30 });
  expect(await second()).toEqual([
    { ...IDLE, running: 1, waiting: 1, tokensPerSecond: 30, cacheHitRate: 0.75, pages },
  ]);
  turns[0]!.release();
  await turn();
  engine.counts.completionTokens = 35;
  expect(await second()).toMatchObject([{ running: 1, waiting: 0, tokensPerSecond: 5 }]);
  turns[1]!.release();
  expect(await second()).toMatchObject([IDLE]);
  expect(await second()).toEqual([]);

  // A request that came and went within the second.
  engine.counts.completionTokens = 45;
  expect(await second()).toMatchObject([{ running: 0, tokensPerSecond: 10 }]);
  expect(await second()).toMatchObject([IDLE]);
  expect(await second()).toEqual([]);
});

test("an engine without pages tells null; an unloaded model is not told of, and its successor is measured anew", async () => {
  const engine = new FakeEngine({ reply: () => [], engine: "llamacpp" });
  const { engines, second, begin } = world(engine);
  await engines.engine(model, never);
  expect(await begin()).toMatchObject([{ ...IDLE, pages: null }]);
  engine.counts.completionTokens = 500;
  const turn = await engines.queue("m").enter(never);
  await engines.unload("m", { force: true });
  expect(await second()).toEqual([]);
  turn.release();
});

test("requests that the engine suspends for others wait", async () => {
  const { engines, second, begin } = world();
  await engines.engine(model, never);
  await begin();
  const queue = engines.queue("m");
  queue.adapt({ parallel: 2, suspends: true });
  await queue.enter(never, { priority: "background" });
  for (let chat = 0; chat < 2; chat++) await queue.enter(never);
  void queue.enter(never);
  expect(await second()).toMatchObject([{ running: 2, waiting: 2 }]);
});

test("nothing is counted or asked for once the last listener has gone", async () => {
  const { engines, state, due, second, begin } = world();
  await engines.engine(model, never);
  await begin();
  state.isWatched = false;
  expect(await second()).toEqual([]);
  expect(due).toEqual([]);
  state.isWatched = true;
  expect(await begin()).toHaveLength(1);
});
