/** Per-minute and concurrency limits: statuses, bodies, headers and the SDK's retry. */

import OpenAI from "openai";
import { expect, test, vi } from "vitest";
import type { ApiKey } from "../../../src/protocol/rpc/keys.ts";
import { errorSchema } from "../../../worker/endpoints/common-response-schema.ts";
import { unwrap } from "../../ledger/support/world.ts";
import { CHAT, hello, Origin } from "../../support/keyed-app.ts";

/** The `x-ratelimit-*` headers, without the prefix. */
function ratesOf({ headers }: Response): Record<string, string> {
  const own = [...headers].filter(([name]) => name.startsWith("x-ratelimit-"));
  return Object.fromEntries(own.map(([name, value]) => [name.slice("x-ratelimit-".length), value]));
}

/** A gate that passes as many pieces as `allow` grants. */
function paced() {
  let allowed = 0;
  const waiting: (() => void)[] = [];
  const next = (): void => {
    while (allowed > 0 && waiting.length > 0) {
      allowed--;
      waiting.shift()!();
    }
  };
  return {
    gate: () =>
      new Promise<void>((resolve) => {
        waiting.push(resolve);
        next();
      }),
    isWaiting: () => waiting.length > 0,
    allow(pieces: number) {
      allowed = pieces;
      next();
    },
  };
}

test("requests by the minute: headers on every answer, a 429 as OpenAI words it, and the SDK's retry", async () => {
  const origin = new Origin();
  const tab = await origin.openTab();
  const { apiKey } = await tab.create({ name: "web", limits: { requestsPerMinute: 3 } });
  const listing = await tab.send(apiKey, "/v1/models");
  expect(ratesOf(listing)).toEqual({
    "limit-requests": "3",
    "remaining-requests": "2",
    "reset-requests": "1m0s",
  });
  origin.clock.advance(30_000);
  const stream = await tab.send(apiKey, CHAT, { ...hello, stream: true });
  expect(ratesOf(stream)).toMatchObject({ "remaining-requests": "1", "reset-requests": "1m0s" });
  await stream.text();
  const bad = await tab.send(apiKey, CHAT, { model: "infetch-tiny" });
  expect([bad.status, ratesOf(bad)["remaining-requests"]]).toEqual([400, "0"]);

  const refused = await tab.send(apiKey, CHAT, hello);
  expect(refused.status).toBe(429);
  const { error: refusal } = errorSchema.parse(await refused.json());
  expect(refusal).toEqual({
    message:
      "Rate limit reached for API key 'web' on requests per min (RPM): Limit 3, Used 3, Requested 1. Please try again in 30s.",
    type: "requests",
    param: null,
    code: "rate_limit_exceeded",
  });
  expect(Object.fromEntries(refused.headers)).toMatchObject({
    "retry-after": "30",
    "retry-after-ms": "30000",
    "x-should-retry": "true",
    "x-ratelimit-limit-requests": "3",
    "x-ratelimit-remaining-requests": "0",
    "x-ratelimit-reset-requests": "1m0s",
  });
  const error = await tab
    .openai(apiKey)
    .chat.completions.create(hello)
    .catch((one) => one);
  expect(error).toBeInstanceOf(OpenAI.RateLimitError);
  expect([error.code, error.type]).toEqual(["rate_limit_exceeded", "requests"]);

  // 10 ms before capacity is free: the SDK waits for `retry-after-ms`, and the clock advances with it.
  origin.clock.advance(29_990);
  const seen: [number, string | null][] = [];
  const patient = tab.openai(apiKey, 1, ({ status, headers }) => {
    const waitMs = headers.get("retry-after-ms");
    seen.push([status, waitMs]);
    origin.clock.advance(Number(waitMs ?? 0));
  });
  await patient.chat.completions.create(hello);
  expect(seen).toEqual([
    [429, "10"],
    [200, null],
  ]);
});

