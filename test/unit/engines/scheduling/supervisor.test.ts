import { beforeEach, describe, expect, test } from "vitest";
import { systemTimers } from "../../../../worker/clock.ts";
import { EngineError } from "../../../../worker/engine-api/engine-error.ts";
import { MemoryBudget } from "../../../../worker/engines/memory/memory-budget.ts";
import { EngineSupervisor } from "../../../../worker/engines/scheduling/supervisor.ts";
import { FakeClock } from "../../../fakes/fake-clock.ts";

interface Model {
  id: string;
  memoryBytes: number;
  keepLoaded?: boolean;
}

/** An engine whose load and loss the test controls. */
class Engine {
  readonly info = { parallel: 2 };
  disposed: string | undefined;
  readonly #onEnd: (reason: string) => void;

  constructor(onEnd: (reason: string) => void) {
    this.#onEnd = onEnd;
  }

  dispose(reason: string): void {
    this.disposed = reason;
    this.#onEnd(reason);
  }
}

const never = new AbortController().signal;
const a: Model = { id: "a", memoryBytes: 60 };
const b: Model = { id: "b", memoryBytes: 60 };

let events: string[];
let loads: {
  model: string;
  plan: (memoryBytes: number, neededBytes?: number) => void;
  finish: () => void;
  fail: (error: unknown) => void;
}[];
/** Of the `progress` events. */
let progressFields: string[];
let supervisor: EngineSupervisor<Engine, Model>;

beforeEach(() => {
  events = [];
  loads = [];
  progressFields = [];
  const memory = new MemoryBudget({
    limitBytes: 100,
    isStrict: true,
    keepAliveMs: -1,
    maxWaiting: 8,
    timers: systemTimers,
  });
  supervisor = new EngineSupervisor<Engine, Model>({
    start: ({ id }, { onProgress, onEnd, signal }) =>
      new Promise((resolve, reject) => {
        signal.addEventListener("abort", () => {
          onEnd(String(signal.reason));
          reject(new EngineError("engine_lost", "The worker ended."));
        });
        const plan = (memoryBytes: number, neededBytes = memoryBytes) =>
          onProgress({
            phase: "download",
            loadedBytes: 0,
            totalBytes: 10,
            fraction: 0,
            memoryBytes,
            neededBytes,
          });
        loads.push({ model: id, plan, finish: () => resolve(new Engine(onEnd)), fail: reject });
      }),
    emit: (event) => {
      if (event.type === "engine") events.push(`${event.state} ${event.model}: ${event.reason ?? ""}`);
      else progressFields.push(...Object.keys(event));
    },
    maxQueued: 8,
    clock: new FakeClock(0),
    memory,
  });
});

/** Waits for load `number` to start, then completes it. */
async function finishLoad(number: number): Promise<void> {
  await expect.poll(() => loads.length, { interval: 1 }).toBe(number);
  loads.at(-1)!.finish();
}

