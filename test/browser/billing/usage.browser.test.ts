/** The usage in responses, in the ledger and on the invoice is the same. */

import { createRuntime, type Runtime } from "infetch";
import type { Invoice, UsageEvent } from "infetch/billing";
import OpenAI from "openai";
import { expect, test } from "vitest";
import { openaiFor } from "../support/runtime.ts";
import { freshLedgerName, runtimeInFrame } from "./support/frames.ts";

const PRICES = { input: "0.05", cachedInput: "0.0125", output: "0.2" };
const EMBEDDING_PRICES = { embedding: "0.01" };
const REQUESTS = 50;
const MAX_TOKENS = 8;

interface Told {
  requestId: string;
  /** Reported usage; `chunksSeen` counts the chunks with text read before an abort. */
  usage?: OpenAI.CompletionUsage;
  chunksSeen?: number;
}

async function billing(runtime: Runtime, path: string) {
  const response = await runtime.fetch(`${runtime.baseURL}/billing/invoices${path}`, {
    headers: { authorization: `Bearer ${runtime.apiKey}` },
  });
  return { status: response.status, text: await response.clone().text(), body: await response.json() };
}

const message = (at: number) => ({
  model: "infetch-tiny",
  messages: [{ role: "user" as const, content: `Say something about the number ${at}.` }],
  max_tokens: MAX_TOKENS,
});

/** One request of the mix. @returns what the client received; undefined if nothing may be charged */
async function send(client: OpenAI, at: number): Promise<Told | undefined> {
  switch (at % 6) {
    case 0: {
      const { data, response } = await client.chat.completions.create(message(at)).withResponse();
      return { requestId: response.headers.get("x-request-id")!, usage: data.usage! };
    }
    case 1:
    case 2: {
      const { data, response } = await client.chat.completions
        .create({ ...message(at), stream: true, stream_options: { include_usage: true } })
        .withResponse();
      const told: Told = { requestId: response.headers.get("x-request-id")!, chunksSeen: 0 };
      for await (const chunk of data) {
        if (chunk.usage) told.usage = chunk.usage;
        if (chunk.choices[0]?.delta.content) told.chunksSeen!++;
        if (at % 6 === 2 && told.chunksSeen! >= 2) break;
      }
      return told;
    }
    case 3: {
      const wrong = at % 2 === 0 ? { ...message(at), model: "unknown" } : { ...message(at), max_tokens: -1 };
      await expect(client.chat.completions.create(wrong)).rejects.toThrow(OpenAI.APIError);
      return undefined;
    }
    case 4: {
      const input = [`Text ${at}`, "and another one"];
      const { data, response } = await client.embeddings
        .create({ model: "infetch-tiny-embed", input })
        .withResponse();
      return {
        requestId: response.headers.get("x-request-id")!,
        usage: { ...data.usage, completion_tokens: 0 },
      };
    }
    default: {
      const abort = new AbortController();
      const answer = client.chat.completions.create(message(at), { signal: abort.signal });
      abort.abort();
      await expect(answer).rejects.toThrow(OpenAI.APIUserAbortError);
      return undefined;
    }
  }
}

test("fifty mixed requests in two tabs: told = recorded = invoiced, and the same after a reload", async () => {
  const options = {
    storageName: freshLedgerName(),
    billing: { pricing: { "infetch-tiny": PRICES, "infetch-tiny-embed": EMBEDDING_PRICES } },
  };
  const tabs = [await runtimeInFrame(options), await runtimeInFrame(options)];
  const events: unknown[] = [];
  for (const tab of tabs) tab.on("engine", (event) => events.push(event));
  // Below the test's own limit, so that a failure names the request.
  const clients = tabs.map((tab) => openaiFor(tab).withOptions({ timeout: 200_000 }));
  const told: Told[] = [];
  await Promise.all(
    clients.map(async (client, tab) => {
      for (let at = tab; at < REQUESTS; at += 2) {
        const one = await send(client, at).catch((error) => {
          throw new Error(`request ${at} after ${JSON.stringify(events)}: ${error}`, { cause: error });
        });
        if (one) told.push(one);
      }
    }),
  );
  // Of the six kinds, errors and early aborts are free.
  const charged = Array.from({ length: REQUESTS }, (_, at) => at % 6).filter(
    (kind) => kind !== 3 && kind !== 5,
  );
  expect(told).toHaveLength(charged.length);
  await expect.poll(async () => (await tabs[0]!.usage.list()).length, { timeout: 20_000 }).toBe(told.length);

  const rows = new Map((await tabs[1]!.usage.list()).map((event) => [event.requestId, event]));
  for (const { requestId, usage, chunksSeen } of told) {
    const event = rows.get(requestId)!;
    if (usage) {
      expect(event).toMatchObject({
        outcome: "completed",
        inputTokens: usage.prompt_tokens,
        outputTokens: usage.completion_tokens,
        cachedTokens: usage.prompt_tokens_details?.cached_tokens ?? 0,
      });
    } else {
      expect(event.outputTokens).toBeGreaterThanOrEqual(chunksSeen!);
      expect(event.outputTokens).toBeLessThanOrEqual(MAX_TOKENS);
    }
  }
  const current = await billing(tabs[0]!, "/current");
  expect(pico((current.body as Invoice).total)).toBe(charge([...rows.values()]));
  expect((await tabs[1]!.billing.verify()).ok).toBe(true);

  for (const tab of tabs) tab.close();
  const reloaded = await createRuntime(options);
  expect((await billing(reloaded, "/current")).text).toBe(current.text);
  reloaded.close();
});

