/** Billing edge cases 24 to 66: breakdowns. */

import { beforeEach, expect, test } from "vitest";
import { BREAKDOWNS, breakdowns, fixture, sum, type Tab, unwrap, use, type World } from "./support/world.ts";

interface Item {
  id: string;
  status: string;
  total: number;
  subtotal: number;
  breakdown_start_timestamp: string;
  breakdown_end_timestamp: string;
  line_items: { product_id: string; unit_price: number; quantity: number; total: number }[];
}

let get: Tab["get"];
let world: World;
let tab: Tab;

beforeEach(async () => {
  ({ get, world, tab } = await fixture());
});

async function page(from: string, to: string, more: Record<string, string> = {}) {
  const { status, body } = await get(breakdowns(from, to, more));
  expect(status, JSON.stringify(body)).toBe(200);
  return { items: body.breakdowns as Item[], next: body.next_page as string | null };
}

async function refused(path: string, param: string, code = "invalid_parameter") {
  const { status, error } = await get(path);
  expect([status, error?.param, error?.code, error?.type], path).toEqual([
    400,
    param,
    code,
    "invalid_request_error",
  ]);
  return error.message as string;
}

const starts = (items: Item[]) => items.map((item) => item.breakdown_start_timestamp.slice(0, 13));

test("24: starting_on is required", async () => {
  const path = `${BREAKDOWNS}?ending_before=2025-02-01T00:00:00Z`;
  await refused(path, "starting_on", "missing_required_parameter");
});

test("25: so is ending_before; of both, starting_on is named first", async () => {
  const path = `${BREAKDOWNS}?starting_on=2025-02-01T00:00:00Z`;
  await refused(path, "ending_before", "missing_required_parameter");
  await refused(BREAKDOWNS, "starting_on", "missing_required_parameter");
});

test("26: 35 days fit one page", async () => {
  const { items, next } = await page("2025-01-01", "2025-02-05");
  expect([items.length, next, sum(items)]).toEqual([35, null, 0.0001575]);
});

test.each([
  ["27", {}],
  ["28", { limit: "100" }],
  ["28", { limit: "36" }],
  ["28", { limit: "99999999999999999999" }],
])("%s: two pages %o, clamped to 35", async (_case, more: Record<string, string>) => {
  const first = await page("2025-01-01", "2025-03-01", more);
  expect(first.items.at(-1)!.breakdown_end_timestamp).toBe("2025-02-05T00:00:00Z");
  const second = await page("2025-01-01", "2025-03-01", { ...more, next_page: first.next! });
  expect([first.items.length, second.items.length, second.next]).toEqual([35, 6, null]);
  expect(second.items.at(-1)!.breakdown_end_timestamp).toBe("2025-02-11T00:00:00Z");
  expect(sum([...first.items, ...second.items])).toBe(0.0001775);
});

test("29: limit 1", async () => {
  const { items, next } = await page("2025-01-01", "2025-03-01", { limit: "1" });
  expect(items).toHaveLength(1);
  expect(next).toEqual(expect.any(String));
});

test.each(["0", "-1", "1.5", "abc", "1e2", "+5", ""])("30: limit '%s' is refused", async (limit) => {
  await refused(breakdowns("2025-01-01", "2025-03-01", { limit }), "limit");
});

test("31: leading zeros", async () => {
  expect((await page("2025-01-01", "2025-03-01", { limit: "007" })).items).toHaveLength(7);
});

test("32: hours of today, the running one included", async () => {
  const { items, next } = await page("2025-02-10", "2025-02-11", { window_size: "hour" });
  expect([items.length, next, sum(items)]).toEqual([16, null, 0.00002]);
  expect(items.at(-1)!.breakdown_end_timestamp).toBe("2025-02-10T16:00:00Z");
});

test.each([
  ["33", {}],
  ["34", { limit: "1000" }],
])("%s: 25 hours are two pages %o", async (_case, more: Record<string, string>) => {
  const bounds = ["2025-02-09", "2025-02-10T01:00:00Z"] as const;
  const first = await page(...bounds, { window_size: "hour", ...more });
  const second = await page(...bounds, { window_size: "hour", ...more, next_page: first.next! });
  expect([first.items.length, starts(second.items), second.next]).toEqual([24, ["2025-02-10T00"], null]);
});

test("35: hours over the month edge", async () => {
  const { items } = await page("2025-01-31T23:00:00Z", "2025-02-01T01:00:00Z", { window_size: "hour" });
  expect(items.map((item) => item.id)).toEqual(["inv_202501_0_default", "inv_202502_0_default"]);
  expect(items.map((item) => item.total)).toEqual([0.0000025, 0.000005]);
  expect(sum(items)).toBe(0.0000075);
});

test("36: the last and the first millisecond of a month", async () => {
  const { items } = await page("2025-01-31", "2025-02-02");
  expect(items.map((item) => item.line_items.map((one) => one.quantity))).toEqual([
    [10, 10],
    [20, 20],
  ]);
});

