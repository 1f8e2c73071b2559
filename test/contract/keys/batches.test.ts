/** Batch lines are exempt from per-minute limits, but count toward the quotas of the key. */

import OpenAI from "openai";
import { expect, test, vi } from "vitest";
import type { ApiKey } from "../../../src/protocol/rpc/keys.ts";
import { unwrap } from "../../ledger/support/world.ts";
import { CHAT, hello, Origin } from "../../support/keyed-app.ts";

const LINES = 6;

test("a batch is one request of its key, and its lines use up the quota until it refuses them", async () => {
  const origin = new Origin();
  const tab = await origin.openTab();
  tab.runBatches();
  const { apiKey } = await tab.create({
    account: "team",
    limits: { requestsPerMinute: 3, concurrentRequests: 1, tokensPerMinute: 10, tokensPerDay: 200 },
  });
  const client = tab.openai(apiKey);
  const lines = Array.from({ length: LINES }, (_, at) =>
    JSON.stringify({ custom_id: String(at), method: "POST", url: CHAT, body: hello }),
  );
  const file = await client.files.create({
    file: await OpenAI.toFile(new TextEncoder().encode(lines.join("\n")), "lines.jsonl"),
    purpose: "batch",
  });
  const made = await client.batches.create({
    input_file_id: file.id,
    endpoint: CHAT,
    completion_window: "24h",
  });
  const page = tab.openai(tab.pageKey);
  // This is the key's third and last request of the minute; the page's key belongs to another account.
  await client.batches.retrieve(made.id);
  await expect(client.batches.retrieve(made.id)).rejects.toBeInstanceOf(OpenAI.RateLimitError);
  await expect(page.batches.retrieve(made.id)).rejects.toBeInstanceOf(OpenAI.NotFoundError);

  const sister = await tab.create({ account: "team" });
  const watcher = tab.openai(sister.apiKey);
  await expect.poll(async () => (await watcher.batches.retrieve(made.id)).status).toBe("completed");
  const { request_counts: counts, error_file_id } = await watcher.batches.retrieve(made.id);
  expect(counts!.total).toBe(LINES);
  expect(counts!.completed).toBeGreaterThan(1);
  expect(counts!.failed).toBeGreaterThan(0);
  const errors = (await (await watcher.files.content(error_file_id!)).text()).trim().split("\n");
  for (const line of errors) {
    const { response } = JSON.parse(line);
    expect([response.status_code, response.body.error.code]).toEqual([429, "insufficient_quota"]);
  }
  const [{ usage }] = unwrap(await tab.keys.list()) as [ApiKey];
  const events = unwrap(await tab.ledger.rpc.usage({ account: "team" }));
  expect(events).toHaveLength(counts!.completed);
  expect(usage.today.tokens).toBe(
    events.reduce((sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens, 0),
  );
  expect(usage).toMatchObject({ activeRequests: 0, tokensThisMinute: 0, requestsThisMinute: 3 });
});

test("a line whose result finds no room runs again, and counts once", async () => {
  const pauses: (() => void)[] = [];
  const timers = {
    after(_: number, call: () => void) {
      pauses.push(call);
      return () => {};
    },
  };
  const tab = await new Origin().openTab({}, { timers });
  tab.runBatches();
  const { apiKey, key } = await tab.create({ account: "team", limits: { tokensPerDay: 10_000 } });
  const client = tab.openai(apiKey);
  const lines = ["a", "b", "c"].map((custom_id) => ({ custom_id, method: "POST", url: CHAT, body: hello }));
  const file = await client.files.create({
    file: await OpenAI.toFile(
      Buffer.from(lines.map((line) => JSON.stringify(line)).join("\n")),
      "lines.jsonl",
    ),
    purpose: "batch",
  });
  const { put } = IDBObjectStore.prototype;
  let refused = 0;
  vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(function (this: IDBObjectStore, ...row) {
    if (this.name !== "results" || ++refused > 2) return put.apply(this, row);
    throw new DOMException("full", "QuotaExceededError");
  });
  const { id } = await client.batches.create({
    input_file_id: file.id,
    endpoint: CHAT,
    completion_window: "24h",
  });
  await expect.poll(() => pauses.length).toBe(1);
  pauses[0]!();
  await expect.poll(async () => (await client.batches.retrieve(id)).status).toBe("completed");
  vi.restoreAllMocks();
  const events = unwrap(await tab.ledger.rpc.usage({ account: "team" }));
  expect(events).toHaveLength(3);
  const tokens = events.reduce((sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens, 0);
  const { usage } = unwrap(await tab.keys.list()).find((one) => one.id === key.id)!;
  expect(usage).toMatchObject({ today: { tokens }, activeRequests: 0 });
});