test("tokens by the minute: reserved by the body, corrected to what was used", async () => {
  const origin = new Origin();
  const tab = await origin.openTab();
  const { apiKey } = await tab.create({ limits: { tokensPerMinute: 200 } });
  const reserved = (maxTokens: number) => Math.ceil(JSON.stringify(hello.messages).length / 4) + maxTokens;
  const answer = await tab.send(apiKey, CHAT, { ...hello, max_tokens: 100 });
  expect(ratesOf(answer)).toEqual({
    "limit-tokens": "200",
    "remaining-tokens": String(200 - reserved(100)),
    "reset-tokens": "1m0s",
  });
  const { usage } = await answer.json();
  const listing = await tab.send(apiKey, "/v1/models");
  expect(ratesOf(listing)["remaining-tokens"]).toBe(String(200 - usage.total_tokens));

  const refused = await tab.send(apiKey, CHAT, { ...hello, max_tokens: 150 });
  expect(refused.status).toBe(429);
  expect((await refused.json()).error).toMatchObject({
    message: expect.stringContaining(
      `on tokens per min (TPM): Limit 200, Used ${usage.total_tokens}, Requested ${reserved(150)}.`,
    ),
    type: "tokens",
    code: "rate_limit_exceeded",
  });
  expect(refused.headers.get("retry-after")).toBe("60");

  const tooLarge = await tab.send(apiKey, CHAT, { ...hello, max_tokens: 1000 });
  expect((await tooLarge.json()).error).toMatchObject({
    message: expect.stringMatching(/^Request too large .* Limit 200, Requested \d+\. .*must be reduced/),
    type: "tokens",
    code: "rate_limit_exceeded",
  });
  expect(tooLarge.status).toBe(429);
  expect(tooLarge.headers.get("x-should-retry")).toBe("false");
  expect(tooLarge.headers.has("retry-after")).toBe(false);
});

test("a request that fails or is refused uses no tokens", async () => {
  const tab = await new Origin().openTab({ failAfter: 0 });
  const { apiKey } = await tab.create({ limits: { tokensPerMinute: 500, tokensPerDay: 500 } });
  const bodies = [
    { ...hello, model: "nothing", max_tokens: 100 },
    { ...hello, max_tokens: 100, n: "x" },
    { ...hello, max_tokens: 100 },
    { ...hello, max_tokens: 100, stream: true },
  ];
  const statuses = [];
  for (const body of bodies) {
    const response = await tab.send(apiKey, CHAT, body);
    statuses.push(response.status);
    await response.text();
  }
  expect(statuses).toEqual([404, 400, 503, 503]);
  expect(ratesOf(await tab.send(apiKey, "/v1/models"))["remaining-tokens"]).toBe("500");
});

test("one at a time: a stream holds its place to its last event, and the SDK's retry gets the next", async () => {
  const { gate, allow } = paced();
  const tab = await new Origin().openTab({ gate });
  const { apiKey } = await tab.create({ limits: { concurrentRequests: 1 } });
  allow(1);
  const stream = await tab.openai(apiKey).chat.completions.create({ ...hello, stream: true });
  const refused = await tab.send(apiKey, CHAT, hello);
  expect([refused.status, refused.headers.get("retry-after-ms")]).toEqual([429, "1000"]);
  expect((await refused.json()).error).toMatchObject({
    message: expect.stringContaining("on concurrent requests: Limit 1, Used 1, Requested 1."),
    type: "requests",
    code: "rate_limit_exceeded",
  });
  const statuses: number[] = [];
  const patient = tab.openai(apiKey, 100, ({ status }) => {
    statuses.push(status);
    allow(Number.POSITIVE_INFINITY);
  });
  const second = patient.chat.completions.create(hello);
  let text = "";
  for await (const chunk of stream) text += chunk.choices[0]!.delta.content ?? "";
  expect(text).toBe("Hello there!");
  expect((await second).choices[0]!.message.content).toBe("Hello there!");
  expect([statuses[0], statuses.at(-1)]).toEqual([429, 200]);
});

const ENDS: [
  string,
  (send: (body: object, signal?: AbortSignal) => Promise<Response>) => Promise<unknown>,
][] = [
  [
    "a reader that leaves the stream",
    async (send) => (await send({ ...hello, stream: true })).body!.cancel(),
  ],
  ["an error", async (send) => (await send({ ...hello, model: "nothing" })).text()],
  [
    "an abort in the middle of a stream, as that of a page that is gone",
    async (send) => {
      const abort = new AbortController();
      await send({ ...hello, stream: true }, abort.signal);
      abort.abort();
    },
  ],
  [
    "an abort of an answer without a stream",
    async (send) => {
      const abort = new AbortController();
      const answer = send(hello, abort.signal);
      abort.abort();
      await answer;
    },
  ],
];

test.each(ENDS)("the place is given back after %s", async (_, end) => {
  const { gate, allow } = paced();
  const tab = await new Origin().openTab({ gate });
  const { apiKey } = await tab.create({ limits: { concurrentRequests: 1 } });
  allow(1);
  await end((body, signal) =>
    tab.send(apiKey, CHAT, body, {
      headers: { authorization: `Bearer ${apiKey}` },
      ...(signal ? { signal } : {}),
    }),
  );
  allow(Number.POSITIVE_INFINITY);
  const active = async () => unwrap(await tab.keys.list())[0]!.usage.activeRequests;
  await expect.poll(active).toBe(0);
  expect((await tab.send(apiKey, CHAT, hello)).status).toBe(200);
});

