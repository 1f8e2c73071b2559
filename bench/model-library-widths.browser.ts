/**
 * Decode speed of the built-in model at several widths, without an engine around it: forward pass, softmax, draw
 * and one read-back per step. Runs with `npm run bench:library`. Prints, without asserting, since the machine may
 * be busy; widths take turns, so that load meets all of them.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { TestEngine } from "../test/browser/model-library/support/engine.ts";
import { LibraryDriver } from "../test/browser/model-library/support/library-driver.ts";

const MODEL = "infetch-tiny";
const WIDTHS = [1, 2, 3, 4, 5, 6, 8];
const ROUNDS = 6;
const STEPS = 24;

const tested = new TestEngine([MODEL]);
beforeAll(() => tested.engine.reload(MODEL));
afterAll(() => tested.engine.unload());

test.each([16, 128, 1024])("decode from position %i", async (position) => {
  const library = new LibraryDriver(tested, MODEL, { sequences: 8, positions: 16_384, chunk: 256 });
  const prompt = Array.from({ length: position }, (_, i) => (i * 7919) % 1500);
  for (let id = 0; id < 8; id++) {
    library.add(id);
    for (let at = 0; at < position; at += 256)
      await library.prefill([{ id, tokens: prompt.slice(at, Math.min(at + 256, position)) }]);
  }
  const best = new Map<number, number>();
  for (let round = 0; round < ROUNDS; round++) {
    for (const width of WIDTHS) {
      let tokens: ArrayLike<number> = Array.from({ length: width }, (_, id) => id + 1);
      const startedAt = performance.now();
      for (let step = 0; step < STEPS; step++)
        tokens = await library.step(Array.from(tokens, (token, id) => ({ id, tokens: [token] })));
      const perStep = (performance.now() - startedAt) / STEPS;
      for (let id = 0; id < width; id++) library.popn(id, STEPS);
      best.set(width, Math.min(best.get(width) ?? Number.POSITIVE_INFINITY, perStep));
    }
  }
  const one = best.get(1)!;
  for (const [width, ms] of best) {
    const gain = (width * one) / ms;
    const rate = (1000 * width) / ms;
    console.log(
      `${position}: width ${width}: ${ms.toFixed(2)} ms, ${rate.toFixed(0)} tokens/s, ${gain.toFixed(2)} x`,
    );
  }
  expect(best.size).toBe(WIDTHS.length);
});
