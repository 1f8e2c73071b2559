/** Lines of a batch side by side, as the runtime's stats show them, beside a chat. */

import type { Runtime, StatsEvent } from "infetch";
import type OpenAI from "openai";
import { afterEach, expect, test } from "vitest";
import { freshLedgerName } from "../billing/support/frames.ts";
import { hasWebGPU, runsSeveral, startRuntime } from "../support/runtime.ts";
import { endless, finished, linesOf, resultsOf, submit } from "./support/batch.ts";

const several = await runsSeveral();
let runtime: Runtime | undefined;

afterEach(() => runtime?.close());

/** Requests that run for 30 to 50 tokens; half of them draw at random. */
const bodies = Array.from({ length: 60 }, (_, at) => ({
  model: "infetch-tiny",
  messages: [{ role: "user" as const, content: `Tell me about the number ${at}.` }],
  max_tokens: 30 + (at % 5) * 5,
  logit_bias: endless,
  ...(at % 2 === 0 ? { temperature: 0 } : { temperature: 1, seed: at }),
}));

test("several lines run at once where the engine can, a chat goes on beside them, and each reply is as alone", async () => {
  const started = await startRuntime({ storageName: freshLedgerName() });
  runtime = started.runtime;
  const { openai } = started;
  let latest: StatsEvent | undefined;
  let most = 0;
  const stop = runtime.on("stats", (event) => {
    latest = event;
    most = Math.max(most, event.running);
  });
  const { id } = await submit(openai, linesOf(bodies), "/v1/chat/completions");
  await expect.poll(() => most).toBeGreaterThanOrEqual(several ? 3 : 1);
  const chat = await openai.chat.completions.create({
    model: "infetch-tiny",
    messages: [{ role: "user", content: "Hello!" }],
    max_tokens: 3,
  });
  expect(chat.usage!.completion_tokens).toBeLessThanOrEqual(3);
  const completed = async () => (await openai.batches.retrieve(id)).request_counts!.completed;
  await expect.poll(completed).toBeGreaterThanOrEqual(5);
  await openai.batches.cancel(id);
  const outputs = await resultsOf(openai, (await finished(openai, id)).output_file_id);
  await expect.poll(() => latest?.running).toBe(0);
  await expect.poll(() => latest?.tokensPerSecond).toBe(0);
  expect(most).toBeLessThanOrEqual(several ? 8 : 1);
  expect(latest).toMatchObject({ type: "stats", model: "infetch-tiny", waiting: 0 });
  expect(latest!.cacheHitRate).toBeGreaterThanOrEqual(0);
  if (several) {
    const { total, free, retained } = latest!.pages!;
    expect(retained).toBeGreaterThan(0);
    expect(free + retained).toBe(total);
  } else if (!(await hasWebGPU())) expect(latest!.pages).toBeNull();

  const usage = await runtime.usage.list();
  const recorded = usage.filter(({ tier }) => tier === "batch").map(({ transactionId }) => transactionId);
  const numbers = outputs.map((line) => Number(line.custom_id.split(" ")[1]));
  expect(recorded.toSorted()).toEqual(numbers.map((at) => `${id}:${at + 1}`).toSorted());
  for (const [at, line] of outputs.slice(0, 4).entries()) {
    const alone: OpenAI.ChatCompletion = await openai.chat.completions.create(bodies[numbers[at]!]!);
    expect(line.response.body.choices).toEqual(alone.choices);
  }
  const content = "Say it again. ".repeat(40);
  const long = { model: "infetch-tiny", messages: [{ role: "user" as const, content }], max_tokens: 2 };
  for (let at = 0; at < 2; at++) await openai.chat.completions.create(long);
  if (several) await expect.poll(() => latest!.cacheHitRate).toBeGreaterThan(0);

  stop();
  const before = latest;
  await openai.chat.completions.create(bodies[0]!);
  expect(latest).toBe(before);
});

// Where a reply cannot be suspended, a chat waits for its end.
test.each(several ? [1, 2] : [])(
  "all of %i places taken: a chat does not wait for the end of a line",
  async (parallel) => {
    const started = await startRuntime({ storageName: freshLedgerName(), parallel });
    runtime = started.runtime;
    const { openai } = started;
    const messages = [{ role: "user" as const, content: "Count to one hundred." }];
    const long = { model: "infetch-tiny", messages, max_tokens: 600, logit_bias: endless, temperature: 0 };
    let running = 0;
    runtime.on("stats", (event) => {
      running = event.running;
    });
    const { id } = await submit(openai, linesOf([long]), "/v1/chat/completions");
    await expect.poll(() => running).toBe(1);
    const leave = new AbortController();
    let chats = 0;
    const others = Array.from({ length: parallel - 1 }, async () => {
      const stream = await openai.chat.completions.create(
        { ...long, stream: true },
        { signal: leave.signal },
      );
      for await (const chunk of stream) if (chunk.choices[0]?.delta.role) chats++;
      chats--;
    });
    await expect.poll(() => chats).toBe(parallel - 1);
    await openai.chat.completions.create({ ...long, max_tokens: 3 });
    expect(chats).toBe(parallel - 1);
    expect((await openai.batches.retrieve(id)).request_counts!.completed).toBe(0);
    leave.abort();
    await Promise.allSettled(others);
    const { request_counts, output_file_id } = await finished(openai, id);
    expect(request_counts).toEqual({ total: 1, completed: 1, failed: 0 });
    const alone: OpenAI.ChatCompletion = await openai.chat.completions.create(long);
    const [line] = await resultsOf(openai, output_file_id);
    expect(line.response.body.choices).toEqual(alone.choices);
  },
);
