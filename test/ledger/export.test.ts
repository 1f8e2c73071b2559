/** Exports, and import of backups. */

import { expect, test, vi } from "vitest";
import type { ExportRequest } from "../../src/protocol/rpc/billing.ts";
import { fixture, type Tab, unwrap, use, World } from "./support/world.ts";

const text = async (tab: Tab, request: ExportRequest) => unwrap(await tab.rpc.exportUsage(request)).text();
const lines = async (tab: Tab, request: ExportRequest) =>
  (await text(tab, request))
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

const FEBRUARY = { from: "2025-02-01T00:00:00Z", to: "2025-02-10T15:05:00Z" };

test("cloudevents: one event a line, numbers as strings, the range half-open", async () => {
  const { tab } = await fixture();
  const events = await lines(tab, FEBRUARY);
  expect(events).toEqual([
    {
      specversion: "1.0",
      id: expect.any(String),
      source: expect.stringMatching(/^urn:webgpu-runtime:install_/),
      type: "inference.tokens",
      subject: "default",
      time: "2025-02-01T00:00:00Z",
      datacontenttype: "application/json",
      data: {
        model: "m",
        endpoint: "/v1/chat/completions",
        tier: "serverless",
        input_tokens: "20",
        cached_tokens: "0",
        output_tokens: "20",
        reasoning_tokens: "0",
        outcome: "completed",
      },
    },
  ]);
  expect(await lines(tab, FEBRUARY)).toEqual(events);
});

test("metronome", async () => {
  const { tab } = await fixture();
  const [event] = await lines(tab, { ...FEBRUARY, format: "metronome" });
  expect(event).toMatchObject({
    customer_id: "default",
    timestamp: "2025-02-01T00:00:00Z",
    event_type: "inference_tokens",
    properties: { input_tokens: "20" },
  });
});

test("csv: money in full decimals, formulas disarmed, quotes doubled", async () => {
  const world = new World({ now: "2025-02-10T15:20:00Z", pricing: { '=1+"1",': { input: "0.05" } } });
  const tab = await world.openTab();
  await use(tab, 20, 0, { model: '=1+"1",', stream: false });
  expect(await text(tab, { format: "csv" })).toBe(
    "window_start,window_end,subject,model,tier,product_id,quantity,unit_price,total\r\n" +
      `2025-02-10T15:00:00Z,2025-02-10T16:00:00Z,default,"'=1+""1"",",serverless,text-input-tokens,20,0.000000050000,0.000001000000\r\n`,
  );
});

test("csv by day over a month edge, voided invoices left out", async () => {
  const { tab } = await fixture();
  unwrap(await tab.rpc.voidInvoice("inv_202501_0_default", ""));
  unwrap(await tab.rpc.regenerateInvoice("inv_202501_0_default"));
  const rows = (await text(tab, { format: "csv", windowSize: "day" })).trimEnd().split("\r\n");
  expect(rows.slice(1).map((row) => row.split(",")[0]!.slice(0, 10))).toEqual([
    "2025-01-03",
    "2025-01-03",
    "2025-01-31",
    "2025-01-31",
    "2025-02-01",
    "2025-02-01",
    "2025-02-10",
    "2025-02-10",
  ]);
});

test("a backup restores everything into a new ledger, and twice changes nothing", async () => {
  const { tab, get } = await fixture();
  unwrap(await tab.rpc.closeDuePeriods());
  unwrap(await tab.rpc.grantCredit({ amountUsd: "0.00001" }));
  const backup = await text(tab, { format: "backup" });
  const other = await new World().openTab();
  const first = unwrap(await other.rpc.importUsage(backup));
  expect(first).toMatchObject({ conflict: 0, refused: 0 });
  expect((await other.get("/v1/billing/invoices")).body).toEqual((await get("/v1/billing/invoices")).body);
  expect(unwrap(await other.rpc.verify()).ok).toBe(true);
  const again = unwrap(await other.rpc.importUsage(new Blob([backup])));
  expect(again).toMatchObject({ added: 0, conflict: 0, refused: 0 });
  expect(await text(other, { format: "backup" })).toBe(backup);
});

test("into a ledger in use: what is missing in open periods is added, the rest refused, nothing changed", async () => {
  const { tab } = await fixture();
  const backup = (await text(tab, { format: "backup" })).split("\n");
  const events = backup.filter((line) => line.startsWith('{"store":"events"'));
  const world = new World();
  const other = await world.openTab();
  world.clock.set("2025-01-20T00:00:00Z");
  await use(other, 1, 1);
  world.clock.set("2025-02-10T15:20:00Z");
  unwrap(await other.rpc.closeDuePeriods());
  expect(unwrap(await other.rpc.importUsage(events.join("\n")))).toEqual({
    added: 2,
    duplicate: 0,
    conflict: 0,
    refused: 2,
  });
  const changed = events.map((line) => line.replace('"output_tokens":50', '"output_tokens":51'));
  expect(unwrap(await other.rpc.importUsage(changed.join("\n")))).toEqual({
    added: 0,
    duplicate: 1,
    conflict: 1,
    refused: 2,
  });
  expect(unwrap(await other.rpc.verify()).ok).toBe(true);
});

