/** Ledger invariants (laws 1 to 9) over random ledgers, two connections and random interleavings. */

import { expect, test } from "vitest";
import type { Breakdown, Invoice } from "../../src/protocol/rpc/billing.ts";
import { picoFromUsd } from "../../worker/usage/billing/money.ts";
import { fc } from "../support/random.ts";
import { breakdowns, counts, request, type Tab, unwrap, use, World } from "./support/world.ts";

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2024, 11, 15);

/** One request: delay since the previous one, token counts, model, tier and tab. */
const usage = fc.record({
  afterMs: fc.oneof(fc.integer({ min: 0, max: 5_000 }), fc.integer({ min: 0, max: 9 * DAY_MS })),
  input: fc.integer({ min: 1, max: 5_000 }),
  cached: fc.integer({ min: 0, max: 200 }),
  output: fc.integer({ min: 0, max: 5_000 }),
  model: fc.constantFrom("m", "n", "unpriced"),
  tier: fc.constantFrom("serverless" as const, "batch" as const),
  tab: fc.constantFrom(0, 1),
});
const ledger = fc.array(usage, { minLength: 1, maxLength: 12 });
type Usage = typeof usage extends fc.Arbitrary<infer T> ? T : never;

const PRICES = { m: { input: "0.05", cachedInput: "0.0125", output: "0.2" }, n: { input: "0.123456" } };
const RUNS = { numRuns: 25 };

async function twoTabs(skipsClockCheck = false) {
  const world = new World({ now: new Date(START_MS).toISOString(), pricing: PRICES, skipsClockCheck });
  return { world, tabs: [await world.openTab(), await world.openTab()] as [Tab, Tab] };
}

async function book(world: World, tabs: readonly Tab[], rows: readonly Usage[], each = async () => {}) {
  for (const row of rows) {
    world.clock.advance(row.afterMs);
    const meter = tabs[row.tab]!.meter.begin(request({ model: row.model, tier: row.tier }));
    await meter.settle("completed", counts(row.input, row.output, Math.min(row.cached, row.input)));
    await each();
  }
}

const invoicesOf = async (tab: Tab): Promise<Invoice[]> =>
  (await tab.get("/v1/billing/invoices")).body.invoices;

/** Converts a JSON amount to pico-USD; exact below 1,000 USD. */
const pico = (usd: number) => (usd < 0 ? -picoFromUsd(-usd) : picoFromUsd(usd));
const total = (rows: { total: number }[]) => rows.reduce((sum, row) => sum + pico(row.total), 0n);

/** The breakdowns of a query, from all list pages. */
async function allPages(tab: Tab, from: number, to: number, more: Record<string, string>) {
  const items: Breakdown[] = [];
  let next: string | null = "";
  while (next !== null) {
    const path = breakdowns(new Date(from).toISOString(), new Date(to).toISOString(), {
      ...more,
      ...(next === "" ? {} : { next_page: next }),
    });
    const { status, body } = await tab.get(path);
    expect(status, JSON.stringify(body)).toBe(200);
    items.push(...body.breakdowns);
    next = body.next_page;
  }
  return items;
}

const query = fc.record({
  window_size: fc.constantFrom("hour", "day"),
  skip_zero_qty_line_items: fc.constantFrom("true", "false"),
  limit: fc.constantFrom("5", "24", "35"),
});

test("law 1: the lines of an invoice sum to its total", async () => {
  await fc.assert(
    fc.asyncProperty(ledger, fc.integer({ min: 0, max: 3_000 }), async (rows, micros) => {
      const { world, tabs } = await twoTabs();
      if (micros > 0) unwrap(await tabs[0].rpc.grantCredit({ amountUsd: (micros / 1e6).toFixed(6) }));
      await book(world, tabs, rows);
      for (const invoice of await invoicesOf(tabs[1])) {
        const lines = invoice.line_items;
        expect(total(lines)).toBe(pico(invoice.total));
        expect(total(lines.filter((line) => line.type === "usage"))).toBe(pico(invoice.subtotal));
        expect(invoice.total).toBeGreaterThanOrEqual(0);
        for (const line of lines)
          expect(BigInt(line.quantity) * pico(line.unit_price)).toBe(pico(line.total));
      }
    }),
    RUNS,
  );
});

