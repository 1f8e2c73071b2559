import { expect, test } from "vitest";
import type { RequestState } from "../../../src/protocol/transfer/request-state.ts";
import { ReadCounts } from "../../../worker/endpoints/metering/read-counts.ts";
import { fc } from "../../support/random.ts";

const state = (readBytes?: number): RequestState => ({
  id: "1",
  attempt: 0,
  ...(readBytes !== undefined && { readBytes }),
});
const tokens = (outputTokens: number) => ({
  inputTokens: 5,
  cachedTokens: 0,
  outputTokens,
  reasoningTokens: 0,
});

test("without a port, what was given out counts as read", () => {
  const counts = new ReadCounts(state());
  counts.sent(new Uint8Array(10));
  counts.after(tokens(1));
  expect(counts.read).toEqual(tokens(1));
});

test("it never counts a token whose last byte was not read, and every other one", () => {
  const steps = fc.array(fc.record({ bytes: fc.nat(20), readAfter: fc.nat(30) }), { maxLength: 40 });
  fc.assert(
    fc.property(steps, (all) => {
      const known = state(0);
      const counts = new ReadCounts(known);
      const ends: number[] = [];
      let sentBytes = 0;
      for (const [at, { bytes, readAfter }] of all.entries()) {
        counts.sent(new Uint8Array(bytes));
        sentBytes += bytes;
        ends.push(sentBytes);
        const expected = ends.filter((end) => end <= known.readBytes!).length;
        counts.after(tokens(at + 1));
        expect(counts.read.outputTokens).toBe(expected);
        known.readBytes = Math.min(sentBytes, known.readBytes! + readAfter);
      }
    }),
  );
});

test("a stream that ends early was aborted, or interrupted where its page is gone", () => {
  expect(new ReadCounts(state()).earlyEnd).toBe("aborted");
  expect(new ReadCounts({ ...state(), isOrphan: true }).earlyEnd).toBe("interrupted");
});