const grant = { id: "g", account: "default", amount_pico: "1", starts_ms: 0, expires_ms: 1, note: "" };

test.each([
  "{",
  "null",
  '{"store":"inflight","row":{}}',
  '{"store":"constructor","row":{}}',
  '{"store":"events"}',
  '{"store":"meta","row":"x"}',
  JSON.stringify({ store: "grants", row: { ...grant, amount_pico: "-1" } }),
  JSON.stringify({ store: "grants", row: { ...grant, starts_ms: "soon" } }),
])("%s is no line of a backup: nothing is imported", async (line) => {
  const { tab } = await fixture();
  const before = await text(tab, { format: "backup" });
  expect(await tab.rpc.importUsage(`\n${line}\n`)).toMatchObject({
    ok: false,
    error: { code: "invalid_argument", message: expect.stringContaining("Line 1") },
  });
  expect(await text(tab, { format: "backup" })).toBe(before);
});

test("of two invoices of a backup for one month and revision, the first is restored", async () => {
  const { tab } = await fixture({ skipsClockCheck: true });
  unwrap(await tab.rpc.closeDuePeriods());
  const lines = (await unwrap(await tab.rpc.exportUsage({ format: "backup" })).text()).trim().split("\n");
  const invoice = JSON.parse(lines.find((line) => line.includes('"invoices"'))!);
  const other = { ...invoice, row: { ...invoice.row, id: "inv_202501_7_default", total_pico: "1" } };
  const next = await new World().openTab();
  const report = unwrap(await next.rpc.importUsage([...lines, JSON.stringify(other)].join("\n")));
  expect(report).toMatchObject({ conflict: 1, refused: 0 });
  expect((await next.get("/v1/billing/invoices")).body).toEqual((await tab.get("/v1/billing/invoices")).body);
});

test("many events are imported into a ledger in use by few accesses: requests wait for them", async () => {
  const from = await new World().openTab();
  for (let each = 0; each < 300; each++) await use(from, 2, 3);
  const backup = await unwrap(await from.rpc.exportUsage({ format: "backup" })).text();
  const tab = await new World().openTab();
  await use(tab, 1, 1);
  const put = vi.spyOn(IDBObjectStore.prototype, "put");
  const get = vi.spyOn(IDBObjectStore.prototype, "get");
  const report = unwrap(await tab.rpc.importUsage(backup + backup));
  const accessesOf = ({ mock }: { mock: { contexts: unknown[] } }, store: string) =>
    mock.contexts.filter((one) => (one as IDBObjectStore).name === store).length;
  // Of each product one; of the account one, besides the backup's own lines.
  expect(accessesOf(put, "rollups")).toBe(2);
  expect(accessesOf(get, "meta")).toBeLessThan(10);
  vi.restoreAllMocks();
  expect(report.added).toBe(300);
  expect((await tab.get("/v1/billing/invoices/current")).body.line_items).toMatchObject([
    { product_id: "text-input-tokens", quantity: 601 },
    { product_id: "text-output-tokens", quantity: 901 },
  ]);
  expect(unwrap(await tab.rpc.verify())).toMatchObject({ ok: true });
});

test("a large backup is read in parts, between which its worker answers; a line may repeat one of an earlier part", async () => {
  const tab = await new World().openTab();
  await use(tab, 1, 1);
  const rows = Array.from({ length: 2_500 }, (_, at) => ({
    store: "grants",
    row: { ...grant, id: `g${at}` },
  }));
  const changed = { store: "grants", row: { ...grant, id: "g0", amount_pico: "2" } };
  const backup = [...rows, ...rows, changed].map((row) => JSON.stringify(row)).join("\n");
  const parse = vi.spyOn(JSON, "parse");
  let [parsed, mostAtOnce, isOver] = [0, 0, false];
  const look = (): void => {
    mostAtOnce = Math.max(mostAtOnce, parse.mock.calls.length - parsed);
    parsed = parse.mock.calls.length;
    if (!isOver) setImmediate(look);
  };
  look();
  const report = unwrap(await tab.rpc.importUsage(backup));
  isOver = true;
  parse.mockRestore();
  expect(report).toEqual({ added: 2_500, duplicate: 2_500, conflict: 1, refused: 0 });
  expect(parsed).toBeGreaterThanOrEqual(5_000);
  expect(mostAtOnce).toBeLessThanOrEqual(2_000);
});