test.each([
  ["37: bounds shrink inward", "2025-01-01T10:30:00Z", "2025-01-05T12:00:00Z", ["02", "03", "04"]],
  ["38: less than a window", "2025-01-03T00:00:00Z", "2025-01-03T23:59:59Z", []],
  ["39: equal bounds", "2025-01-03T00:00:00Z", "2025-01-03T00:00:00Z", []],
  ["41: other offsets", "2025-01-01T00:00:00+02:00", "2025-01-05T00:00:00+02:00", ["01", "02", "03"]],
  ["48: the future", "2025-02-11T00:00:00Z", "2025-03-01T00:00:00Z", []],
  ["49: a month without usage", "2024-12-01T00:00:00Z", "2025-01-01T00:00:00Z", []],
])("%s", async (_name, from, to, days) => {
  const { items, next } = await page(from, to);
  expect(items.map((item) => item.breakdown_start_timestamp.slice(8, 10))).toEqual(days);
  expect(next).toBeNull();
});

test("40: reversed bounds", async () => {
  await refused(breakdowns("2025-02-01", "2025-01-01"), "ending_before");
});

test("42: a plus that became a space", async () => {
  const path = `${BREAKDOWNS}?starting_on=2025-01-01T00:00:00+02:00&ending_before=2025-01-05T00:00:00Z`;
  expect(await refused(path, "starting_on")).toContain("%2B");
});

test.each([
  "2025-01-01",
  "2025-01-01T00:00:00",
  "2025-01-01 00:00:00Z",
  "2025-01-01T00:00:00+0200",
  "2025-01-01T00:00Z",
  "1735689600",
])("43: '%s' is no RFC 3339 timestamp", async (text) => {
  const query = new URLSearchParams({ starting_on: text, ending_before: "2026-01-01T00:00:00Z" });
  await refused(`${BREAKDOWNS}?${query}`, "starting_on");
});

test.each(["2025-02-30T00:00:00Z", "2025-02-29T00:00:00Z", "2025-01-01T24:00:00Z", "2025-01-01T00:00:60Z"])(
  "44: '%s' is no instant",
  async (text) => {
    const query = new URLSearchParams({ starting_on: text, ending_before: "2026-01-01T00:00:00Z" });
    await refused(`${BREAKDOWNS}?${query}`, "starting_on");
  },
);

test.each([
  ["44", "2024-02-29T00:00:00Z", "01"],
  ["45", "2025-01-01t00:00:00z", "01"],
  ["45", "2025-01-01T00:00:00.123456789Z", "02"],
  ["45", "2025-01-01T00:00:00-00:00", "01"],
  ["46", "0001-01-01T00:00:00Z", "01"],
])("%s: '%s' is accepted", async (_case, starting_on, firstDay) => {
  const query = new URLSearchParams({ starting_on, ending_before: "2025-01-05T00:00:00Z" });
  const { body } = await get(`${BREAKDOWNS}?${query}`);
  expect(body.breakdowns[0].breakdown_start_timestamp).toBe(`2025-01-${firstDay}T00:00:00Z`);
});

test("47: twenty years begin with the first period, never with an empty page", async () => {
  const { items } = await page("2010-01-01", "2030-01-01");
  expect([items.length, starts(items)[0]]).toEqual([35, "2025-01-01T00"]);
});

test("50: window sizes", async () => {
  const path = (window_size: string) => breakdowns("2025-01-03", "2025-01-04", { window_size });
  for (const size of ["hour", "HOUR", "Hour"])
    expect((await get(path(size))).body.breakdowns).toHaveLength(24);
  for (const size of ["day", "DAY", "Day"]) expect((await get(path(size))).body.breakdowns).toHaveLength(1);
  for (const size of ["week", "minute", "none", "", "constructor"]) await refused(path(size), "window_size");
});

test("51: windows are days unless told otherwise", async () => {
  expect((await page("2025-01-03", "2025-01-04")).items).toHaveLength(1);
});

test.each([
  ["52", "FINALIZED", 31, 0.0001525],
  ["53", "DRAFT", 10, 0.000025],
])("%s: only %s windows", async (_case, status, windows, total) => {
  const { items } = await page("2020-01-01", "2030-01-01", { status });
  expect([items.length, sum(items)]).toEqual([windows, total]);
});

test("54: zero lines can be left out; their windows stay", async () => {
  const all = await page("2025-01-01", "2025-02-01");
  const some = await page("2025-01-01", "2025-02-01", { skip_zero_qty_line_items: "true" });
  const lines = (items: Item[]) => items.flatMap((item) => item.line_items).length;
  expect([all.items.length, lines(all.items), some.items.length, lines(some.items)]).toEqual([31, 62, 31, 4]);
  expect(sum(some.items)).toBe(sum(all.items));
  const explicit = await page("2025-01-01", "2025-02-01", { skip_zero_qty_line_items: "false" });
  expect(lines(explicit.items)).toBe(62);
});

