/** Billing edge cases 1 to 23: current, list and single invoices. */

import { beforeEach, expect, test } from "vitest";
import { mintKey } from "../../src/port/page-key.ts";
import { createAccount } from "../../worker/usage/ledger/accounts.ts";
import { fixture, type Tab, use, World } from "./support/world.ts";

const INVOICES = "/v1/billing/invoices";

let get: Tab["get"];
let world: World;
let tab: Tab;

beforeEach(async () => {
  ({ get, world, tab } = await fixture());
});

const ids = (body: { invoices: { id: string }[] }) => body.invoices.map((invoice) => invoice.id);
const JANUARY = "inv_202501_0_default";
const FEBRUARY = "inv_202502_0_default";

test("1: current is the draft of February, with a line for each price", async () => {
  const { status, body } = await get(`${INVOICES}/current`);
  expect(status).toBe(200);
  expect(body).toEqual({
    id: FEBRUARY,
    status: "DRAFT",
    type: "USAGE",
    total: 0.000025,
    subtotal: 0.000025,
    start_timestamp: "2025-02-01T00:00:00Z",
    end_timestamp: "2025-03-01T00:00:00Z",
    issued_at: "2025-03-01T00:00:00Z",
    billable_status: "billable",
    line_items: [
      line("text-input-tokens", "Text input tokens – m", 20, 5e-8, 0.000001, "2025-02-01", "2025-02-05"),
      line("text-input-tokens", "Text input tokens – m", 100, 1e-7, 0.00001, "2025-02-05", "2025-03-01"),
      line("text-output-tokens", "Text output tokens – m", 70, 2e-7, 0.000014, "2025-02-01", "2025-03-01"),
    ],
  });
});

function line(
  product_id: string,
  name: string,
  quantity: number,
  unit_price: number,
  total: number,
  from: string,
  to: string,
) {
  return {
    name,
    quantity,
    total,
    unit_price,
    type: "usage",
    starting_at: `${from}T00:00:00Z`,
    ending_before: `${to}T00:00:00Z`,
    pricing_group_values: { tier: "serverless" },
    presentation_group_values: { model: "m" },
    product_id,
  };
}

test("2: in the first second of March, without use, there is no current invoice", async () => {
  world.clock.set("2025-03-01T00:00:00Z");
  const { status, error } = await get(`${INVOICES}/current`);
  expect([status, error.code, error.type]).toEqual([404, "invoice_not_found", "invalid_request_error"]);
});

test("3: nothing was ever recorded", async () => {
  const empty = await new World().openTab();
  expect((await empty.get(`${INVOICES}/current`)).status).toBe(404);
  expect((await empty.get(INVOICES)).body).toEqual({ invoices: [] });
});

test("4: current takes no parameters", async () => {
  expect((await get(`${INVOICES}/current?status=VOID`)).body).toEqual(
    (await get(`${INVOICES}/current`)).body,
  );
});

test("5: with a day of grace, January's draft is not the current period's", async () => {
  const january = new World({ now: "2025-01-03T00:00:00Z", graceMs: 86_400_000 });
  const own = await january.openTab();
  await use(own, 1, 1);
  january.clock.set("2025-02-01T10:00:00Z");
  expect((await own.get(`${INVOICES}/current`)).status).toBe(404);
  expect((await own.get(INVOICES)).body.invoices[0]).toMatchObject({
    id: JANUARY,
    status: "DRAFT",
    issued_at: "2025-02-02T00:00:00Z",
  });
});

test("6: the list holds January, finalized, and February, a draft", async () => {
  const { body } = await get(INVOICES);
  expect(body.invoices.map((one: { status: string; total: number }) => [one.status, one.total])).toEqual([
    ["FINALIZED", 0.0001525],
    ["DRAFT", 0.000025],
  ]);
  expect(ids(body)).toEqual([JANUARY, FEBRUARY]);
});

test("7: the list filters by status", async () => {
  expect(ids((await get(`${INVOICES}?status=DRAFT`)).body)).toEqual([FEBRUARY]);
  expect(ids((await get(`${INVOICES}?status=FINALIZED`)).body)).toEqual([JANUARY]);
});

