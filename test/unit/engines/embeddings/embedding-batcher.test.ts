import { describe, expect, test } from "vitest";
import { EngineError } from "../../../../worker/engine-api/engine-error.ts";
import {
  LENGTH_CLASSES,
  sourceOf,
  takeBatch,
} from "../../../../worker/engines/embeddings/embedding-batch.ts";
import { EmbeddingBatcher } from "../../../../worker/engines/embeddings/embedding-batcher.ts";
import { FakeEmbeddingEngine, fakeVector } from "../../../fakes/fake-embedding-engine.ts";
import { fc } from "../../../support/random.ts";

const never = (): AbortSignal => new AbortController().signal;
const tokensOf = (length: number, first = 5): number[] => [first, ...Array<number>(length - 1).fill(7)];

/** A batcher that starts a new engine after the last one was disposed. */
function batcherWith(start: () => FakeEmbeddingEngine, maxQueued = 100) {
  const engines: FakeEmbeddingEngine[] = [];
  const batcher = new EmbeddingBatcher(async () => {
    const last = engines.at(-1);
    if (last && last.disposedFor === undefined) return last;
    const engine = start();
    engines.push(engine);
    return engine;
  }, maxQueued);
  return { batcher, engines };
}

/** Resolves when the first engine receives its first batch. */
async function running(engines: readonly FakeEmbeddingEngine[]): Promise<void> {
  while (!engines[0]?.batches.length) await Promise.resolve();
}

describe("takeBatch", () => {
  test("every input is run once, and no batch is over the budget or of mixed classes", () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 40 }), {
          maxLength: 6,
        }),
        fc.integer({ min: 8, max: 1000 }),
        fc.constantFrom("wasm" as const, "webgpu" as const),
        (requests, maxTokens, device) => {
          const classOf = LENGTH_CLASSES[device];
          const sources = requests.map((lengths) =>
            sourceOf(lengths.map((length) => ({ tokens: tokensOf(length), failedOnce: false }))),
          );
          const run = new Set<unknown>();
          const total = requests.reduce((sum, lengths) => sum + lengths.length, 0);
          while (run.size < total) {
            const batch = takeBatch(
              sources.filter(({ waiting }) => waiting.size > 0),
              { maxTokens, alone: false, classOf },
            );
            const longest = Math.max(...batch.map(({ tokens }) => tokens.length));
            const classes = new Set(batch.map(({ tokens }) => classOf(tokens.length)));
            expect(batch.length).toBeGreaterThan(0);
            expect(classes.size).toBe(1);
            if (batch.length > 1) expect(longest * batch.length).toBeLessThanOrEqual(maxTokens);
            for (const input of batch) run.add(input);
          }
          expect(run.size).toBe(total);
        },
      ),
    );
  });

  test("a batch has inputs of one adapter", () => {
    const sources = [0, 1, 0, undefined].map((task) =>
      sourceOf([{ tokens: tokensOf(3), task, failedOnce: false }]),
    );
    const batches: unknown[][] = [];
    for (let at = 0; at < sources.length; at++) {
      const waiting = sources.filter((one) => one.waiting.size > 0);
      if (waiting.length === 0) break;
      const batch = takeBatch(waiting, { maxTokens: 100, alone: false, classOf: LENGTH_CLASSES.wasm });
      batches.push(batch.map(({ task }) => task));
    }
    expect(batches).toEqual([[0, 0], [1], [undefined]]);
  });

  test("a class holds lengths that differ by half at most, or a step; on a processor by a step", () => {
    for (let length = 1; length < 5000; length++) {
      const bounds = { webgpu: LENGTH_CLASSES.webgpu(length), wasm: LENGTH_CLASSES.wasm(length) };
      for (const bound of Object.values(bounds)) expect(bound).toBeGreaterThanOrEqual(length);
      expect(bounds.webgpu).toBeLessThan(length * 1.5 + 8);
      expect(bounds.wasm).toBeLessThan(length + 8);
    }
  });
});

