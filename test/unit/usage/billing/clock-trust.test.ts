import { expect, test } from "vitest";
import { ClockTrust } from "../../../../worker/usage/billing/clock-trust.ts";
import type { ClockTrustMeta } from "../../../../worker/usage/ledger/schema.ts";
import { FakeClock } from "../../../fakes/fake-clock.ts";

/** A store whose notes are lost while `fails`. */
class Meta {
  row: ClockTrustMeta | undefined;
  fails = false;

  async get(): Promise<unknown> {
    return this.row;
  }

  async put(row: ClockTrustMeta): Promise<void> {
    if (!this.fails) this.row = row;
  }
}

test.each(["fails", "runs again"])(
  "a jump of the clock counts, though the transaction that notes it %s",
  async (how) => {
    const clock = new FakeClock("2025-01-05T00:00:00Z");
    const trust = new ClockTrust(clock);
    const meta = new Meta();
    clock.advance(11 * 60_000);
    expect(await trust.observe(meta)).toBe(true);
    clock.set("2025-01-31T23:00:00Z");
    meta.fails = true;
    expect(await trust.observe(meta)).toBe(false);
    if (how === "runs again") expect(await trust.observe(meta)).toBe(false);
    meta.fails = false;
    clock.advance(60_000);
    expect(await trust.observe(meta)).toBe(false);
    clock.advance(10 * 60_000);
    expect(await trust.observe(meta)).toBe(true);
  },
);

test("after a jump that is noted, the longer count of another tab holds again", async () => {
  const clock = new FakeClock("2025-01-05T00:00:00Z");
  const meta = new Meta();
  const trust = new ClockTrust(clock);
  await trust.observe(meta);
  clock.set("2025-01-10T00:00:00Z");
  expect(await trust.observe(meta)).toBe(false);
  clock.advance(60_000);
  expect(await trust.observe(meta)).toBe(false);
  meta.row = { ...meta.row!, trusted_ms: 11 * 60_000 };
  clock.advance(60_000);
  expect(await trust.observe(meta)).toBe(true);
});