/** In pico-USD, as in the ledger, but computed independently. */
function charge(events: UsageEvent[]): number {
  return events.reduce(
    (sum, event) =>
      event.model === "infetch-tiny-embed"
        ? sum + event.inputTokens * 10_000
        : sum +
          (event.inputTokens - event.cachedTokens) * 50_000 +
          event.cachedTokens * 12_500 +
          event.outputTokens * 200_000,
    0,
  );
}

const pico = (usd: number) => Math.round(usd * 1e12);

test("a month ends: the draft is finalized by the clock, and stays when the clock goes back", async () => {
  const storageName = freshLedgerName();
  const now = await createRuntime({ storageName });
  await openaiFor(now).chat.completions.create(message(1));
  const draft = (await billing(now, "/current")).body as Invoice;
  now.close();

  const clockOffsetMs = Date.parse(draft.end_timestamp) - Date.now() + 3_600_000;
  const later = await createRuntime({ storageName, testing: { clockOffsetMs } });
  expect((await billing(later, "/current")).status).toBe(404);
  const finalized = await billing(later, `/${draft.id}`);
  expect(finalized.body).toEqual({ ...draft, status: "FINALIZED" });
  await openaiFor(later).chat.completions.create(message(2));
  const next = (await billing(later, "/current")).body as Invoice;
  expect(next.start_timestamp).toBe(draft.end_timestamp);
  later.close();

  const back = await createRuntime({ storageName });
  await openaiFor(back).chat.completions.create(message(3));
  expect((await billing(back, `/${draft.id}`)).text).toBe(finalized.text);
  const { invoices } = (await billing(back, "")).body as { invoices: Invoice[] };
  expect(invoices.map((one) => [one.id, one.status])).toEqual([
    [draft.id, "FINALIZED"],
    [next.id, "DRAFT"],
  ]);
  expect(invoices[1]!.total).toBeGreaterThan(next.total);
  back.close();
});

test("the page's own calls: credit, export, restore, errors as errors", async () => {
  const options = { storageName: freshLedgerName() };
  const runtime = await createRuntime(options);
  const neighbour = await runtimeInFrame(options);
  const heard = new Promise((resolve) => neighbour.on("ledger", resolve));
  await openaiFor(runtime).chat.completions.create(message(1));
  expect(await heard).toEqual({ type: "ledger", state: "changed" });
  neighbour.close();
  const credit = await runtime.billing.grantCredit({ amountUsd: "1", note: "welcome" });
  expect(credit).toMatchObject({ amountUsd: 1, expiresAt: null });
  const invoice = (await billing(runtime, "/current")).body as Invoice;
  expect(credit.remainingUsd).toBeCloseTo(1 - invoice.subtotal, 12);
  expect(invoice.total).toBe(0);
  expect(invoice.line_items.at(-1)).toMatchObject({
    type: "applied_commit_or_credit",
    name: "Credit – welcome",
  });
  await expect(runtime.billing.voidInvoice(invoice.id)).rejects.toMatchObject({
    name: "BillingError",
    code: "invalid_transition",
  });
  const backup = await runtime.billing.exportUsage({ format: "backup" });
  const other = await createRuntime({ storageName: freshLedgerName() });
  expect((await other.billing.importUsage(backup)).added).toBeGreaterThan(0);
  expect((await billing(other, "/current")).body).toEqual(invoice);
  expect((await other.billing.importUsage(backup)).added).toBe(0);
  runtime.close();
  other.close();
});

test("billing: false keeps no ledger and chats on", async () => {
  const runtime = await createRuntime({ billing: false, storageName: freshLedgerName() });
  await openaiFor(runtime).chat.completions.create(message(1));
  expect((await billing(runtime, "/current")).status).toBe(403);
  await expect(runtime.usage.list()).rejects.toMatchObject({ code: "billing_not_configured" });
  runtime.close();
});
