/** 500 random operations on a small pool: pages add up after each, and what is left is intact. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { fc, seed } from "../../support/random.ts";
import { largestDifference, TestEngine } from "./support/engine.ts";
import { type Feed, LibraryDriver } from "./support/library-driver.ts";
import type { PageModel } from "./support/page-model.ts";
import { applyAll, OPERATIONS, operations, SIZE } from "./support/random-operations.ts";

const tested = new TestEngine(["alpha"]);

beforeAll(() => tested.engine.reload("alpha"));
afterAll(() => tested.engine.unload());

test(`pages add up and logits are right after ${OPERATIONS} random operations (seed ${seed})`, async () => {
  const driver = new LibraryDriver(tested, "alpha", SIZE);
  await fc.assert(
    fc.asyncProperty(operations, async (list) => expectIntact(driver, await applyAll(driver, list))),
    { numRuns: 1, endOnFailure: true },
  );
});

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
