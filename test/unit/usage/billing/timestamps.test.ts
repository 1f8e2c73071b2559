import { expect, test } from "vitest";
import { formatTimestamp, parseTimestamp } from "../../../../worker/usage/billing/timestamps.ts";
import { fc } from "../../../support/random.ts";

test.each([
  ["1970-01-01T00:00:00Z", 0],
  ["2025-01-01T00:00:00.999999999Z", Date.UTC(2025, 0, 1, 0, 0, 0, 999)],
  ["2025-01-01T00:00:00.5+05:30", Date.UTC(2024, 11, 31, 18, 30, 0, 500)],
  ["2025-01-01T00:00:00-03:30", Date.UTC(2025, 0, 1, 3, 30)],
  ["2000-02-29t23:59:59z", Date.UTC(2000, 1, 29, 23, 59, 59)],
  ["0000-01-01T00:00:00Z", 0],
  ["1969-12-31T23:00:00-02:00", Date.UTC(1970, 0, 1, 1)],
  ["9999-12-31T23:59:59Z", Date.UTC(9999, 11, 31, 23, 59, 59)],
  ["9999-12-31T23:59:59-23:59", Date.UTC(9999, 11, 31, 23, 59, 59, 999)],
])("%s", (text, expected) => {
  expect(parseTimestamp(text)).toBe(expected);
});

test.each([
  "1900-02-29T00:00:00Z",
  "2025-13-01T00:00:00Z",
  "2025-00-01T00:00:00Z",
  "2025-01-00T00:00:00Z",
  "2025-04-31T00:00:00Z",
  "2025-01-01T00:00:00.Z",
  "2025-01-01T00:00:00.1234567890Z",
  "2025-01-01T00:00:00+24:00",
  "2025-01-01T00:00:00+00:60",
  "2025-01-01T00:60:00Z",
  "+002025-01-01T00:00:00Z",
  "2025-01-01T00:00:00Z ",
  "2025-01-01T00:00:00Z\n",
  "٢٠٢٥-01-01T00:00:00Z",
])("'%s' is none", (text) => {
  expect(parseTimestamp(text)).toBeUndefined();
});

test("what is written is read back", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 253_402_300_799_999 }), (timeMs) => {
      expect(parseTimestamp(formatTimestamp(timeMs))).toBe(timeMs);
    }),
  );
});
