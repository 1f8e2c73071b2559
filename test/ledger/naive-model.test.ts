/** Invoices against a model that only knows events, price rows and sums: any mixture of calls gives the same amounts. */

import { expect, test } from "vitest";
import type { Breakdown, Invoice, LineItem, RateChange, Tier } from "../../src/protocol/rpc/billing.ts";
import { picoFromUsd } from "../../worker/usage/billing/money.ts";
import { hourOf, quantitiesOf } from "../../worker/usage/ledger/products.ts";
import { DAY_MS, type EventRow, HOUR_MS, type RateRow } from "../../worker/usage/ledger/schema.ts";
import { fc } from "../support/random.ts";
import { breakdowns, counts, request, type Tab, unwrap, World } from "./support/world.ts";

const PRICES = {
  m: { input: "0.05", output: "0.2", embedding: "0.02" },
  n: { input: "0.1", cachedInput: "0.03", output: "0.3", batch: { input: "0.07" } },
};

/** A world, its present server, and the requests so far. */
class Run {
  readonly world = new World({ now: "2024-12-20T10:00:00Z", skipsClockCheck: true, pricing: PRICES });
  readonly ids: string[] = [];
  tab!: Tab;

  async open(): Promise<void> {
    this.tab?.close();
    this.tab = await this.world.openTab();
  }

  async invoices(): Promise<Invoice[]> {
    return (await this.tab.get("/v1/billing/invoices")).body.invoices;
  }
}

type Step = (run: Run) => Promise<unknown>;

const iso = (timeMs: number) => new Date(timeMs).toISOString();
const usd = (micros: number) => (micros / 1e6).toFixed(6);
const pick = <T>(all: readonly T[], at: number): T | undefined => all[at % Math.max(1, all.length)];

const uses = fc
  .record({
    input: fc.nat(5_000),
    output: fc.nat(5_000),
    cached: fc.nat(6_000),
    model: fc.constantFrom("m", "n", "unpriced"),
    tier: fc.constantFrom<Tier>("serverless", "batch", "dedicated"),
    endpoint: fc.constantFrom("/v1/chat/completions", "/v1/embeddings"),
  })
  .map(
    ({ input, output, cached, ...over }): Step =>
      async ({ tab, ids }) => {
        const metered = request(over);
        ids.push(metered.transactionId);
        await tab.meter.begin(metered).settle("completed", counts(input, output, cached));
      },
  );

const passing = fc
  .oneof(fc.integer({ min: 1, max: 2 * HOUR_MS }), fc.integer({ min: -5 * DAY_MS, max: 20 * DAY_MS }))
  .map(
    (ms): Step =>
      async ({ world }) =>
        world.clock.advance(ms),
  );

const rates = fc
  .record({
    product: fc.constantFrom<RateChange["product"]>(
      "text-input-tokens",
      "text-output-tokens",
      "embedding-input-tokens",
    ),
    model: fc.constantFrom("m", "n"),
    tier: fc.constantFrom<Tier>("serverless", "batch"),
    hours: fc.nat(400),
    evenMicros: fc.nat(1_000_000),
  })
  .map(
    ({ hours, evenMicros, ...what }): Step =>
      ({ tab, world }) => {
        const effectiveAt = iso(hourOf(world.clock.now()) + hours * HOUR_MS);
        return tab.rpc.scheduleRate({ ...what, price: usd(2 * evenMicros), effectiveAt });
      },
  );

const grants = fc
  .record({
    micros: fc.integer({ min: 1, max: 3_000 }),
    after: fc.nat(60),
    days: fc.integer({ min: 1, max: 90 }),
  })
  .map(
    ({ micros, after, days }): Step =>
      ({ tab, world }) => {
        const startsMs = world.clock.now() + after * DAY_MS;
        const times = { startsAt: iso(startsMs), expiresAt: iso(startsMs + days * DAY_MS) };
        return tab.rpc.grantCredit({ amountUsd: usd(micros), ...times });
      },
  );

const voids = fc.record({ at: fc.nat(), again: fc.boolean() }).map(
  ({ at, again }): Step =>
    async (run) => {
      const invoice = pick(await run.invoices(), at);
      if (!invoice) return;
      await run.tab.rpc.voidInvoice(invoice.id);
      if (again) await run.tab.rpc.regenerateInvoice(invoice.id);
    },
);

const eventVoids = fc.nat().map(
  (at): Step =>
    ({ tab, ids }) =>
      tab.rpc.voidEvent(pick(ids, at) ?? "none"),
);

const priceLists = fc.tuple(fc.nat(500), fc.nat(1_000)).map(
  ([m, n]): Step =>
    (run) => {
      const pricing = {
        m: { input: usd(1_000 * m), output: "0.2" },
        n: { input: "0.1", output: usd(1_000 * n) },
      };
      Object.assign(run.world.options, { pricing });
      return run.open();
    },
);