test.each([
  { window_size: "day", limits: ["3", "17", "35"], numRuns: 25 },
  { window_size: "hour", limits: ["24"], numRuns: 6 },
])(
  "law 2: the windows ($window_size) of a period sum to its invoice",
  async ({ window_size, limits, numRuns }) => {
    const filters = fc.record({
      skip_zero_qty_line_items: fc.constantFrom("true", "false"),
      limit: fc.constantFrom(...limits),
    });
    await fc.assert(
      fc.asyncProperty(ledger, filters, fc.boolean(), async (rows, more, isFrozen) => {
        const { world, tabs } = await twoTabs(isFrozen);
        await book(world, tabs, rows);
        const invoices = await invoicesOf(tabs[0]);
        const last = invoices.at(-1)!;
        const to = Date.parse(last.end_timestamp);
        const items = await allPages(tabs[1], START_MS - 30 * DAY_MS, to, { window_size, ...more });
        for (const invoice of invoices) {
          const own = items.filter((item) => item.id === invoice.id);
          expect(total(own)).toBe(pico(invoice.subtotal));
        }
      }),
      { numRuns },
    );
  },
);

test("law 3: rebuilt roll-ups are the roll-ups", async () => {
  await fc.assert(
    fc.asyncProperty(ledger, fc.nat(11), async (rows, broken) => {
      const { world, tabs } = await twoTabs();
      await book(world, tabs, rows);
      expect(unwrap(await tabs[0].rpc.verify())).toEqual({ ok: true, differences: [] });
      const before = await invoicesOf(tabs[0]);
      await tabs[0].database!.write(["rollups"], async (all) => {
        const stored = await all.objectStore("rollups").getAll();
        const row = stored[broken % stored.length]!;
        await all.objectStore("rollups").put({ ...row, quantity: row.quantity + 1 });
      });
      expect(unwrap(await tabs[1].rpc.verify()).differences).toHaveLength(1);
      expect(unwrap(await tabs[1].rpc.rebuild()).differences).toHaveLength(1);
      expect(unwrap(await tabs[1].rpc.verify()).ok).toBe(true);
      expect(await invoicesOf(tabs[0])).toEqual(before);
    }),
    RUNS,
  );
});

test("law 4: settling, recovering and closing in any interleaving counts once", async () => {
  const action = fc.record({
    kind: fc.constantFrom("settle" as const, "recover" as const, "close" as const, "read" as const),
    tab: fc.constantFrom(0, 1),
    which: fc.nat(4),
    jumpMs: fc.constantFrom(0, 0, 20 * DAY_MS),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 4, maxLength: 16 }), async (actions) => {
      const { world, tabs } = await twoTabs();
      const dead = await world.openTab();
      const requests = Array.from({ length: 5 }, () => request());
      for (const one of requests) dead.meter.begin(one).checkpoint(counts(10, 32));
      const inflight = () =>
        tabs[0].database!.read(["inflight"], (all) => all.objectStore("inflight").count());
      await expect.poll(inflight).toBe(5);
      dead.agent.die();
      await Promise.all(
        actions.map(async ({ kind, tab: at, which, jumpMs }) => {
          const tab = tabs[at]!;
          world.clock.advance(jumpMs);
          if (kind === "settle") await tab.meter.begin(requests[which]!).settle("completed", counts(10, 32));
          else if (kind === "recover") await tab.runMaintenance();
          else if (kind === "close") unwrap(await tab.rpc.closeDuePeriods());
          else await tab.get("/v1/billing/invoices");
        }),
      );
      await tabs[1].runMaintenance();
      const events = unwrap(await tabs[0].rpc.usage({}));
      expect(events.map((event) => event.transactionId).sort()).toEqual(
        requests.map((one) => one.transactionId).sort(),
      );
      expect(total(await invoicesOf(tabs[0]))).toBe(5n * (10n * 50_000n + 32n * 200_000n));
      expect(unwrap(await tabs[1].rpc.verify()).ok).toBe(true);
    }),
    RUNS,
  );
});

