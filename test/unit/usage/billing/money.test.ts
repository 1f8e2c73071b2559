import { expect, test } from "vitest";
import {
  picoFromUsd,
  picoToDecimal,
  picoToUsd,
  pricePerToken,
} from "../../../../worker/usage/billing/money.ts";
import { fc } from "../../../support/random.ts";

test("a price per million is a whole number of pico per token", () => {
  expect(pricePerToken("0.05")).toBe(50_000n);
  expect(pricePerToken(0.000001)).toBe(1n);
  expect(pricePerToken("10.000000")).toBe(10_000_000n);
  expect(pricePerToken(0)).toBe(0n);
});

test.each(["-1", "0.0000001", "1e3", "", " 1", "0x1", "NaN", 1e-7, -0.1, Number.NaN, 1e21])(
  "%s is no price",
  (price) => {
    expect(() => pricePerToken(price)).toThrow(RangeError);
  },
);

test("what is too large is said to be", () => {
  expect(picoFromUsd("999999999999999")).toBe(999_999_999_999_999n * 10n ** 12n);
  for (const amount of [1e15, "1000000000000000", 1e21])
    expect(() => picoFromUsd(amount)).toThrow("below 1e15");
});

test("amounts that floats get wrong", () => {
  expect(picoToUsd(1_234_567n * pricePerToken("0.05"))).toBe(0.06172835);
  const total = Array.from({ length: 1000 }, () => 137n * pricePerToken("0.05")).reduce((a, b) => a + b);
  expect(picoToUsd(total)).toBe(0.00685);
  expect(picoToDecimal(-25_000_000n)).toBe("-0.000025000000");
  expect(JSON.stringify(picoToUsd(0n))).toBe("0");
});

test("below a thousand dollars JSON shows every pico", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 1_000n * 10n ** 12n }), (pico) => {
      expect(picoFromUsd(picoToDecimal(pico))).toBe(pico);
      const json = JSON.parse(JSON.stringify(picoToUsd(pico))) as number;
      expect(picoFromUsd(json)).toBe(pico);
    }),
    { numRuns: 2_000 },
  );
});