describe("a load", () => {
  test("is shared, and the next caller begins another one where it failed", async () => {
    const both = Promise.allSettled([supervisor.engine(a), supervisor.engine(a)]);
    await expect.poll(() => loads.length, { interval: 1 }).toBe(1);
    loads[0]!.fail(new EngineError("model_load_failed", "Broken."));
    expect((await both).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    const again = supervisor.engine(a);
    await finishLoad(2);
    expect(await again).toBeInstanceOf(Engine);
  });

  test("whose engine is lost begins once more, with all idle models gone; lost again it is a clear error", async () => {
    const small = { id: "small", memoryBytes: 10 };
    const first = supervisor.use(small, never, async () => {});
    await finishLoad(1);
    await first;
    const loading = supervisor.engine(a);
    await expect.poll(() => loads.length, { interval: 1 }).toBe(2);
    loads[1]!.fail(new EngineError("out_of_memory", "The GPU is full."));
    await expect.poll(() => loads.length, { interval: 1 }).toBe(3);
    expect(events.at(-1)).toBe("unloaded small: its memory was needed for 'a'");
    loads[2]!.fail(new EngineError("out_of_memory", "The GPU is full."));
    await expect(loading).rejects.toMatchObject({
      code: "insufficient_memory",
      message: "The engine was lost twice in a row. The GPU is full.",
    });
  });

  test("that is cancelled is told to whoever waits, and leaves room at once", async () => {
    const hold = supervisor.hold(a, never);
    const waiting = supervisor.engine(a);
    await expect.poll(() => loads.length, { interval: 1 }).toBe(1);
    supervisor.cancel("a");
    await expect(waiting).rejects.toMatchObject({ code: "load_cancelled" });
    (await hold).release();
    const other = supervisor.engine(b);
    await finishLoad(2);
    await other;
    expect(events).toEqual(["unloaded a: it was unloaded", "loaded b: "]);
  });

  test("that is cancelled before it notices leaves its callers and the next load at once, and no engine", async () => {
    const late: Engine[] = [];
    const starts: ((engine: Engine) => void)[] = [];
    const slow = new EngineSupervisor<Engine, Model>({
      start: () => new Promise((resolve) => starts.push(resolve)),
      emit: () => {},
      maxQueued: 8,
      clock: new FakeClock(0),
    });
    const waiting = slow.use(a, never, async () => {});
    await expect.poll(() => starts.length, { interval: 1 }).toBe(1);
    slow.cancel("a");
    await expect(waiting).rejects.toMatchObject({ code: "load_cancelled" });
    const next = slow.engine(a);
    await expect.poll(() => starts.length, { interval: 1 }).toBe(2);
    for (const start of starts) {
      late.push(new Engine(() => {}));
      start(late.at(-1)!);
    }
    expect(await next).toBe(late[1]);
    expect(late.map(({ disposed }) => disposed)).toEqual(["it was unloaded", undefined]);
  });

  test("that nobody waits for any more goes on, until somebody needs its memory", async () => {
    const abort = new AbortController();
    const left = supervisor.use(a, abort.signal, async () => {});
    await expect.poll(() => loads.length, { interval: 1 }).toBe(1);
    abort.abort(new Error("Enough."));
    await expect(left).rejects.toThrow("Enough.");
    expect(events).toEqual([]);
    const other = supervisor.engine(b);
    await finishLoad(2);
    await other;
    expect(events[0]).toBe("unloaded a: its memory was needed for 'b'");
  });
});

test("a cancel leaves a model alone that is loaded", async () => {
  const loading = supervisor.engine(a);
  await finishLoad(1);
  const engine = await loading;
  supervisor.cancel("a");
  expect([engine.disposed, supervisor.loaded("a")]).toEqual([undefined, engine]);
});

test("a model's queue admits as many requests as its engine runs, once it is loaded", async () => {
  const queue = supervisor.queue("a");
  const first = await queue.enter(never);
  const second = queue.enter(never);
  expect([queue.running, queue.waiting]).toEqual([1, 1]);
  const loading = supervisor.engine(a);
  await finishLoad(1);
  await loading;
  expect([queue.running, queue.waiting]).toEqual([2, 0]);
  for (const turn of [first, await second]) turn.release();
});

test("unloading waits for requests that run, and not by force", async () => {
  const loading = supervisor.engine(a);
  await finishLoad(1);
  const engine = await loading;
  const turn = await supervisor.queue("a").enter(never, { arrival: 7 });
  let isUnloaded = false;
  const unloaded = supervisor.unload("a").then(() => {
    isUnloaded = true;
  });
  const later = supervisor.queue("a").enter(never, { arrival: 8 });
  await new Promise((resume) => setImmediate(resume));
  expect([isUnloaded, engine.disposed]).toEqual([false, undefined]);
  await supervisor.unload("a", { force: true });
  expect(engine.disposed).toBe("it was unloaded");
  expect(isUnloaded).toBe(false);
  turn.release();
  await unloaded;
  (await later).release();
});

test("an engine that ends by itself gives its room back and is replaced for whoever holds the model", async () => {
  const holding = supervisor.hold(a, never);
  await finishLoad(1);
  const hold = await holding;
  (await supervisor.engine(a)).dispose("its worker ended");
  expect(events.at(-1)).toBe("lost a: its worker ended");
  const again = supervisor.engine(a);
  await finishLoad(2);
  expect((await again).disposed).toBeUndefined();
  hold.release();
});

test("a load that plans more memory than its record says evicts idle models before it takes it", async () => {
  const small = { id: "small", memoryBytes: 10 };
  const idle = await supervisor.hold(small, never);
  loads[0]!.finish();
  await supervisor.engine(small);
  idle.release();
  const hold = await supervisor.hold(a, never);
  loads[1]!.plan(95);
  expect(events.at(-1)).toBe("unloaded small: its memory was needed for 'a'");
  expect(progressFields).not.toContain("memoryBytes");
  loads[1]!.finish();
  await supervisor.engine(a);
  hold.release();
  // The next load makes room for the plan from the start.
  await supervisor.unload("a");
  const again = await supervisor.hold(small, never);
  loads[2]!.finish();
  await supervisor.engine(small);
  again.release();
  await supervisor.hold(a, never);
  expect(events.at(-1)).toBe("unloaded small: its memory was needed for 'a'");
});

test("a model that took more than it needs comes back beside another one; a deleted one is measured anew", async () => {
  const other = { id: "other", memoryBytes: 40 };
  const hold = await supervisor.hold(a, never);
  loads[0]!.plan(95, 55);
  loads[0]!.finish();
  await supervisor.engine(a);
  hold.release();
  const second = await supervisor.hold(other, never);
  loads[1]!.finish();
  await supervisor.engine(other);
  second.release();
  expect(events).toContain("unloaded a: its memory was needed for 'other'");
  // It enters with 55 beside 40, where its record says 60.
  (await supervisor.hold({ ...a, memoryBytes: 95 }, never)).release();
  expect(events.filter((event) => event.startsWith("unloaded other"))).toEqual([]);
  await supervisor.retire("a");
  (await supervisor.hold({ ...a, memoryBytes: 95 }, never)).release();
  expect(events).toContain("unloaded other: its memory was needed for 'a'");
});
