/** Invalid rows are quarantined and reported; all other rows are still read, recorded and summed. */

import { expect, test } from "vitest";
import type { StoreName } from "../../worker/usage/ledger/schema.ts";
import { fc } from "../support/random.ts";
import { breakdowns, counts, request, type Tab, unwrap, use, World } from "./support/world.ts";

const NOW_MS = Date.parse("2025-02-10T15:20:00Z");
const HOUR_MS = 3_600_000;

const subject = { account: "default", endpoint: "/v1/chat/completions", tier: "serverless", model: "m" };
const event = {
  ...subject,
  ...{ deployment_name: "", gpu_type: "", input_tokens: 7, cached_tokens: 0, output_tokens: 5 },
  ...{ reasoning_tokens: 0, request_id: "r", outcome: "completed", transaction_id: "broken" },
  ...{ occurred_ms: NOW_MS, time_ms: NOW_MS, recorded_ms: NOW_MS },
};
const inflight = {
  ...subject,
  ...{ deployment_name: "", gpu_type: "", input_tokens: 7, cached_tokens: 0, output_tokens: 5 },
  ...{ reasoning_tokens: 0, transaction_id: "broken", owner_id: "a dead one", stream: true },
  ...{ started_ms: NOW_MS, checkpoint_ms: NOW_MS, phase: "delivering" },
};
const rollup = {
  ...{ account: "default", hour_ms: Math.floor(NOW_MS / HOUR_MS) * HOUR_MS, tier: "serverless", model: "x" },
  ...{ product_id: "text-input-tokens", deployment_name: "", gpu_type: "", quantity: 3, event_count: 1 },
};
const rate = {
  ...{ product_id: "text-input-tokens", model: "m", tier: "serverless", effective_ms: HOUR_MS },
  ...{ unit_price_pico: "50000", note: "" },
};
const grant = {
  id: "g",
  account: "default",
  amount_pico: "5",
  starts_ms: 0,
  expires_ms: NOW_MS * 2,
  note: "",
};
const invoice = {
  ...{ id: "i", account: "default", type: "USAGE", period_start_ms: 0, period_end_ms: HOUR_MS, revision: 0 },
  ...{ status: "FINALIZED", billable_status: "billable", issued_ms: 0, frozen_ms: 0, lines: [] },
  ...{ subtotal_pico: "0", total_pico: "0" },
};

const account = { id: "default", name: "Default", created_ms: NOW_MS, billing: true };

/** Values that are invalid for every field below. */
const junk = fc.constantFrom<unknown>(
  ...[Number.NaN, -1, 0.5, Number.POSITIVE_INFINITY, 8.64e15, 1e300, null, undefined, {}, [1], true, 5n],
  new Date(0),
);
const fields: Record<string, [row: Record<string, unknown>, fields: string[]]> = {
  events: [
    event,
    [
      "account",
      "endpoint",
      "tier",
      "model",
      "input_tokens",
      "output_tokens",
      "time_ms",
      "occurred_ms",
      "outcome",
    ],
  ],
  inflight: [
    inflight,
    ["account", "endpoint", "tier", "model", "input_tokens", "output_tokens", "checkpoint_ms", "phase"],
  ],
  rollups: [rollup, ["quantity", "event_count", "hour_ms", "product_id", "tier", "model"]],
  rates: [rate, ["unit_price_pico", "note", "effective_ms", "product_id"]],
  grants: [grant, ["amount_pico", "starts_ms", "note"]],
  invoices: [
    invoice,
    ["period_end_ms", "status", "lines", "subtotal_pico", "total_pico", "frozen_ms", "issued_ms"],
  ],
  accounts: [account, ["name", "created_ms"]],
  meta: [{}, ["install_id", "account:default"]],
};
/** `(array)` turns the row into an array that has all its fields. */
const broken = fc
  .constantFrom(...Object.keys(fields))
  .chain((store) =>
    fc.tuple(
      fc.constant(store),
      fc.constantFrom(...fields[store]![1], ...(store === "meta" ? [] : ["(array)"])),
      junk,
    ),
  )
  .filter(([store, , value]) => store !== "meta" || value !== undefined);
type Broken = typeof broken extends fc.Arbitrary<infer T> ? T : never;

/** Accounts and `meta` rows are unique: a second write replaces the first. */
function placeOf([store, field]: Broken, at: number): string {
  return store === "accounts" ? store : store === "meta" ? field : String(at);
}

