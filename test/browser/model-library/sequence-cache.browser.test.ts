/** The cache of sequences on the real library: after each of 500 random requests both count the same pages. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { fc, seed } from "../../support/random.ts";
import { type FedState, RandomRequests, requests } from "../../support/random-prompts.ts";
import { largestDifference, TestEngine } from "./support/engine.ts";
import { LibraryDriver } from "./support/library-driver.ts";
import { SIZE } from "./support/random-operations.ts";

const REQUESTS = 500;
const LONGEST = 160;
const tested = new TestEngine(["alpha"]);

beforeAll(() => tested.engine.reload("alpha"));
afterAll(() => tested.engine.unload());

test(`pages are as computed and logits right after ${REQUESTS} random requests (seed ${seed})`, async () => {
  const driver = new LibraryDriver(tested, "alpha", SIZE);
  const state: FedState = {
    add: driver.add,
    remove: driver.remove,
    fork: driver.fork,
    popn: driver.popn,
    availablePages: driver.freePages,
    feed: async (id, tokens) => void (await driver.prefill([{ id, tokens }])),
  };
  await fc.assert(
    fc.asyncProperty(requests(REQUESTS), async (list) => {
      driver.clear();
      const random = new RandomRequests(state, LONGEST, { forksFreely: true });
      for (const one of list) await random.apply(one);
      expect(random.counts.reused).toBeGreaterThan(5);
      for (const [id, { tokens }] of random.running) await expectIntact(driver, id, tokens);
      random.end();
    }),
    { numRuns: 1, endOnFailure: true },
  );
});

/** The next logits of a sequence are those of one that was fed the same tokens in a cache of its own. */
async function expectIntact(driver: LibraryDriver, id: number, tokens: readonly number[]): Promise<void> {
  if (tokens.length === 0 || (tokens.length % 16 === 0 && driver.freePages() === 0)) return;
  const [row] = await driver.prefill([{ id, tokens: [7] }]);
  driver.popn(id, 1);
  const fresh = new LibraryDriver(tested, "alpha", { ...SIZE, sequences: 1 });
  fresh.add(0);
  const whole = [...tokens, 7];
  let expected: Float32Array[] = [];
  for (let at = 0; at < whole.length; at += SIZE.chunk)
    expected = await fresh.prefill([{ id: 0, tokens: whole.slice(at, at + SIZE.chunk) }]);
  expect(largestDifference(row!, expected[0]!)).toBeLessThan(1e-3);
}