test("law 5: what is finalized never changes, except to VOID", async () => {
  await fc.assert(
    fc.asyncProperty(ledger, fc.integer({ min: -60, max: 60 }), async (rows, days) => {
      const { world, tabs } = await twoTabs(true);
      const seen = new Map<string, string>();
      await book(world, tabs, rows, async () => {
        for (const invoice of await invoicesOf(tabs[0])) {
          if (invoice.status === "DRAFT") continue;
          const text = JSON.stringify(invoice);
          expect(seen.get(invoice.id) ?? text).toBe(text);
          seen.set(invoice.id, text);
        }
      });
      // Set the clock wrong, in either direction, then record more usage.
      world.clock.set(world.clock.now() + days * DAY_MS);
      await use(tabs[1], 77, 77);
      for (const [id, text] of seen) {
        expect(JSON.stringify((await tabs[1].get(`/v1/billing/invoices/${id}`)).body)).toBe(text);
        const voided = unwrap(await tabs[0].rpc.voidInvoice(id, "law"));
        expect(voided).toEqual({ ...JSON.parse(text), status: "VOID" });
      }
    }),
    RUNS,
  );
});

test("law 6: pages in a row are one big page", async () => {
  await fc.assert(
    fc.asyncProperty(ledger, query, fc.integer({ min: 1, max: 9 }), async (rows, more, small) => {
      const { world, tabs } = await twoTabs();
      await book(world, tabs, rows);
      const to = world.clock.now() + 40 * DAY_MS;
      const from = more.window_size === "hour" ? world.clock.now() - 2 * DAY_MS : START_MS;
      const large = await allPages(tabs[0], from, to, { ...more, limit: "35" });
      expect(await allPages(tabs[1], from, to, { ...more, limit: String(small) })).toEqual(large);
    }),
    RUNS,
  );
});

test("law 7: list, single, current and breakdown agree at one instant", async () => {
  await fc.assert(
    fc.asyncProperty(ledger, fc.boolean(), async (rows, isTrusted) => {
      const { world, tabs } = await twoTabs(isTrusted);
      await book(world, tabs, rows);
      const invoices = await invoicesOf(tabs[0]);
      const now = world.clock.now();
      const running = invoices.find(
        (one) => Date.parse(one.start_timestamp) <= now && now < Date.parse(one.end_timestamp),
      );
      const current = await tabs[1].get("/v1/billing/invoices/current");
      expect(current.status === 200 ? current.body : undefined).toEqual(running);
      for (const invoice of invoices) {
        expect((await tabs[1].get(`/v1/billing/invoices/${invoice.id}`)).body).toEqual(invoice);
      }
      const items = await allPages(tabs[0], START_MS - 40 * DAY_MS, now + 40 * DAY_MS, {});
      const pairs = (list: Invoice[]) => [...new Set(list.map((one) => `${one.id} ${one.status}`))];
      expect(pairs(items)).toEqual(pairs(invoices));
    }),
    RUNS,
  );
});

test("law 8: what the client was told is the event is the change of the invoice", async () => {
  await fc.assert(
    fc.asyncProperty(ledger, async (rows) => {
      const { world, tabs } = await twoTabs();
      for (const row of rows) {
        world.clock.advance(row.afterMs);
        const before = total(await invoicesOf(tabs[0]));
        const metered = request({ model: "m" });
        const told = counts(row.input, row.output, Math.min(row.cached, row.input));
        await tabs[row.tab]!.meter.begin(metered).settle("completed", told);
        const events = unwrap(await tabs[0].rpc.usage({}));
        const event = events.find((one) => one.transactionId === metered.transactionId)!;
        expect(event).toMatchObject(told);
        const fresh = BigInt(told.inputTokens - told.cachedTokens);
        const charge =
          fresh * 50_000n + BigInt(told.cachedTokens) * 12_500n + BigInt(told.outputTokens) * 200_000n;
        expect(total(await invoicesOf(tabs[0])) - before).toBe(charge);
      }
    }),
    RUNS,
  );
});

test("law 9: it makes no difference when the app was opened", async () => {
  await fc.assert(
    fc.asyncProperty(
      ledger,
      fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
      async (rows, opened) => {
        const answers: string[] = [];
        for (const isCurious of [false, true]) {
          const { world, tabs } = await twoTabs(isCurious);
          unwrap(await tabs[0].rpc.grantCredit({ amountUsd: "0.001" }));
          let at = 0;
          await book(world, tabs, rows, async () => {
            if (isCurious && opened[at++]) unwrap(await (await world.openTab()).rpc.closeDuePeriods());
          });
          world.clock.advance(45 * DAY_MS);
          answers.push(JSON.stringify(await invoicesOf(tabs[0])));
        }
        expect(answers[1]).toBe(answers[0]);
      },
    ),
    RUNS,
  );
});