/** Writes an invalid row. Returns its identity, or undefined if IndexedDB rejects it. */
async function put(tab: Tab, one: Broken, at: number): Promise<string | undefined> {
  const [store, field, value] = one;
  const id = { transaction_id: `broken-${at}`, ...(store === "accounts" ? {} : { id: `broken-${at}` }) };
  const changed = field === "(array)" ? {} : { [field]: value };
  const row = {
    ...fields[store]![0],
    ...id,
    ...(store === "rates" ? { effective_ms: (at + 1) * HOUR_MS } : {}),
    ...(store === "rollups" ? { model: `x-${at}` } : {}),
    ...(store === "invoices" ? { revision: 100 + at } : {}),
    ...changed,
  };
  const whole = field === "(array)" ? Object.assign([], row) : row;
  const write = tab.database!.write([store as StoreName], async (all) => {
    if (store === "meta") await all.objectStore("meta").put(value as never, field);
    else await all.objectStore(store as "events").put(whole as never);
  });
  return write.then(
    () => placeOf(one, at),
    () => undefined,
  );
}

async function answersOf(tab: Tab) {
  const paths = [
    "/v1/billing/invoices",
    "/v1/billing/invoices/current",
    breakdowns("2025-02-01", "2025-03-01"),
  ];
  const answers = [];
  for (const path of paths) {
    const { status, body } = await tab.get(path);
    expect([200, 404], `${path}: ${JSON.stringify(body)}`).toContain(status);
    answers.push(body);
  }
  const events = unwrap(await tab.rpc.usage());
  const used = events
    .map(({ inputTokens, outputTokens, model }) => `${model} ${inputTokens} ${outputTokens}`)
    .sort();
  const csv = await unwrap(await tab.rpc.exportUsage({ format: "csv" })).text();
  unwrap(await tab.rpc.exportUsage());
  return { answers, used, csv, credits: unwrap(await tab.rpc.credits()) };
}

async function expectBackupOf(tab: Tab, other: Tab): Promise<void> {
  const backup = unwrap(await tab.rpc.exportUsage({ format: "backup" }));
  const restored = await new World().openTab();
  unwrap(await restored.rpc.importUsage(await backup.text()));
  expect(await answersOf(restored)).toEqual(await answersOf(other));
}

test("law: any mixture of good and broken rows is read as the good ones alone", async () => {
  const good = fc.array(fc.tuple(fc.integer({ min: 1, max: 900 }), fc.integer({ min: 0, max: 900 })), {
    maxLength: 4,
  });
  await fc.assert(
    fc.asyncProperty(
      good,
      fc.array(broken, { minLength: 1, maxLength: 8 }),
      good,
      async (before, rows, after) => {
        const [world, twin] = [new World(), new World()];
        const [tab, other] = [await world.openTab(), await twin.openTab()];
        for (const [input, output] of before) for (const one of [tab, other]) await use(one, input, output);
        const places = new Set<string>();
        for (const [at, row] of rows.entries()) {
          const place = await put(tab, row, at);
          if (place !== undefined) places.add(place);
        }
        const stored = places.size;
        for (const [input, output] of after) for (const one of [tab, other]) await use(one, input, output);
        expect(await answersOf(tab)).toEqual(await answersOf(other));
        // A backup holds only valid rows, and imports completely.
        await expectBackupOf(tab, other);
        // Verification quarantines and reports every broken row.
        const report = unwrap(await tab.rpc.verify());
        expect(report.quarantined ?? 0).toBe(stored);
        expect(report.differences).toEqual([]);
        const told = tab.events.filter(({ state }) => state === "row_quarantined");
        expect(told.length > 0).toBe(stored > 0);
        for (const { code } of told) expect(code).toBe("ledger_row_quarantined");
        expect(unwrap(await tab.rpc.rebuild())).toEqual({ ...report, ok: true });
        expect(await answersOf(tab)).toEqual(await answersOf(other));
        // Each row is reported only once.
        expect(tab.events.filter(({ state }) => state === "row_quarantined")).toEqual(told);
        await expectBackupOf(tab, other);
      },
    ),
    { numRuns: 12 },
  );
});

test("events that cannot be billed keep no other of their commit from being recorded", async () => {
  const tab = await new World().openTab();
  const bad = [Number.NaN, -5, 1e300].map((output) =>
    tab.meter.begin(request()).settle("completed", counts(1, output)),
  );
  const fine = [1, 2, 3].map((output) => tab.meter.begin(request()).settle("completed", counts(1, output)));
  await Promise.all([...bad, ...fine]);
  expect(
    unwrap(await tab.rpc.usage())
      .map((one) => one.outputTokens)
      .sort(),
  ).toEqual([1, 2, 3]);
  expect(tab.events).toContainEqual({
    type: "ledger",
    state: "row_quarantined",
    code: "ledger_row_quarantined",
  });
  expect(unwrap(await tab.rpc.verify())).toEqual({ ok: true, differences: [], quarantined: 3 });
});