describe("EmbeddingBatcher", () => {
  test("the first request runs at once; those that come while it runs are one batch", async () => {
    const { batcher, engines } = batcherWith(() => {
      const engine = new FakeEmbeddingEngine();
      engine.close();
      return engine;
    });
    const first = batcher.embed([tokensOf(5, 0)], never());
    await running(engines);
    const later = Array.from({ length: 63 }, (_, at) => batcher.embed([tokensOf(5, at + 1)], never()));
    const requests = [first, ...later];
    const engine = engines[0]!;
    expect(engine.batches.map((batch) => batch.length)).toEqual([1]);
    engine.open();
    const vectors = await Promise.all(requests);
    expect(engine.batches.map((batch) => batch.length)).toEqual([1, 63]);
    for (const [at, [vector]] of vectors.entries()) expect(vector).toEqual(fakeVector(tokensOf(5, at)));
  });

  test("a request of thousands lets a small one in between", async () => {
    const { batcher, engines } = batcherWith(() => new FakeEmbeddingEngine());
    const ended: string[] = [];
    const long = batcher.embed(Array(2048).fill(tokensOf(64)), never()).then(() => ended.push("long"));
    const short = batcher.embed([tokensOf(3)], never()).then(() => ended.push("short"));
    await Promise.all([long, short]);
    expect(ended).toEqual(["short", "long"]);
    expect(engines[0]!.batches[1]).toEqual([tokensOf(3)]);
  });

  test("background work runs last, fills what room a batch has left, and is never refused", async () => {
    const { batcher, engines } = batcherWith(() => {
      const engine = new FakeEmbeddingEngine();
      engine.close();
      return engine;
    }, 1);
    const first = batcher.embed([tokensOf(64, 1)], never());
    await running(engines);
    const background = Array.from({ length: 70 }, () =>
      batcher.embed([tokensOf(64, 2)], never(), "background"),
    );
    const interactive = batcher.embed([tokensOf(64, 3)], never());
    engines[0]!.open();
    await Promise.all([first, interactive, ...background]);
    const firsts = engines[0]!.batches.map((batch) => batch.map(([token]) => token));
    expect(firsts).toEqual([[1], [3, ...Array(63).fill(2)], Array(7).fill(2)]);
  });

  test("a vector with a number that is not finite is an error, not a vector; the engine and other inputs go on", async () => {
    const broken = tokensOf(4, 9);
    const { batcher, engines } = batcherWith(() => {
      const engine = new FakeEmbeddingEngine();
      engine.overflowsOn = (tokens) => tokens === broken;
      return engine;
    });
    const [failed, whole, alone] = await Promise.allSettled([
      batcher.embed([tokensOf(4, 1), broken], never()),
      batcher.embed([tokensOf(4, 2)], never()),
      batcher.embed([broken], never()),
    ]);
    const message = (at: number) => `The model's vector of input ${at} contains numbers that are not finite.`;
    expect(failed).toMatchObject({ reason: { code: "engine_failed", message: message(1) } });
    expect(whole).toMatchObject({ status: "fulfilled", value: [fakeVector(tokensOf(4, 2))] });
    expect(alone).toMatchObject({ reason: { code: "engine_failed", message: message(0) } });
    expect(engines).toHaveLength(1);
  });

  test("an input that only a batch makes infinite is run again, alone", async () => {
    const { batcher, engines } = batcherWith(() => {
      const engine = new FakeEmbeddingEngine();
      engine.overflowsOn = (_, batch) => batch.length > 1;
      return engine;
    });
    const inputs = [tokensOf(4, 1), tokensOf(4, 2)];
    expect(await batcher.embed(inputs, never())).toEqual(inputs.map(fakeVector));
    expect(engines[0]!.batches.map((batch) => batch.length)).toEqual([2, 1, 1]);
  });

  test("a model whose texts change each other gets them one by one", async () => {
    const { batcher, engines } = batcherWith(() => new FakeEmbeddingEngine({ runsAlone: true }));
    await batcher.embed([tokensOf(4), tokensOf(4), tokensOf(4)], never());
    expect(engines[0]!.batches.map((batch) => batch.length)).toEqual([1, 1, 1]);
  });

  test("an input that breaks its engine fails alone, the others are answered by the next one", async () => {
    const poison = tokensOf(4, 66);
    const { batcher, engines } = batcherWith(() => {
      const engine = new FakeEmbeddingEngine();
      engine.failsOn = (tokens) => tokens[0] === 66;
      return engine;
    });
    const results = await Promise.allSettled([
      batcher.embed([tokensOf(4, 1), poison], never()),
      batcher.embed([tokensOf(4, 2)], never()),
      batcher.embed([tokensOf(4, 3), tokensOf(9, 3)], never()),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
    expect((results[0] as PromiseRejectedResult).reason).toMatchObject({ code: "engine_failed" });
    expect(engines.length).toBeGreaterThan(1);
    await expect(batcher.embed([tokensOf(4, 5)], never())).resolves.toHaveLength(1);
  });

  test("an abort takes a request out of the queue, and the others go on", async () => {
    const { batcher, engines } = batcherWith(() => {
      const engine = new FakeEmbeddingEngine();
      engine.close();
      return engine;
    });
    const cancel = new AbortController();
    const first = batcher.embed([tokensOf(4, 1)], never());
    await running(engines);
    const second = batcher.embed([tokensOf(4, 2)], cancel.signal);
    const third = batcher.embed([tokensOf(4, 3)], never());
    cancel.abort(new DOMException("gone", "AbortError"));
    await expect(second).rejects.toThrow("gone");
    engines[0]!.open();
    await Promise.all([first, third]);
    expect(engines[0]!.batches.flat().map(([token]) => token)).toEqual([1, 3]);
  });

  test("who would be one too many is refused", async () => {
    const engine = new FakeEmbeddingEngine();
    engine.close();
    const { batcher } = batcherWith(() => engine, 1);
    const waiting = [batcher.embed([tokensOf(4)], never()), batcher.embed([tokensOf(4)], never())];
    const message = "The model's queue of 1 is full. Try again in a moment.";
    await expect(batcher.embed([tokensOf(4)], never())).rejects.toMatchObject({
      code: "queue_full",
      message,
    });
    engine.open();
    await Promise.all(waiting);
  });

  test("a model that cannot be loaded is told to everyone, and the next request tries again", async () => {
    let broken = true;
    const engine = new FakeEmbeddingEngine();
    const batcher = new EmbeddingBatcher(async () => {
      if (broken) throw new EngineError("model_load_failed", "no such file");
      return engine;
    }, 10);
    const [first, second] = await Promise.allSettled([
      batcher.embed([tokensOf(4)], never()),
      batcher.embed([tokensOf(4)], never()),
    ]);
    expect([first.status, second.status]).toEqual(["rejected", "rejected"]);
    broken = false;
    await expect(batcher.embed([tokensOf(4)], never())).resolves.toHaveLength(1);
  });
});