const closing = fc.constant<Step>(async ({ tab }) => unwrap(await tab.rpc.closeDuePeriods()));

const step = fc.oneof(
  { weight: 6, arbitrary: uses },
  { weight: 4, arbitrary: passing },
  { weight: 2, arbitrary: rates },
  { weight: 2, arbitrary: grants },
  ...[voids, eventVoids, priceLists, closing].map((arbitrary) => ({ weight: 1, arbitrary })),
);

/** What an event costs: the last price row that started by its hour. */
function costOf(event: EventRow, card: readonly RateRow[]): bigint {
  if (event.voided) return 0n;
  const { endpoint, model, tier, time_ms } = event;
  const use = { endpoint, inputTokens: event.input_tokens, cachedTokens: event.cached_tokens };
  return quantitiesOf({ ...use, outputTokens: event.output_tokens }).reduce((sum, [product, quantity]) => {
    const rows = card.filter((row) => row.product_id === product && row.model === model && row.tier === tier);
    const begun = rows.filter(({ effective_ms }) => effective_ms <= hourOf(time_ms));
    const price = begun.sort((a, b) => b.effective_ms - a.effective_ms)[0]?.unit_price_pico ?? "0";
    return sum + BigInt(quantity) * BigInt(price);
  }, 0n);
}

const pico = (amount: number) => (amount < 0 ? -picoFromUsd(-amount) : picoFromUsd(amount));
const sumOf = (amounts: readonly bigint[]) => amounts.reduce((sum, one) => sum + one, 0n);
const isCredit = ({ type }: LineItem) => type === "applied_commit_or_credit";

async function allDays({ tab, world }: Run, events: readonly EventRow[]): Promise<Breakdown[]> {
  const times = events.map(({ time_ms }) => time_ms);
  const days: Breakdown[] = [];
  const to = iso(Math.max(world.clock.now(), ...times) + DAY_MS);
  for (let next: string | null = ""; next !== null; ) {
    const page = next === "" ? {} : { next_page: next };
    const { body } = await tab.get(breakdowns("2024-12-01", to, page));
    days.push(...body.breakdowns);
    next = body.next_page;
  }
  return days.filter(({ status }) => status !== "VOID");
}

async function compare(run: Run): Promise<void> {
  const { tab } = run;
  const [events, card] = await tab.database!.read(["events", "rates"], (all) =>
    Promise.all([all.objectStore("events").getAll(), all.objectStore("rates").getAll()]),
  );
  const costIn = (start: string, end: string) =>
    sumOf(
      events
        .filter(({ time_ms }) => time_ms >= Date.parse(start) && time_ms < Date.parse(end))
        .map((event) => costOf(event, card)),
    );
  const invoices = await run.invoices();
  for (const { id, subtotal, total, line_items, start_timestamp, end_timestamp } of invoices) {
    expect(pico(subtotal), id).toBe(costIn(start_timestamp, end_timestamp));
    expect(pico(total), id).toBe(sumOf(line_items.map((line) => pico(line.total))));
    expect(total, id).toBeGreaterThanOrEqual(0);
  }
  const standing = invoices.filter(({ status }) => status !== "VOID");
  const isBilled = ({ time_ms }: EventRow) =>
    invoices.some(
      (one) => time_ms >= Date.parse(one.start_timestamp) && time_ms < Date.parse(one.end_timestamp),
    );
  for (const event of events) expect(costOf(event, card) === 0n || isBilled(event)).toBe(true);
  const days = await allDays(run, events);
  for (const day of days) {
    const { breakdown_start_timestamp: start, breakdown_end_timestamp: end, subtotal } = day;
    expect(pico(subtotal), start).toBe(costIn(start, end));
  }
  expect(new Set(days.map((day) => day.breakdown_start_timestamp)).size).toBe(days.length);
  const credits = unwrap(await tab.rpc.credits());
  const spent = credits.map(({ amountUsd, remainingUsd }) => pico(amountUsd) - pico(remainingUsd));
  const applied = standing.flatMap(({ line_items }) =>
    line_items.filter(isCredit).map((line) => -pico(line.total)),
  );
  expect(sumOf(spent)).toBe(sumOf(applied));
  expect(unwrap(await tab.rpc.verify())).toEqual({ ok: true, differences: [] });
}

test("after each of any calls, invoices, breakdowns and credits are what the model computes", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 20 }), async (steps) => {
      const run = new Run();
      await run.open();
      for (const one of steps) {
        await one(run);
        await compare(run);
      }
    }),
    { numRuns: 10 },
  );
});
