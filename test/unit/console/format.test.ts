/** The console's numbers, dates and money, in any time zone. */

import { afterEach, expect, test } from "vitest";
import {
  endOfLocalDay,
  formatBytes,
  formatDuration,
  formatMoney,
  formatPrice,
  formatTime,
} from "../../../demo/format/format.ts";

const zone = process.env.TZ;
afterEach(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

test.each([
  [0, "0 B"],
  [999, "999 B"],
  [1000, "1.0 kB"],
  [999_949, "999.9 kB"],
  [999_999, "1.0 MB"],
  [4_894_848, "4.9 MB"],
  [2e15, "2000.0 TB"],
])("%s bytes are %s", (bytes, text) => expect(formatBytes(bytes)).toBe(text));

test.each([
  [85, "85 ms"],
  [999.6, "1.0 s"],
  [59_949, "59.9 s"],
  [59_960, "1 min 0 s"],
  [125_000, "2 min 5 s"],
  [3_599_600, "1 h 0 min"],
  [12_000_000, "3 h 20 min"],
])("%s ms are %s", (milliseconds, text) => expect(formatDuration(milliseconds)).toBe(text));

test.each([
  [0, "$0.00"],
  [-1e-17, "$0.00"],
  [0.0000123, "$0.0000123"],
  [-0.5, "−$0.50"],
  [1_234_567.891, "$1,234,567.89"],
])("%s dollars are %s", (dollars, text) => expect(formatMoney(dollars)).toBe(text));

test.each([
  [1.125, "$1.125"],
  [0.000001125 * 1e6, "$1.125"],
  [0.2, "$0.20"],
  [15, "$15.00"],
  [1234.000001, "$1,234.000001"],
  [0.1 + 0.2, "$0.30"],
  [0, "$0.00"],
  [-0.5, "−$0.50"],
])("a price of %s dollars is %s", (dollars, text) => expect(formatPrice(dollars)).toBe(text));

test("a time of another year has its year", () => {
  const year = new Date().getFullYear();
  expect(formatTime(new Date(year + 2, 11, 31, 12).getTime())).toContain(String(year + 2));
  expect(formatTime(new Date(year, 5, 1, 12).getTime())).not.toContain(String(year));
});

test.each([
  ["America/Los_Angeles", "2027-01-01T08:00:00.000Z"],
  ["Asia/Kolkata", "2026-12-31T18:30:00.000Z"],
])("the last day of a key ends at midnight in %s", (timeZone, end) => {
  process.env.TZ = timeZone;
  expect(endOfLocalDay("2026-12-31")).toBe(end);
});

test("a day with a change of the clock is whole", () => {
  process.env.TZ = "Europe/Berlin";
  expect(endOfLocalDay("2026-10-25")).toBe("2026-10-25T23:00:00.000Z");
  // This one begins at one o'clock.
  process.env.TZ = "Africa/Cairo";
  expect(endOfLocalDay("2026-04-24")).toBe("2026-04-24T21:00:00.000Z");
});

test("a year of five digits is refused by name", () => {
  expect(() => endOfLocalDay("20266-01-01")).toThrow("20266-01-01 is not a date");
});
