import { beforeEach, describe, expect, test } from "vitest";
import type { Timers } from "../../../../worker/clock.ts";
import { MemoryBudget, type MemoryOptions } from "../../../../worker/engines/memory/memory-budget.ts";
import { fc } from "../../../support/random.ts";

/** Timers that fire only when `advance` is called. */
class FakeTimers implements Timers {
  #nowMs = 0;
  #calls: { atMs: number; call: () => void }[] = [];

  after(delayMs: number, call: () => void): () => void {
    const entry = { atMs: this.#nowMs + delayMs, call };
    this.#calls.push(entry);
    return () => {
      this.#calls = this.#calls.filter((one) => one !== entry);
    };
  }

  advance(ms: number): void {
    this.#nowMs += ms;
    const due = this.#calls.filter(({ atMs }) => atMs <= this.#nowMs);
    this.#calls = this.#calls.filter(({ atMs }) => atMs > this.#nowMs);
    for (const { call } of due) call();
  }
}

const never = new AbortController().signal;
let timers: FakeTimers;
let evicted: string[];
beforeEach(() => {
  timers = new FakeTimers();
  evicted = [];
});

function budget(limitBytes: number, options: Partial<MemoryOptions> = {}): MemoryBudget {
  return new MemoryBudget({
    limitBytes,
    isStrict: true,
    keepAliveMs: -1,
    maxWaiting: 64,
    timers,
    ...options,
  });
}

function evictable(id: string, bytes: number, isPinned = false) {
  return { id, bytes, isPinned, evict: (reason: string) => void evicted.push(`${id}: ${reason}`) };
}

/** True if the promise is already settled. */
async function isOpen(promise: Promise<unknown>): Promise<boolean> {
  const pending = Symbol();
  await Promise.resolve();
  return (await Promise.race([promise.catch(() => {}), Promise.resolve(pending)])) !== pending;
}

const here = (memory: MemoryBudget): string[] => memory.entries().map(({ model: { id } }) => id);

describe("what one model may use", () => {
  test("is free beside the others, and with an eviction what pinned ones leave", async () => {
    const memory = budget(100);
    expect(memory.roomFor("new")).toEqual({ freeBytes: 100, idleBytes: 0, mostBytes: 100 });
    await memory.enter(evictable("pinned", 20, true), "hold", never);
    await memory.enter(evictable("idle", 30), "hold", never);
    await memory.enter(evictable("own", 10), "hold", never);
    expect(memory.roomFor("own")).toEqual({ freeBytes: 50, idleBytes: 0, mostBytes: 80 });
    memory.release("idle");
    expect(memory.roomFor("own")).toEqual({ freeBytes: 50, idleBytes: 30, mostBytes: 80 });
  });

  test("has no bound where the budget is an estimate", async () => {
    const memory = budget(100, { isStrict: false });
    await memory.enter(evictable("large", 120), "hold", never);
    expect(memory.roomFor("own")).toEqual({
      freeBytes: 0,
      idleBytes: 0,
      mostBytes: Number.POSITIVE_INFINITY,
    });
  });
});

describe("room", () => {
  test("is made by the models that were not used for the longest, and by no more of them than needed", async () => {
    const memory = budget(100);
    for (const id of ["a", "b", "c"]) {
      await memory.enter(evictable(id, 30), "hold", never);
      memory.release(id);
    }
    await memory.enter(evictable("a", 30), "hold", never);
    memory.release("a");
    await memory.enter(evictable("d", 30), "hold", never);
    expect(here(memory)).toEqual(["c", "a", "d"]);
    expect(evicted).toEqual(["b: its memory was needed for 'd'"]);
  });

  test("is not made by a small model where a large one has to leave anyway", async () => {
    const memory = budget(100);
    for (const [id, bytes] of [
      ["small", 30],
      ["large", 60],
    ] as const) {
      await memory.enter(evictable(id, bytes), "hold", never);
      memory.release(id);
    }
    await memory.enter(evictable("other", 60), "hold", never);
    expect(here(memory)).toEqual(["small", "other"]);
  });

  test("is waited for while a model is in use, and a later request for that model waits behind", async () => {
    const memory = budget(100);
    await memory.enter(evictable("a", 80), "hold", never);
    const b = memory.enter(evictable("b", 80), "hold", never);
    const a = memory.enter(evictable("a", 80), "hold", never);
    expect([await isOpen(b), await isOpen(a)]).toEqual([false, false]);
    memory.release("a");
    await b;
    expect([here(memory), await isOpen(a)]).toEqual([["b"], false]);
    memory.release("b");
    await a;
    expect(here(memory)).toEqual(["a"]);
  });

  test("that one waits for keeps nobody else from a model that stays", async () => {
    const memory = budget(100);
    await memory.enter(evictable("a", 60), "hold", never);
    await memory.enter(evictable("small", 10), "hold", never);
    const b = memory.enter(evictable("b", 60), "hold", never);
    await memory.enter(evictable("small", 10), "hold", never);
    expect(await isOpen(b)).toBe(false);
    memory.release("a");
    await b;
    expect(evicted).toEqual(["a: its memory was needed for 'b'"]);
  });

  test("is given to the next one when whoever waits gives up", async () => {
    const memory = budget(100);
    await memory.enter(evictable("a", 80), "hold", never);
    const abort = new AbortController();
    const b = memory.enter(evictable("b", 80), "hold", abort.signal);
    const a = memory.enter(evictable("a", 80), "hold", never);
    abort.abort(new Error("Enough."));
    await expect(b).rejects.toThrow("Enough.");
    await a;
    expect(evicted).toEqual([]);
  });

  test("is refused at once where there can be none", async () => {
    const memory = budget(100);
    await expect(memory.enter(evictable("huge", 101), "hold", never)).rejects.toMatchObject({
      code: "insufficient_memory",
      message: expect.stringMatching(/'huge'.*more than the whole memory budget/),
    });
    await memory.enter(evictable("kept", 60, true), "hold", never);
    memory.release("kept");
    await expect(memory.enter(evictable("b", 60), "hold", never)).rejects.toThrow(/kept loaded/);
    expect(here(memory)).toEqual(["kept"]);
  });

  test("is what the pinned models leave where a smaller context may fit into that", async () => {
    const memory = budget(100);
    await memory.enter(evictable("kept", 30, true), "hold", never);
    await memory.enter(evictable("idle", 20), "hold", never);
    memory.release("idle");
    await memory.enter({ ...evictable("a", 90), leastBytes: 60 }, "hold", never);
    expect(memory.entries().map(({ model: { id }, bytes }) => [id, bytes])).toEqual([
      ["kept", 30],
      ["a", 70],
    ]);
    memory.leave("a");
    const larger = { ...evictable("b", 90), leastBytes: 71 };
    await expect(memory.enter(larger, "hold", never)).rejects.toThrow(/kept loaded/);
  });

  test("that is only guessed refuses nobody: the largest runs alone", async () => {
    const memory = budget(100, { isStrict: false });
    await memory.enter(evictable("a", 50), "hold", never);
    memory.release("a");
    await memory.enter(evictable("huge", 500), "hold", never);
    expect(here(memory)).toEqual(["huge"]);
  });

  test("is made again when a model turns out larger than was thought", async () => {
    const memory = budget(100);
    await memory.enter(evictable("a", 40), "hold", never);
    memory.release("a");
    await memory.enter(evictable("b", 0), "hold", never);
    memory.settle("b", 70);
    expect(here(memory)).toEqual(["b"]);
  });

  test("is made as soon as it can be when a model turned out larger while all were in use", async () => {
    const memory = budget(100);
    await memory.enter(evictable("small", 20), "hold", never);
    await memory.enter(evictable("large", 20), "hold", never);
    memory.settle("large", 95);
    expect(evicted).toEqual([]);
    memory.release("large");
    memory.release("small");
    expect(evicted).toEqual(["large: its memory was needed for 'small'"]);
  });

  test("has a queue of its own with an end", async () => {
    const memory = budget(100, { maxWaiting: 1 });
    await memory.enter(evictable("a", 80), "hold", never);
    void memory.enter(evictable("b", 80), "hold", never);
    await expect(memory.enter(evictable("c", 80), "hold", never)).rejects.toMatchObject({
      code: "queue_full",
      message: "The queue of 1 for memory is full. Try again in a moment.",
    });
  });
});

test("whoever holds a model whose engine was lost gets it back although others wait for its memory", async () => {
  const memory = budget(100);
  await memory.enter(evictable("a", 80), "hold", never);
  await memory.enter(evictable("a", 80), "hold", never);
  const b = memory.enter(evictable("b", 80), "hold", never);
  memory.leave("a");
  await b;
  const renewal = memory.enter(evictable("a", 80), "renew", never);
  expect(await isOpen(renewal)).toBe(false);
  memory.release("b");
  await renewal;
  const again = memory.enter(evictable("b", 80), "hold", never);
  await memory.enter(evictable("a", 80), "renew", never);
  memory.release("a");
  expect(await isOpen(again)).toBe(false);
  memory.release("a");
  await again;
});

describe("a model that nobody uses", () => {
  test("leaves after a while, which begins again with each use; one that is kept loaded does not", async () => {
    const memory = budget(100, { keepAliveMs: 1000 });
    await memory.enter(evictable("a", 10), "hold", never);
    await memory.enter(evictable("kept", 10, true), "hold", never);
    memory.release("a");
    memory.release("kept");
    timers.advance(999);
    await memory.enter(evictable("a", 10), "hold", never);
    timers.advance(5000);
    expect(here(memory)).toEqual(["kept", "a"]);
    memory.release("a");
    timers.advance(1000);
    expect(here(memory)).toEqual(["kept"]);
    expect(evicted).toEqual(["a: it was idle for 1 s"]);
  });

  test("leaves at once where it is kept for no time", async () => {
    const memory = budget(100, { keepAliveMs: 0 });
    await memory.enter(evictable("a", 10), "hold", never);
    memory.release("a");
    expect(here(memory)).toEqual([]);
  });
});

test("whatever is asked, lost and given up, nobody waits for ever and no model in use leaves", async () => {
  const request = fc.record({
    model: fc.constantFrom("a", "b", "c", "d"),
    steps: fc.array(fc.constantFrom("work", "lose", "renew"), { maxLength: 4 }),
    givesUp: fc.boolean(),
  });
  const sizes: Record<string, number> = { a: 30, b: 50, c: 80, d: 100 };
  await fc.assert(
    fc.asyncProperty(
      fc.array(request, { maxLength: 20 }),
      fc.array(fc.nat(), { maxLength: 60 }),
      async (requests, order) => {
        const memory = budget(100, { keepAliveMs: 1000 });
        const inUse = new Map<string, number>();
        const use = (id: string, change: number) => inUse.set(id, (inUse.get(id) ?? 0) + change);
        const wanted = (id: string) => ({
          ...evictable(id, sizes[id]!),
          evict: () => expect(inUse.get(id) ?? 0).toBe(0),
        });
        const gates: (() => void)[] = [];
        const pause = () => new Promise<void>((resolve) => void gates.push(resolve));
        const run = async ({ model, steps, givesUp }: (typeof requests)[number]): Promise<void> => {
          const abort = new AbortController();
          const entered = memory.enter(wanted(model), "hold", abort.signal);
          if (givesUp) void pause().then(() => abort.abort());
          try {
            await entered;
          } catch {
            return;
          }
          use(model, 1);
          for (const step of steps) {
            await pause();
            if (step === "lose") memory.leave(model);
            if (step === "renew") await memory.enter(wanted(model), "renew", never);
            const bytes = memory.entries().reduce((sum, entry) => sum + entry.bytes, 0);
            expect(bytes).toBeLessThanOrEqual(100);
          }
          await pause();
          use(model, -1);
          memory.release(model);
        };
        const all = Promise.all(requests.map(run));
        let isDone = false;
        void all.then(() => {
          isDone = true;
        });
        for (let at = 0; !isDone; at++) {
          for (let turn = 0; turn < 10; turn++) await Promise.resolve();
          if (isDone) break;
          // Requests remain but none waits at a gate: deadlock.
          expect(gates.length).toBeGreaterThan(0);
          gates.splice((order[at % order.length] ?? 0) % gates.length, 1)[0]!();
        }
        await all;
      },
    ),
    { numRuns: 300 },
  );
});
