import { expect, test } from "vitest";
import { usagePricing } from "../../../../worker/usage/billing/prices/price-usage.ts";
import type { LedgerDatabase } from "../../../../worker/usage/ledger/database.ts";
import { FakeClock } from "../../../fakes/fake-clock.ts";

const TOKENS = 10;
const used = {
  endpoint: "/v1/embeddings",
  tier: "serverless",
  model: "m",
  inputTokens: TOKENS,
  cachedTokens: 0,
  outputTokens: 0,
};

/** Each read sees the price as of its start, and ends when the test says so. */
function fakeDatabase() {
  const state = { pico: 1n, reads: 0, end: [] as (() => void)[] };
  const read = async () => {
    state.reads++;
    const unitPricePico = state.pico;
    await new Promise<void>((resolve) => state.end.push(resolve));
    if (unitPricePico === 0n) throw new Error("The ledger is unavailable.");
    return { segments: () => [{ unitPricePico }] };
  };
  return { state, price: usagePricing({ read } as unknown as LedgerDatabase, new FakeClock(0)) };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test("of many requests that end at once, all but the first share one read of the prices", async () => {
  const { state, price } = fakeDatabase();
  const first = price(used);
  await settled();
  const others = Array.from({ length: 63 }, () => price(used));
  await settled();
  expect(state.reads).toBe(1);
  state.end[0]!();
  await settled();
  expect(state.reads).toBe(2);
  state.end[1]!();
  expect(await Promise.all([first, ...others])).toEqual(Array(64).fill(BigInt(TOKENS)));
  expect(state.reads).toBe(2);
});

test("a price that is set while prices are read counts for the requests that end after it", async () => {
  const { state, price } = fakeDatabase();
  const before = price(used);
  await settled();
  state.pico = 5n;
  const after = price(used);
  state.end[0]!();
  await settled();
  state.end[1]!();
  expect([await before, await after]).toEqual([10n, 50n]);
});

test("after a read that failed, whose requests cost nothing, prices are read again", async () => {
  const { state, price } = fakeDatabase();
  state.pico = 0n;
  const failed = price(used);
  await settled();
  state.pico = 2n;
  const next = price(used);
  state.end[0]!();
  await settled();
  state.end[1]!();
  expect([await failed, await next]).toEqual([0n, 20n]);
});
