/** Arguments that pages without types pass to `runtime.billing` and `runtime.usage`. */

import { expect, test } from "vitest";
import { fixture } from "./support/world.ts";

const NONE = null as never;
const refusal = (code: string, ...words: string[]) => ({
  ok: false,
  error: { code, message: expect.stringMatching(words.join(".*")) },
});

test.each([NONE, "text" as never, [] as never, 7 as never])("%j as an argument is refused", async (none) => {
  const { page } = (await fixture()).tab;
  const answers = [
    await page.usage(none),
    await page.exportUsage(none),
    await page.grantCredit(none),
    await page.scheduleRate(none),
    await page.closeDuePeriods(none),
    await page.credits(none),
    await page.verify(none),
    await page.rebuild(none),
  ];
  for (const answer of answers) expect(answer).toMatchObject(refusal("invalid_argument", "object"));
});

test.each([NONE, undefined as never, 7 as never, {} as never])("%j is no backup", async (none) => {
  const { page } = (await fixture()).tab;
  expect(await page.importUsage(none)).toMatchObject(refusal("invalid_argument", "Blob"));
});

test.each([NONE, undefined as never, 7 as never, {} as never, [] as never])("%j is no id", async (none) => {
  const { page } = (await fixture()).tab;
  expect(await page.voidEvent(none)).toMatchObject(refusal("event_not_found"));
  expect(await page.voidInvoice(none)).toMatchObject(refusal("invoice_not_found"));
  expect(await page.regenerateInvoice(none)).toMatchObject(refusal("invoice_not_found"));
});

test("an argument of another type is refused by its own name", async () => {
  const { page } = (await fixture()).tab;
  const grant = { amountUsd: 1, startsAt: "9999-12-31T00:00:00Z" };
  const change = { product: "text-input-tokens" as const, price: 1, effectiveAt: "9999-12-31T00:00:00Z" };
  const answers = {
    "^'account' must be a string": await page.credits({ account: 7 as never }),
    "^'reason' must be a string": await page.voidInvoice("any", 7 as never),
    "^'note' must be a string": await page.grantCredit({ ...grant, note: 7 as never }),
    "^'startsAt' must be before": await page.grantCredit(grant),
    "^'model' must be a string": await page.scheduleRate({ ...change, model: 7 as never }),
    "^'effectiveAt' must be before": await page.scheduleRate({ ...change, model: "any" }),
  };
  for (const [words, answer] of Object.entries(answers))
    expect(answer).toMatchObject(refusal("invalid_argument", words));
});

test("an invoice and an event that do not exist are named", async () => {
  const { page } = (await fixture()).tab;
  expect(await page.voidInvoice("in_nothing")).toMatchObject(refusal("invoice_not_found", "'in_nothing'"));
  expect(await page.regenerateInvoice("in_nothing")).toMatchObject(
    refusal("invoice_not_found", "'in_nothing'"),
  );
  expect(await page.voidEvent("no-event")).toMatchObject(refusal("event_not_found", "'no-event'"));
});

test.each([Number.NaN, NONE, -1, 1.5, "5" as never])("a limit of %j is refused by name", async (limit) => {
  const { page } = (await fixture()).tab;
  expect(await page.usage({ limit })).toMatchObject(refusal("invalid_argument", "'limit'"));
});

test("the newest events are listed, up to the limit", async () => {
  const { page } = (await fixture()).tab;
  const inputs = async (limit?: number) => {
    const listed = await page.usage(limit === undefined ? {} : { limit });
    return listed.ok && listed.value.map((event) => event.inputTokens);
  };
  expect(await inputs(0)).toEqual([]);
  expect(await inputs(2)).toEqual([20, 100]);
  expect(await inputs(Number.POSITIVE_INFINITY)).toEqual(await inputs());
});

test("bounds of another type are refused by name", async () => {
  const { page } = (await fixture()).tab;
  for (const from of [NONE, 0 as never, ["2025-01-01T00:00:00Z"] as never]) {
    expect(await page.usage({ from })).toMatchObject(refusal("invalid_argument", "'from'"));
    expect(await page.exportUsage({ from })).toMatchObject(refusal("invalid_argument", "'from'"));
  }
});
