/** 500 random operations on a small pool: pages add up after each, and what is left is intact. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { fc, seed } from "../../support/random.ts";
import { largestDifference, TestEngine } from "./support/engine.ts";
import { type Feed, LibraryDriver } from "./support/library-driver.ts";
import { PageModel } from "./support/page-model.ts";

const OPERATIONS = 500;
/** 17 pages for up to 12 sequences of up to 256 tokens: full again and again. */
const SIZE = { sequences: 8, positions: 256, chunk: 48 };
const IDS = 12;
const FULL = /KV cache is full/;
const tested = new TestEngine(["alpha"]);

beforeAll(() => tested.engine.reload("alpha"));
afterAll(() => tested.engine.unload());

/** Numbers that pick an operation and its parameters, whatever the state is. */
const operation = fc.record({
  kind: fc.constantFrom("add", "prefill", "prefill", "decode", "fork", "popn", "remove"),
  which: fc.nat(),
  other: fc.nat(),
  fraction: fc.double({ min: 0, max: 1, noNaN: true }),
  tokens: fc.array(fc.nat({ max: 255 }), { minLength: 1, maxLength: 24 }),
});
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

test(`pages add up after each of ${OPERATIONS} random operations (seed ${seed})`, async () => {
  const driver = new LibraryDriver(tested, "alpha", SIZE);
  const done = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(operation, { minLength: OPERATIONS, maxLength: OPERATIONS, size: "max" }),
      async (operations) => {
        driver.clear();
        const model = new PageModel(SIZE.positions);
        for (const one of operations) {
          await apply(driver, model, one, done);
          expect([one, driver.freePages(), driver.totalLength()]).toEqual([
            one,
            model.free,
            model.totalLength,
          ]);
        }
        await expectIntact(driver, model);
      },
    ),
    { numRuns: 1, endOnFailure: true },
  );
  console.log(`done: ${JSON.stringify(Object.fromEntries(done))}`);
  for (const kind of ["add", "prefill", "decode", "fork", "popn", "remove", "refused"])
    expect([kind, (done.get(kind) ?? 0) >= 10]).toEqual([kind, true]);
});

async function apply(
  driver: LibraryDriver,
  model: PageModel,
  { kind, which, other, fraction, tokens }: Operation,
  done: Map<string, number>,
): Promise<void> {
  const count = (what: string) => done.set(what, (done.get(what) ?? 0) + 1);
  const attempt = (isPossible: boolean, act: () => void, note: () => void) => {
    if (isPossible) {
      act();
      note();
      count(kind);
    } else {
      expect(act).toThrow(FULL);
      count("refused");
    }
  };
  const ids = [...model.sequences.keys()];
  const free = Array.from({ length: IDS }, (_, id) => id).find((id) => !model.sequences.has(id));
  const id = ids[which % ids.length];
  if (id === undefined || kind === "add") {
    if (free === undefined) return;
    driver.add(free);
    model.add(free);
    count("add");
    return;
  }
  const { length } = model.sequences.get(id)!.tokens;
  if (kind === "remove") {
    driver.remove(id);
    model.remove(id);
    count(kind);
  } else if (kind === "fork") {
    if (free === undefined) return;
    const position = Math.round(fraction * length);
    const act = () => driver.fork(id, free, position);
    attempt(model.canFork(position), act, () => model.fork(id, free, position));
  } else if (kind === "popn") {
    const removed = Math.round(fraction * fraction * length);
    const act = () => driver.popn(id, removed);
    attempt(model.canPop(id, removed), act, () => model.pop(id, removed));
  } else {
    const members = kind === "prefill" ? new Set([id, ids[other % ids.length]!]) : new Set([id, ...ids]);
    const feeds: Feed[] = [...members]
      .slice(0, SIZE.sequences)
      .map((one, i) => ({ id: one, tokens: kind === "prefill" ? tokens : [tokens[i % tokens.length]!] }))
      .filter((one) => model.sequences.get(one.id)!.tokens.length + one.tokens.length <= SIZE.positions);
    if (!feeds.length) return;
    if (model.needed(feeds) > model.free)
      return attempt(
        false,
        () => driver.begin(feeds),
        () => {},
      );
    await (kind === "prefill" ? driver.prefill(feeds) : driver.decode(feeds));
    for (const feed of feeds) model.feed(feed.id, feed.tokens);
    count(kind);
  }
}

/** The next logits of every sequence are those of one that was fed the same tokens at once, in a cache of its own. */
async function expectIntact(driver: LibraryDriver, model: PageModel): Promise<void> {
  const fresh = new LibraryDriver(tested, "alpha", { ...SIZE, sequences: 1 });
  const last = (id: number): Feed => ({ id, tokens: [7] });
  for (const [id, { tokens }] of model.sequences) {
    if (tokens.length === SIZE.positions) continue;
    if (model.needed([last(id)]) > model.free) driver.popn(id, 0);
    else {
      const [row] = await driver.prefill([last(id)]);
      driver.popn(id, 1);
      fresh.clear();
      fresh.add(0);
      const whole = [...tokens, 7];
      let expected: Float32Array[] = [];
      for (let at = 0; at < whole.length; at += SIZE.chunk)
        expected = await fresh.prefill([{ id: 0, tokens: whole.slice(at, at + SIZE.chunk) }]);
      expect(largestDifference(row!, expected[0]!)).toBeLessThan(1e-3);
    }
  }
}