test("8: a filter that nothing meets", async () => {
  const { status, body } = await get(`${INVOICES}?status=VOID`);
  expect([status, body]).toEqual([200, { invoices: [] }]);
});

test.each(["draft", "PAID", ""])("9: status '%s' is refused", async (status) => {
  const answer = await get(`${INVOICES}?status=${status}`);
  expect([answer.status, answer.error.param, answer.error.code]).toEqual([
    400,
    "status",
    "invalid_parameter",
  ]);
});

test.each([
  ["10: ending_before is strict", "ending_before=2025-02-01T00:00:00Z", []],
  ["11: one millisecond later", "ending_before=2025-02-01T00:00:00.001Z", [JANUARY]],
  ["12: the draft ends in the future", "ending_before=2025-02-10T15:20:00Z", [JANUARY]],
  ["13: starting_on is inclusive", "starting_on=2025-01-01T00:00:00Z", [JANUARY, FEBRUARY]],
  ["14: one second later", "starting_on=2025-01-01T00:00:01Z", [FEBRUARY]],
  ["16: there are no pages", "limit=1&next_page=x", [JANUARY, FEBRUARY]],
])("%s", async (_name, query, expected) => {
  expect(ids((await get(`${INVOICES}?${query}`)).body)).toEqual(expected);
});

test("15: reversed bounds", async () => {
  const answer = await get(`${INVOICES}?starting_on=2025-02-01T00:00:00Z&ending_before=2025-01-01T00:00:00Z`);
  expect([answer.status, answer.error.param]).toEqual([400, "ending_before"]);
});

test("17: one invoice is the same object as in the list", async () => {
  expect((await get(`${INVOICES}/${JANUARY}`)).body).toEqual((await get(INVOICES)).body.invoices[0]);
});

test("18: a draft keeps its id and its numbers when it is closed", async () => {
  const draft = (await get(`${INVOICES}/${FEBRUARY}`)).body;
  world.clock.set("2025-03-02T00:00:00Z");
  const derived = (await get(`${INVOICES}/${FEBRUARY}`)).body;
  await tab.rpc.closeDuePeriods();
  const frozen = (await get(`${INVOICES}/${FEBRUARY}`)).body;
  expect(draft.status).toBe("DRAFT");
  expect(frozen).toEqual({ ...draft, status: "FINALIZED" });
  expect(JSON.stringify(derived)).toBe(JSON.stringify(frozen));
});

test.each(["inv_202401_0_default", "inv_202501_0_other", "x"])("19: unknown id %s", async (id) => {
  const { status, error } = await get(`${INVOICES}/${id}`);
  expect([status, error.code]).toEqual([404, "invoice_not_found"]);
});

test("19: another account's id, and an account that does not exist", async () => {
  await createAccount(tab.database!, world.clock, { id: "team", name: "Team" });
  for (const [account, expected] of [
    ["team", 404],
    ["nobody", 403],
  ] as const) {
    const { apiKey, registration } = await mintKey();
    tab.keys.register(registration, account);
    const headers = { authorization: `Bearer ${apiKey}` };
    expect((await tab.call(`${INVOICES}/${JANUARY}`, { headers })).status).toBe(expected);
  }
  await use(tab, 1, 1, { account: "team" });
  expect((await get(`${INVOICES}/inv_202502_0_team`)).status).toBe(404);
  expect((await get(`${INVOICES}/current`)).body.total).toBe(0.000025);
});

test("20: an empty segment and one too many are no endpoint", async () => {
  for (const path of [`${INVOICES}/`, `${INVOICES}/a/b`]) {
    const { status, error } = await get(path);
    expect([status, error.code]).toEqual([404, "unknown_url"]);
  }
});

test("21: the segment is decoded once", async () => {
  expect((await get(`${INVOICES}/%63urrent`)).body.id).toBe(FEBRUARY);
  expect((await get(`${INVOICES}/%2563urrent`)).status).toBe(404);
});

test("22: a bad escape is not found", async () => {
  expect((await get(`${INVOICES}/%E0%A4%A`)).status).toBe(404);
});

test("23: the endpoints are read only", async () => {
  for (const path of ["", "/current", "/breakdowns", "/x"]) {
    const { status, headers } = await tab.call(`${INVOICES}${path}`, { method: "POST" });
    expect([status, headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  }
});
