/** Ranges of exports: every format holds the usage of the same half-open range. */

import { expect, test } from "vitest";
import type { ExportRequest } from "../../src/protocol/rpc/billing.ts";
import { fc } from "../support/random.ts";
import { fixture, type Tab, unwrap, use, World } from "./support/world.ts";

const HOUR_MS = 3_600_000;

const text = async (tab: Tab, request: ExportRequest) => unwrap(await tab.rpc.exportUsage(request)).text();

async function csvRows(tab: Tab, request: ExportRequest) {
  const [, ...rows] = (await text(tab, { ...request, format: "csv" })).trimEnd().split("\r\n");
  return rows.map((row) => row.split(","));
}

const csvTokens = async (tab: Tab, request: ExportRequest) =>
  (await csvRows(tab, request)).reduce((sum, cells) => sum + Number(cells[6]), 0);

async function eventTokens(tab: Tab, request: ExportRequest) {
  const lines = (await text(tab, request)).split("\n").filter((line) => line !== "");
  const data = lines.map((line) => JSON.parse(line).data);
  return data.reduce((sum, one) => sum + Number(one.input_tokens) + Number(one.output_tokens), 0);
}

async function twoRequests() {
  const world = new World({ now: "2026-03-10T12:00:00Z" });
  const tab = await world.openTab();
  await use(tab, 50, 6);
  world.clock.set("2026-03-11T14:00:00Z");
  await use(tab, 50, 6);
  world.clock.set("2026-03-11T14:30:00Z");
  return { world, tab };
}

test.each<[string, ExportRequest, number]>([
  ["an end inside an hour", { to: "2026-03-11T14:01:00Z" }, 112],
  ["an end at a request, exclusive", { to: "2026-03-11T14:00:00Z" }, 56],
  ["a start inside an hour", { from: "2026-03-10T11:59:00Z" }, 112],
  ["a start at a request, inclusive", { from: "2026-03-10T12:00:00Z" }, 112],
  ["a start after a request of the same hour", { from: "2026-03-10T12:00:00.001Z" }, 56],
  ["a part of an hour", { from: "2026-03-10T12:00:00Z", to: "2026-03-10T12:00:00.001Z" }, 56],
  ["days of another zone", { from: "2026-03-10T00:00:00+01:00", to: "2026-03-12T00:00:00+01:00" }, 112],
  [
    "days of a zone at half hours",
    { from: "2026-03-10T00:00:00+05:30", to: "2026-03-11T19:30:00+05:30" },
    56,
  ],
  ["an empty range", { from: "2026-03-10T12:00:00Z", to: "2026-03-10T12:00:00Z" }, 0],
])("%s: csv has what cloudevents has", async (_, range, tokens) => {
  const { tab } = await twoRequests();
  expect(await eventTokens(tab, range)).toBe(tokens);
  expect(await csvTokens(tab, { ...range, windowSize: "hour" })).toBe(tokens);
  expect(await csvTokens(tab, { ...range, windowSize: "day" })).toBe(tokens);
});

test("the first and the last window end at the bounds", async () => {
  const { tab } = await twoRequests();
  const range = { from: "2026-03-10T11:30:00Z", to: "2026-03-11T14:30:00Z" };
  const windows = async (windowSize: "hour" | "day") => [
    ...new Set((await csvRows(tab, { ...range, windowSize })).map(([start, end]) => `${start}/${end}`)),
  ];
  expect(await windows("day")).toEqual([
    "2026-03-10T11:30:00Z/2026-03-11T00:00:00Z",
    "2026-03-11T00:00:00Z/2026-03-11T14:30:00Z",
  ]);
  expect(await windows("hour")).toEqual([
    "2026-03-10T12:00:00Z/2026-03-10T13:00:00Z",
    "2026-03-11T14:00:00Z/2026-03-11T14:30:00Z",
  ]);
});

test("usage that a clock set back left in the future is exported, too", async () => {
  const { world, tab } = await twoRequests();
  world.clock.set("2026-03-11T09:00:00Z");
  expect(await csvTokens(tab, {})).toBe(112);
});

test("a voided request is in no format, also in an hour that a bound cuts", async () => {
  const { tab } = await twoRequests();
  const { transactionId } = unwrap(await tab.rpc.usage())[1]!;
  unwrap(await tab.rpc.voidEvent(transactionId));
  const range = { to: "2026-03-11T14:01:00Z" };
  expect([await eventTokens(tab, range), await csvTokens(tab, range)]).toEqual([56, 56]);
});

test.each([
  [{ from: "2025-01-03T10:10:00Z" }, "from", "2025-01-03T10:00:00Z"],
  [{ to: "2025-01-03T10:20:00Z" }, "to", "2025-01-03T11:00:00Z"],
])("%j of an hour whose requests are deleted is refused, with the full hour", async (range, name, hour) => {
  const { world, tab } = await fixture({ skipsClockCheck: true });
  unwrap(await tab.rpc.closeDuePeriods());
  world.clock.set("2025-06-01T00:00:00Z");
  await tab.runMaintenance();
  expect(unwrap(await tab.rpc.usage({ to: "2025-02-01T00:00:00Z" }))).toEqual([]);
  const refused = await tab.rpc.exportUsage({ ...range, format: "csv" });
  expect(refused).toMatchObject({
    ok: false,
    error: { code: "invalid_argument", message: expect.stringMatching(`'${name}'.*'${hour}'`) },
  });
  expect(await csvTokens(tab, { [name]: hour })).toBeGreaterThanOrEqual(1500);
});

const START_MS = Date.UTC(2026, 2, 30);
const minutes = fc.oneof(fc.integer({ min: 0, max: 90 }), fc.integer({ min: 0, max: 3 * 1440 }));
const ledger = fc.array(fc.record({ minutes, input: fc.nat(99), output: fc.nat(99) }), {
  minLength: 1,
  maxLength: 10,
});

test("for any range, the windows of both sizes hold the tokens of its events", async () => {
  const bound = fc.oneof(
    fc.nat(12 * 1440).map((minute) => minute * 60_000),
    fc.nat(12 * 24).map((hour) => hour * HOUR_MS),
  );
  const property = fc.asyncProperty(ledger, fc.tuple(bound, bound), async (rows, bounds) => {
    const world = new World({ now: new Date(START_MS).toISOString() });
    const tab = await world.openTab();
    for (const row of rows) {
      world.clock.advance(row.minutes * 60_000);
      await use(tab, row.input, row.output, { stream: false });
    }
    const [from, to] = bounds
      .toSorted((a, b) => a - b)
      .map((afterMs) => new Date(START_MS + afterMs).toISOString()) as [string, string];
    for (const range of [{ from, to }, { from }, { to }, {}]) {
      const expected = await eventTokens(tab, range);
      expect(await csvTokens(tab, { ...range, windowSize: "hour" })).toBe(expected);
      expect(await csvTokens(tab, { ...range, windowSize: "day" })).toBe(expected);
    }
  });
  await fc.assert(property, { numRuns: 30 });
});
