/** Arguments that pages without types pass to `runtime.billing` and `runtime.usage`. */

import { expect, test } from "vitest";
import { fixture } from "./support/world.ts";

const NONE = null as never;
const refusal = (code: string, ...words: string[]) => ({
  ok: false,
  error: { code, message: expect.stringMatching(words.join(".*")) },
});

test.each([NONE, "text" as never, [] as never, 7 as never])("%j as an argument is refused", async (none) => {
  const { rpc } = (await fixture()).tab;
  const answers = [
    await rpc.usage(none),
    await rpc.exportUsage(none),
    await rpc.grantCredit(none),
    await rpc.scheduleRate(none),
    await rpc.closeDuePeriods(none),
    await rpc.credits(none),
    await rpc.verify(none),
    await rpc.rebuild(none),
  ];
  for (const answer of answers) expect(answer).toMatchObject(refusal("invalid_argument", "object"));
});

test.each([NONE, undefined as never, 7 as never, {} as never])("%j is no backup", async (none) => {
  const { rpc } = (await fixture()).tab;
  expect(await rpc.importUsage(none)).toMatchObject(refusal("invalid_argument", "Blob"));
});

test.each([NONE, undefined as never, 7 as never, {} as never, [] as never])("%j is no id", async (none) => {
  const { rpc } = (await fixture()).tab;
  expect(await rpc.voidEvent(none)).toMatchObject(refusal("event_not_found"));
  expect(await rpc.voidInvoice(none)).toMatchObject(refusal("invoice_not_found"));
  expect(await rpc.regenerateInvoice(none)).toMatchObject(refusal("invoice_not_found"));
});

test("an argument of another type is refused by its own name", async () => {
  const { rpc } = (await fixture()).tab;
  const grant = { amountUsd: 1, startsAt: "9999-12-31T00:00:00Z" };
  const change = { product: "text-input-tokens" as const, price: 1, effectiveAt: "9999-12-31T00:00:00Z" };
  const answers = {
    "^'account' must be a string": await rpc.credits({ account: 7 as never }),
    "^'reason' must be a string": await rpc.voidInvoice("any", 7 as never),
    "^'note' must be a string": await rpc.grantCredit({ ...grant, note: 7 as never }),
    "^'startsAt' must be before": await rpc.grantCredit(grant),
    "^'model' must be a string": await rpc.scheduleRate({ ...change, model: 7 as never }),
    "^'effectiveAt' must be before": await rpc.scheduleRate({ ...change, model: "any" }),
  };
  for (const [words, answer] of Object.entries(answers))
    expect(answer).toMatchObject(refusal("invalid_argument", words));
});

test("an invoice and an event that do not exist are named", async () => {
  const { rpc } = (await fixture()).tab;
  expect(await rpc.voidInvoice("in_nothing")).toMatchObject(refusal("invoice_not_found", "'in_nothing'"));
  expect(await rpc.regenerateInvoice("in_nothing")).toMatchObject(
    refusal("invoice_not_found", "'in_nothing'"),
  );
  expect(await rpc.voidEvent("no-event")).toMatchObject(refusal("event_not_found", "'no-event'"));
});

test.each([Number.NaN, NONE, -1, 1.5, "5" as never])("a limit of %j is refused by name", async (limit) => {
  const { rpc } = (await fixture()).tab;
  expect(await rpc.usage({ limit })).toMatchObject(refusal("invalid_argument", "'limit'"));
});

test("the newest events are listed, up to the limit", async () => {
  const { rpc } = (await fixture()).tab;
  const inputs = async (limit?: number) => {
    const listed = await rpc.usage(limit === undefined ? {} : { limit });
    return listed.ok && listed.value.map((event) => event.inputTokens);
  };
  expect(await inputs(0)).toEqual([]);
  expect(await inputs(2)).toEqual([20, 100]);
  expect(await inputs(Number.POSITIVE_INFINITY)).toEqual(await inputs());
});

test("bounds of another type are refused by name", async () => {
  const { rpc } = (await fixture()).tab;
  for (const from of [NONE, 0 as never, ["2025-01-01T00:00:00Z"] as never]) {
    expect(await rpc.usage({ from })).toMatchObject(refusal("invalid_argument", "'from'"));
    expect(await rpc.exportUsage({ from })).toMatchObject(refusal("invalid_argument", "'from'"));
  }
});