test.each(["1", "True", "yes", ""])("55: skip_zero_qty_line_items '%s'", async (skip_zero_qty_line_items) => {
  const path = breakdowns("2025-01-01", "2025-02-01", { skip_zero_qty_line_items });
  await refused(path, "skip_zero_qty_line_items");
});

test("56: a parameter given twice", async () => {
  const base = breakdowns("2025-01-01", "2025-02-01");
  await refused(`${base}&status=DRAFT&status=VOID`, "status", "repeated_parameter");
  await refused(`${base}&limit=1&limit=1`, "limit", "repeated_parameter");
});

test.each([
  ["57", "foo=1"],
  ["57", "foo=1&foo=2"],
  ["57", "sort=date_desc"],
  ["58", "next_page="],
])("%s: %s changes nothing, and is listed as ignored", async (_case, more) => {
  const base = breakdowns("2025-01-01", "2025-02-01");
  const { body, headers } = await get(`${base}&${more}`);
  expect(body).toEqual((await get(base)).body);
  const [name] = more.split("=");
  expect(headers.get("x-infetch-ignored-parameters")).toBe(name === "next_page" ? null : name);
});

test("59: cursors that are not ours", async () => {
  const { next } = await page("2025-01-01", "2025-03-01", { limit: "3" });
  const other = btoa(JSON.stringify({ ...JSON.parse(atob(next!)), v: 2 }));
  for (const next_page of ["garbage", "e30", next!.slice(0, -4), other, "é"]) {
    const path = breakdowns("2025-01-01", "2025-03-01", { next_page });
    await refused(path, "next_page", "invalid_next_page");
  }
});

test("60: cursors of other filters, or of another account", async () => {
  const { next } = await page("2025-01-01", "2025-03-01", { limit: "3" });
  const changes: Record<string, string>[] = [
    { status: "DRAFT" },
    { skip_zero_qty_line_items: "true" },
    { window_size: "hour" },
    { ending_before: "2025-03-02T00:00:00Z" },
    { starting_on: "2025-01-02T00:00:00Z" },
  ];
  for (const change of changes) {
    const path = breakdowns("2025-01-01", "2025-03-01", { next_page: next!, ...change });
    await refused(path, "next_page", "invalid_next_page");
  }
  const { parseBreakdownParams } = await import("../../worker/endpoints/billing/params.ts");
  const url = `http://page${breakdowns("2025-01-01", "2025-03-01", { next_page: next! })}`;
  expect(() => parseBreakdownParams(new URL(url).searchParams, "other")).toThrow(/next_page/);
});

test("61: the limit may change between pages", async () => {
  const { next } = await page("2025-01-01", "2025-03-01", { limit: "3" });
  const { items } = await page("2025-01-01", "2025-03-01", { limit: "2", next_page: next! });
  expect(starts(items)).toEqual(["2025-01-04T00", "2025-01-05T00"]);
});

test("62: a cursor does not replace the bounds", async () => {
  const { next } = await page("2025-01-01", "2025-03-01", { limit: "3" });
  await refused(`${BREAKDOWNS}?next_page=${next}`, "starting_on", "missing_required_parameter");
});

test("63: usage between two pages", async () => {
  const first = await page("2025-01-01", "2025-03-01");
  await use(tab, 7, 0);
  const second = await page("2025-01-01", "2025-03-01", { next_page: first.next! });
  const all = starts([...first.items, ...second.items]);
  expect([new Set(all).size, all.length]).toEqual([41, 41]);
  expect(sum(second.items)).toBe(0.0000207);
});

test("64: a period closes between two pages", async () => {
  const first = await page("2025-02-01", "2025-03-01", { limit: "5" });
  world.clock.set("2025-03-02T00:00:00Z");
  const second = await page("2025-02-01", "2025-03-01", { limit: "5", next_page: first.next! });
  expect(starts(second.items)[0]).toBe("2025-02-06T00");
  expect(new Set(second.items.map((item) => item.status))).toEqual(new Set(["FINALIZED"]));
});

test("65: the window in which a price changes", async () => {
  const { items } = await page("2025-02-04", "2025-02-06");
  const input = items.map((item) => item.line_items.filter((one) => one.product_id === "text-input-tokens"));
  expect(input.map((lines) => lines.map((one) => [one.unit_price, one.quantity]))).toEqual([
    [[5e-8, 0]],
    [[1e-7, 0]],
  ]);
});

test("66: January voided and issued again", async () => {
  unwrap(await tab.rpc.voidInvoice("inv_202501_0_default", "test"));
  unwrap(await tab.rpc.regenerateInvoice("inv_202501_0_default"));
  const { items } = await page("2025-01-03", "2025-01-04");
  expect(items.map((item) => [item.id, item.status, item.total])).toEqual([
    ["inv_202501_0_default", "VOID", 0.00015],
    ["inv_202501_1_default", "FINALIZED", 0.00015],
  ]);
  expect((await get("/v1/billing/invoices")).body.invoices).toHaveLength(3);
  const next = await page("2025-01-01", "2025-02-01", { limit: "31" });
  expect([next.items.length, next.next]).toEqual([62, null]);
});
