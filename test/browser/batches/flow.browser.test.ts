/** End to end with an unmodified OpenAI SDK on the built-in models: files, batches, results and their cost. */

import type { BatchEvent, Runtime, RuntimeOptions } from "infetch";
import type OpenAI from "openai";
import { afterEach, expect, test } from "vitest";
import { freshLedgerName } from "../billing/support/frames.ts";
import { runsSeveral, startRuntime } from "../support/runtime.ts";
import { chatLines, embeddingLines, finished, longLines, resultsOf, submit } from "./support/batch.ts";

let runtime: Runtime | undefined;

afterEach(() => runtime?.close());

async function start(options: RuntimeOptions = {}): Promise<{
  runtime: Runtime;
  openai: OpenAI;
  events: BatchEvent[];
  /** Resolves once `holds` does, asked with each event. */
  until: (holds: () => boolean) => Promise<void>;
}> {
  const started = await startRuntime({ storageName: freshLedgerName(), ...options });
  runtime = started.runtime;
  const events: BatchEvent[] = [];
  started.runtime.on("batch", (event) => events.push(event));
  const until = (holds: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const check = (): void => {
        if (holds()) resolve();
      };
      started.runtime.on("batch", check);
      check();
    });
  return { ...started, events, until };
}

/** Quantities of the draft invoice, by product. */
async function invoiced({ fetch, baseURL, apiKey }: Runtime): Promise<Record<string, number>> {
  const headers = { authorization: `Bearer ${apiKey}` };
  const invoice = await (await fetch(`${baseURL}/billing/invoices/current`, { headers })).json();
  const quantities: Record<string, number> = {};
  for (const { product_id, quantity } of invoice.line_items) {
    quantities[product_id] = (quantities[product_id] ?? 0) + quantity;
  }
  return quantities;
}

test("200 embedding lines and 30 chat lines are answered, and the invoice is the sum of their usage", async () => {
  const { runtime: started, openai, events } = await start();
  const [embeddings, chat] = await Promise.all([
    submit(openai, embeddingLines(200), "/v1/embeddings"),
    submit(openai, chatLines(30), "/v1/chat/completions"),
  ]);
  const vectors = await resultsOf(openai, (await finished(openai, embeddings.id)).output_file_id);
  const done = await finished(openai, chat.id);
  const replies = await resultsOf(openai, done.output_file_id);
  expect(vectors.map((line) => line.custom_id)).toEqual(Array.from({ length: 200 }, (_, at) => `text ${at}`));
  expect(replies.map((line) => line.custom_id)).toEqual(Array.from({ length: 30 }, (_, at) => `chat ${at}`));
  expect(new Set(vectors.map((line) => line.response.body.data[0].embedding.length)).size).toBe(1);
  expect(done).toMatchObject({ status: "completed", error_file_id: null });

  // A batch line gives the same vector as a direct request.
  const online = await openai.embeddings.create({
    model: "infetch-tiny-embed",
    input: "Text number 7 of a batch.",
    encoding_format: "float",
  });
  const inBatch: number[] = vectors[7].response.body.data[0].embedding;
  for (const [at, value] of online.data[0]!.embedding.entries()) expect(inBatch[at]).toBeCloseTo(value, 4);

  const sum = (lines: typeof replies, name: string): number =>
    lines.reduce((total, line) => total + line.response.body.usage[name], 0);
  const usage = await started.usage.list();
  const batchUsage = usage.filter((event) => event.tier === "batch");
  expect(batchUsage).toHaveLength(230);
  const quantities = await invoiced(started);
  expect(quantities["embedding-input-tokens"]).toBe(
    sum(vectors, "prompt_tokens") + online.usage.prompt_tokens,
  );
  expect(quantities["text-input-tokens"]! + (quantities["text-cached-input-tokens"] ?? 0)).toBe(
    sum(replies, "prompt_tokens"),
  );
  expect(quantities["text-output-tokens"]).toBe(sum(replies, "completion_tokens"));
  expect(done.usage).toMatchObject({
    input_tokens: sum(replies, "prompt_tokens"),
    output_tokens: sum(replies, "completion_tokens"),
  });
  expect(events.filter((event) => event.id === chat.id).at(-1)).toMatchObject({
    status: "completed",
    total: 30,
    completed: 30,
    failed: 0,
  });
});

test("a batch is cancelled while it runs, and what ran is in its file", async () => {
  const { openai, events, until } = await start();
  const { id } = await submit(openai, chatLines(30), "/v1/chat/completions");
  await until(() => events.some((event) => event.completed >= 2));
  expect((await openai.batches.cancel(id)).status).toBe("cancelling");
  const done = await finished(openai, id);
  expect(done.status).toBe("cancelled");
  const outputs = await resultsOf(openai, done.output_file_id);
  expect(outputs.length).toBe(done.request_counts!.completed);
  expect(outputs.length).toBeGreaterThanOrEqual(2);
  expect(outputs.length).toBeLessThan(30);
  const errors = await resultsOf(openai, done.error_file_id);
  expect(errors).toHaveLength(30 - outputs.length);
  expect(errors[0]).toMatchObject({ response: null, error: { code: "batch_cancelled" } });
});

test("an interactive request overtakes every line that waits", async () => {
  const { runtime: started, openai, events, until } = await start();
  const batches = await Promise.all(
    [1, 2, 3, 4].map(() => submit(openai, longLines(3), "/v1/chat/completions")),
  );
  await until(() => new Set(events.filter(isRunning).map((event) => event.id)).size === 4);
  const completed = (): number => {
    const latest = new Map(events.map((event) => [event.id, event.completed]));
    return [...latest.values()].reduce((sum, count) => sum + count, 0);
  };
  // Events arrive in the order in which the server sent them; this one is sent with the response.
  const answered = new Promise<number>((resolve) => {
    started.on("request", (event) => {
      if (event.path === "/v1/chat/completions") resolve(completed());
    });
  });
  const before = completed();
  await openai.chat.completions.create({
    model: "infetch-tiny",
    messages: [{ role: "user", content: "Hello" }],
    max_tokens: 1,
  });
  // Only lines that run may end first, plus one that ended just before the call.
  const running = (await runsSeveral()) ? 3 : 1;
  expect((await answered) - before).toBeLessThanOrEqual(running + 1);
  await Promise.all(batches.map(({ id }) => openai.batches.cancel(id)));
  await Promise.all(batches.map(({ id }) => finished(openai, id)));
});

test("a batch runs a model of the hub that nobody has listed, at the tier batch", async () => {
  const { runtime: started, openai } = await start({
    embeddings: { device: "wasm" },
    hub: { url: "/fixtures/hub/" },
  });
  const model = "Xenova/all-MiniLM-L6-v2";
  const online = openai.embeddings.create({ model, input: "Hello" });
  await expect(online).rejects.toMatchObject({ status: 404, code: "model_not_found" });
  const { id } = await submit(openai, embeddingLines(5, model), "/v1/embeddings");
  const done = await finished(openai, id);
  expect(done).toMatchObject({ status: "completed", model, request_counts: { completed: 5, failed: 0 } });
  const lines = await resultsOf(openai, done.output_file_id);
  expect(lines[0].response.body.data[0].embedding).toHaveLength(16);
  const usage = await started.usage.list();
  expect(usage.map((event) => [event.tier, event.model])).toEqual(Array(5).fill(["batch", model]));
});

function isRunning({ status }: BatchEvent): boolean {
  return status === "in_progress";
}
