/** 32 requests of all kinds at once: some are refused, some aborted, some are lines of a batch. */

import type { Runtime, StatsEvent } from "infetch";
import type { UsageEvent } from "infetch/billing";
import type OpenAI from "openai";
import { APIUserAbortError, RateLimitError } from "openai";
import { afterEach, expect, test } from "vitest";
import { seed } from "../../support/random.ts";
import { finished, linesOf, resultsOf, submit } from "../batches/support/batch.ts";
import { freshLedgerName } from "../billing/support/frames.ts";
import { runsSeveral, startRuntime } from "../support/runtime.ts";
import { type Body, contentOf, mixedRequests } from "./support/mixed-requests.ts";

const ALL = 32;
const LINES = 8;
const MAX_QUEUED = 16;
/** More than any engine runs at once. */
const BLOCKERS = 10;

let runtime: Runtime | undefined;

afterEach(() => runtime?.close());

/** Repeats a request while it is refused. */
async function untilTaken<T>(send: () => Promise<T>, onRefused: () => void): Promise<T> {
  while (true) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof RateLimitError)) throw error;
      expect(error).toMatchObject({ status: 429, code: "queue_full" });
      expect(Number(error.headers.get("retry-after"))).toBeGreaterThan(0);
      onRefused();
      await new Promise((resume) => setTimeout(resume, 100));
    }
  }
}

/** Reads two chunks. @returns the id of the request */
async function readTwo(openai: OpenAI, body: Body): Promise<string> {
  const { data, response } = await openai.chat.completions.create({ ...body, stream: true }).withResponse();
  let chunks = 0;
  for await (const _ of data) if (++chunks === 2) break;
  return response.headers.get("x-request-id")!;
}

async function expectAborted(request: Promise<unknown>): Promise<void> {
  const error = await request.then(
    () => undefined,
    (reason) => reason,
  );
  if (!(error instanceof RateLimitError)) expect(error).toBeInstanceOf(APIUserAbortError);
}

/** The billed tokens of a reply. */
function billed(usage: OpenAI.CompletionUsage) {
  return {
    outcome: "completed",
    inputTokens: usage.prompt_tokens,
    cachedTokens: usage.prompt_tokens_details?.cached_tokens ?? 0,
    outputTokens: usage.completion_tokens,
  };
}

test(`every reply is as alone, what is too much is refused, and the ledger is exact (seed ${seed})`, async () => {
  const started = await startRuntime({ storageName: freshLedgerName(), maxQueuedRequests: MAX_QUEUED });
  const { openai } = started;
  runtime = started.runtime;
  let latest: StatsEvent | undefined;
  runtime.on("stats", (event) => {
    latest = event;
  });
  const bodies = mixedRequests(ALL);
  const alone = [];
  for (const body of bodies) alone.push(contentOf(await openai.chat.completions.create(body)));
  const earlier = new Set((await runtime.usage.list()).map(({ transactionId }) => transactionId));
  expect(earlier.size).toBe(ALL);

  // All places are taken until these are aborted: what is refused does not depend on the pace.
  const blocking = new AbortController();
  const blockers = Array.from({ length: BLOCKERS }, (_, at) => {
    const messages = [{ role: "user" as const, content: `Block ${at}` }];
    const body = { model: "infetch-tiny", messages, ignore_eos: true };
    return expectAborted(openai.chat.completions.create(body, { signal: blocking.signal }));
  });
  await expect.poll(() => latest!.running + latest!.waiting).toBe(BLOCKERS);
  const places = latest!.running;
  if (await runsSeveral()) expect(places).toBeGreaterThan(1);

  const { id: batch } = await submit(openai, linesOf(bodies.slice(0, LINES)), "/v1/chat/completions");
  const leaving = new AbortController();
  const refused = new Set<number>();
  const whole = new Map<number, { id: string; reply: OpenAI.ChatCompletion }>();
  const broken = new Map<number, string>();
  const chats = bodies.slice(LINES).map(async (body, index) => {
    const at = index + LINES;
    const onRefused = () => refused.add(at);
    if (at % 8 === 3) await expectAborted(openai.chat.completions.create(body, { signal: leaving.signal }));
    else if (at % 8 === 5) broken.set(at, await untilTaken(() => readTwo(openai, body), onRefused));
    else {
      const send = () => openai.chat.completions.create(body).withResponse();
      const { data: reply, response } = await untilTaken(send, onRefused);
      whole.set(at, { id: response.headers.get("x-request-id")!, reply });
    }
  });
  await expect.poll(() => latest!.waiting).toBeGreaterThanOrEqual(MAX_QUEUED);
  // Lines of batches wait without limit.
  expect(latest!.waiting).toBeLessThanOrEqual(MAX_QUEUED + LINES);
  expect(latest!.running).toBe(places);
  await expect.poll(() => refused.size).toBeGreaterThan(0);
  leaving.abort();
  blocking.abort();
  await Promise.all([...blockers, ...chats]);

  expect(whole.size).toBe(((ALL - LINES) * 6) / 8);
  for (const [at, { reply }] of whole)
    expect(contentOf(reply), JSON.stringify(bodies[at])).toEqual(alone[at]);
  const done = await finished(openai, batch);
  const lines = await resultsOf(openai, done.output_file_id);
  expect(lines.map((line) => contentOf(line.response.body))).toEqual(alone.slice(0, LINES));

  await expect.poll(() => latest!.running + latest!.waiting).toBe(0);
  if (latest!.pages) expect(latest!.pages.free + latest!.pages.retained).toBe(latest!.pages.total);

  const rowOf = new Map<string, UsageEvent>();
  const recorded = async (): Promise<number> => {
    for (const row of await started.runtime.usage.list())
      if (!earlier.has(row.transactionId)) rowOf.set(row.transactionId, row);
    return rowOf.size;
  };
  // Refused requests and those that were aborted before they were answered cost nothing.
  await expect.poll(recorded).toBe(whole.size + lines.length + broken.size);
  for (const { id, reply } of whole.values()) expect(rowOf.get(id)).toMatchObject(billed(reply.usage!));
  for (const [at, line] of lines.entries())
    expect(rowOf.get(`${batch}:${at + 1}`)).toMatchObject(billed(line.response.body.usage));
  for (const [at, id] of broken) {
    const { outcome, inputTokens, outputTokens } = rowOf.get(id)!;
    expect(["aborted", "completed"]).toContain(outcome);
    expect(inputTokens).toBe(alone[at]!.prompt);
    expect(outputTokens).toBeLessThanOrEqual(alone[at]!.completion);
  }
});
