/** Requests that set `max_tokens` never exceed a token quota, whatever the length of their prompts. */

import OpenAI from "openai";
import { expect, test } from "vitest";
import { unwrap } from "../../ledger/support/world.ts";
import { CHAT, hello, type KeyedTab, Origin } from "../../support/keyed-app.ts";
import { fc } from "../../support/random.ts";
import { embedder } from "../../support/test-app.ts";

const TEXT = "/v1/completions";
const EMBEDDINGS = "/v1/embeddings";
/** A model that never stops by itself; each character is a token. */
const ENDLESS = { reply: () => Array.from({ length: 4000 }, () => "x") };

const openTab = (origin = new Origin()) => origin.openTab(ENDLESS, { models: [embedder] });

async function usedOf(tab: KeyedTab, id: string): Promise<number> {
  return unwrap(await tab.keys.list()).find((key) => key.id === id)!.usage.today.tokens;
}

test.each<[string, string, object]>([
  ["a hundred prompts", TEXT, { prompt: Array.from({ length: 100 }, () => "a"), max_tokens: 60 }],
  ["a decoy", TEXT, { prompt: "a", max_tokens: 3000, max_completion_tokens: 1 }],
  ["a decoy of another endpoint", CHAT, { ...hello, max_tokens: 3000, max_output_tokens: 1 }],
  ["many choices", TEXT, { prompt: "a", max_tokens: 60, n: 2, best_of: 20 }],
  ["no maximum, where the endpoint has one", TEXT, { prompt: Array.from({ length: 40 }, () => "a") }],
  ["a prompt with more tokens than it looks", TEXT, { prompt: "word ".repeat(90), max_tokens: 100 }],
  ["a prompt that is too long by itself", CHAT, { messages: [{ role: "user", content: "x".repeat(400) }] }],
])("refused before anything is computed: %s", async (_, path, body) => {
  const tab = await openTab();
  const { apiKey, key } = await tab.create({ limits: { tokensPerDay: 300 } });
  const response = await tab.send(apiKey, path, { model: "infetch-tiny", ...body });
  expect([response.status, (await response.json()).error.code]).toEqual([429, "insufficient_quota"]);
  expect(tab.engine.requests).toEqual([]);
  expect(await usedOf(tab, key.id)).toBe(0);
  expect(unwrap(await tab.ledger.rpc.usage())).toEqual([]);
});

test("of requests of two tabs at once that each fit the quota alone, one is served", async () => {
  const origin = new Origin();
  const tabs = [await openTab(origin), await openTab(origin)] as const;
  const { apiKey, key } = await tabs[0].create({ limits: { tokensPerDay: 320 } });
  // 301 tokens, of which a quarter is reserved on arrival.
  const body = { model: "infetch-tiny", prompt: "x".repeat(300), max_tokens: 1 };
  const answers = await Promise.all(tabs.map((tab) => tab.send(apiKey, TEXT, body)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 429]);
  expect(await usedOf(tabs[0], key.id)).toBe(301);
});

const lists = fc.array(fc.string({ minLength: 1, maxLength: 40 }), { minLength: 1, maxLength: 6 });
const limits = {
  max_tokens: fc.integer({ min: 1, max: 120 }),
  max_completion_tokens: fc.constantFrom(undefined, 1),
  n: fc.constantFrom(undefined, 1, 2),
  stream: fc.boolean(),
};
const requests = fc.array(
  fc.oneof(
    fc
      .record({ ...limits, prompt: lists })
      .map((body) => [TEXT, { model: "infetch-tiny", ...body }] as const),
    fc.record(limits).map(({ max_tokens, max_completion_tokens, ...body }) => {
      const limit = max_completion_tokens ? { max_completion_tokens: max_tokens } : { max_tokens };
      return [CHAT, { ...hello, ...body, ...limit }] as const;
    }),
    lists.map((input) => [EMBEDDINGS, { model: "infetch-tiny-embed", input }] as const),
  ),
  { minLength: 1, maxLength: 12 },
);

test("for any requests, in turn or at once, a quota holds, and the counters are the ledger's", async () => {
  const property = fc.asyncProperty(requests, fc.boolean(), async (list, isAtOnce) => {
    const tab = await openTab();
    const { apiKey, key } = await tab.create({ account: "team", limits: { tokensPerDay: 600 } });
    const sendOne = async ([path, body]: readonly [string, object]) =>
      (await tab.send(apiKey, path, body)).text();
    if (isAtOnce) await Promise.all(list.map(sendOne));
    else for (const one of list) await sendOne(one);
    const events = unwrap(await tab.ledger.rpc.usage({ account: "team" }));
    const recorded = events.reduce(
      (sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens,
      0,
    );
    expect(recorded).toBeLessThanOrEqual(600);
    expect(await usedOf(tab, key.id)).toBe(recorded);
  });
  await fc.assert(property, { numRuns: 40, verbose: 1 });
});

async function startBatch(tab: KeyedTab, apiKey: string, lines: number) {
  const client = tab.openai(apiKey);
  const text = Array.from({ length: lines }, (_, at) =>
    JSON.stringify({ custom_id: String(at), method: "POST", url: CHAT, body: { ...hello, max_tokens: 20 } }),
  ).join("\n");
  const file = await client.files.create({
    file: await OpenAI.toFile(new TextEncoder().encode(text), "lines.jsonl"),
    purpose: "batch",
  });
  return client.batches.create({ input_file_id: file.id, endpoint: CHAT, completion_window: "24h" });
}

test.each([{ tokensPerDay: 10_000 }, { usdPerMonth: 5 }])(
  "a revoked key with the quota %j refuses the lines that its batch has not run",
  async (keyLimits) => {
    const origin = new Origin();
    let lines = 0;
    let revoke: () => Promise<unknown> = async () => {};
    // Revokes the key while the third line runs.
    const gate = async () => {
      if (++lines === 3) await revoke();
    };
    const tab = await origin.openTab({ reply: () => ["Hello"], gate });
    const { apiKey, key } = await tab.create({ account: "team", limits: keyLimits });
    revoke = () => tab.keys.revoke(key.id);
    const watcher = tab.openai((await tab.create({ account: "team" })).apiKey);
    const { id } = await startBatch(tab, apiKey, 6);
    tab.runBatches();
    await expect.poll(async () => (await watcher.batches.retrieve(id)).status).toBe("completed");
    const batch = await watcher.batches.retrieve(id);
    expect(batch.request_counts).toEqual({ total: 6, completed: 3, failed: 3 });
    const errors = (await (await watcher.files.content(batch.error_file_id!)).text()).trim().split("\n");
    for (const line of errors) {
      const { response } = JSON.parse(line);
      expect([response.status_code, response.body.error.code]).toEqual([401, "invalid_api_key"]);
    }
    expect(unwrap(await tab.ledger.rpc.usage({ account: "team" }))).toHaveLength(3);
  },
);