test("a tab that died in the middle of a request holds its place no longer", async () => {
  const origin = new Origin();
  const { gate, isWaiting } = paced();
  const dying = await origin.openTab({ gate });
  const { apiKey } = await dying.create({ limits: { concurrentRequests: 1, tokensPerDay: 1000 } });
  void dying.send(apiKey, CHAT, { ...hello, max_tokens: 50 });
  await expect.poll(isWaiting).toBe(true);
  const other = await origin.openTab();
  expect((await other.send(apiKey, CHAT, hello)).status).toBe(429);
  dying.die();
  // The response was never delivered, so its tokens do not count.
  const answer = await other.send(apiKey, CHAT, hello);
  expect(answer.status).toBe(200);
  const [{ usage }] = unwrap(await other.keys.list()) as [ApiKey];
  expect(usage.activeRequests).toBe(0);
  expect(usage.today.tokens).toBe((await answer.json()).usage.total_tokens);
});

test("a request that ended while the storage was full holds its place no longer, and counts", async () => {
  const { gate, allow, isWaiting } = paced();
  const tab = await new Origin().openTab({ gate });
  const { apiKey } = await tab.create({ limits: { concurrentRequests: 1, tokensPerDay: 1000 } });
  const first = tab.send(apiKey, CHAT, { ...hello, max_tokens: 50 });
  await expect.poll(isWaiting).toBe(true);
  const { put } = IDBObjectStore.prototype;
  const full = vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(function (
    this: IDBObjectStore,
    ...row
  ) {
    if (this.name === "usage") throw new DOMException("full", "QuotaExceededError");
    return put.apply(this, row);
  });
  allow(Number.POSITIVE_INFINITY);
  const used = [(await (await first).json()).usage.total_tokens];
  full.mockRestore();
  const second = await tab.send(apiKey, CHAT, hello);
  expect(second.status).toBe(200);
  used.push((await second.json()).usage.total_tokens);
  const [{ usage }] = unwrap(await tab.keys.list()) as [ApiKey];
  expect(usage.activeRequests).toBe(0);
  expect(usage.today.tokens).toBe(used[0] + used[1]);
});

test.each([true, false])(
  "what a dead tab streamed counts as the ledger has it; billing: %s",
  async (billing) => {
    const origin = new Origin();
    const { gate, allow, isWaiting } = paced();
    const dying = await origin.openTab({ gate, reply: () => Array.from("x".repeat(100)) }, { billing });
    const { apiKey } = await dying.create({ limits: { concurrentRequests: 1 } });
    allow(40);
    const stream = await dying.send(apiKey, CHAT, { ...hello, stream: true, max_tokens: 90 });
    await expect.poll(isWaiting).toBe(true);
    const inflight = () =>
      dying.ledger.database?.read(["inflight"], (all) => all.objectStore("inflight").getAll()) ?? [];
    if (billing) await expect.poll(async () => (await inflight()).length).toBe(1);
    const [row] = await inflight();
    dying.die();
    const other = await origin.openTab({}, { billing });
    expect((await other.send(apiKey, "/v1/models")).status).toBe(200);
    const [{ usage }] = unwrap(await other.keys.list()) as [ApiKey];
    const reserved = Math.ceil(JSON.stringify(hello.messages).length / 4) + 90;
    expect(usage.today.tokens).toBe(row ? row.input_tokens + row.output_tokens : reserved);
    expect(usage.today.usd > 0).toBe(billing);
    expect(usage.activeRequests).toBe(0);
    expect((await other.send(apiKey, "/v1/models")).status).toBe(200);
    await stream.body!.cancel();
    allow(Number.POSITIVE_INFINITY);
  },
);

test("two tabs share one allowance, and a burst gets exactly what is allowed", async () => {
  const origin = new Origin();
  const tabs = [await origin.openTab(), await origin.openTab()];
  const { apiKey } = await tabs[0]!.create({ limits: { requestsPerMinute: 10 } });
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, at) => tabs[at % 2]!.send(apiKey, "/v1/models")),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(20);
});

test("billing is read without limits, and the page's own key has none", async () => {
  const tab = await new Origin().openTab();
  const { apiKey } = await tab.create({ limits: { requestsPerMinute: 1 } });
  await tab.send(apiKey, "/v1/models");
  expect((await tab.send(apiKey, "/v1/models")).status).toBe(429);
  const invoices = await tab.send(apiKey, "/v1/billing/invoices");
  expect([invoices.status, ratesOf(invoices)]).toEqual([200, {}]);
  expect(ratesOf(await tab.send(tab.pageKey, "/v1/models"))).toEqual({});
});
