/** Non-streaming responses are charged only if they were delivered: an abort before that is free. */

import { createRuntime, type RequestEvent, type Runtime } from "infetch";
import { expect, test } from "vitest";
import { seed } from "../../support/random.ts";
import { freshLedgerName } from "./support/frames.ts";

const MESSAGES = [{ role: "user", content: "Hello!" }];
const REQUESTS: [path: string, body: object][] = [
  ["/chat/completions", { model: "infetch-tiny", messages: MESSAGES, max_tokens: 4 }],
  ["/completions", { model: "infetch-tiny", prompt: "Hello", max_tokens: 4 }],
  ["/responses", { model: "infetch-tiny", input: "Hello", max_output_tokens: 16, store: false }],
  ["/embeddings", { model: "infetch-tiny-embed", input: "Hello" }],
];

function post(runtime: Runtime, path: string, body: object, signal?: AbortSignal, apiKey = runtime.apiKey) {
  return runtime.fetch(runtime.baseURL + path, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  });
}

/** Resolves `all` after `count` ledger changes; a reversed charge makes two. */
function changes(runtime: Runtime, count: number): { all: Promise<void>; first: Promise<void> } {
  let [seen, onFirst, onAll] = [0, () => {}, () => {}];
  const first = new Promise<void>((resolve) => {
    onFirst = resolve;
  });
  const all = new Promise<void>((resolve) => {
    onAll = resolve;
  });
  const stop = runtime.on("ledger", () => {
    seen += 1;
    onFirst();
    if (seen < count) return;
    stop();
    onAll();
  });
  return { first, all };
}

test.each(REQUESTS)("%s: aborted when it was recorded, 25 times: nothing is charged", async (path, body) => {
  const runtime = await createRuntime({ storageName: freshLedgerName() });
  const events: RequestEvent[] = [];
  runtime.on("request", (event) => events.push(event));
  await (await post(runtime, path, body)).json();
  const paid = await runtime.usage.list();
  expect(paid).toHaveLength(1);
  const { apiKey } = await runtime.keys.create({ name: "limited", limits: { tokensPerDay: 100_000 } });
  for (let round = 0; round < 25; round++) {
    const abort = new AbortController();
    const changed = changes(runtime, 2);
    const key = round % 2 === 0 ? runtime.apiKey : apiKey;
    const sent = post(runtime, path, body, abort.signal, key);
    // The response may arrive first; then it is not read yet.
    await changed.first;
    abort.abort();
    await expect(sent.then((one) => one.json())).rejects.toMatchObject({ name: "AbortError" });
    await changed.all;
  }
  expect(await runtime.usage.list()).toEqual(paid);
  expect((await runtime.billing.verify()).ok).toBe(true);
  const [listed] = await runtime.keys.list();
  expect(listed!.usage!.today).toEqual({ tokens: 0, usd: 0 });
  await expect.poll(() => events.filter(({ outcome }) => outcome === "aborted").length).toBe(25);
  for (const { outcome, costUsd, inputTokens, outputTokens } of events) {
    if (outcome === "aborted") expect([costUsd, inputTokens, outputTokens]).toEqual([0, 0, 0]);
  }
  runtime.close();
});

test("aborted after fetch has resolved, before the body was read: taken back; read and then aborted: paid", async () => {
  const runtime = await createRuntime({ storageName: freshLedgerName() });
  const [path, body] = REQUESTS[0]!;
  const early = new AbortController();
  const recorded = changes(runtime, 2);
  const unread = await post(runtime, path, body, early.signal);
  early.abort();
  await expect(unread.json()).rejects.toMatchObject({ name: "AbortError" });
  await recorded.all;
  expect(await runtime.usage.list()).toEqual([]);

  const late = new AbortController();
  const read = await post(runtime, path, body, late.signal);
  await read.json();
  late.abort();
  await expect.poll(() => runtime.usage.list()).toHaveLength(1);
  // Any effect of the abort precedes the response to a later call.
  await (await post(runtime, path, body)).json();
  expect(await runtime.usage.list()).toHaveLength(2);
  runtime.close();
});

test("aborted at any time: who got the answer pays for it, and nobody else", async () => {
  let state = seed % 2_147_483_648;
  const random = (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
  const runtime = await createRuntime({ storageName: freshLedgerName() });
  for (const [path, body] of REQUESTS) await (await post(runtime, path, body)).json();
  const paid = new Set((await runtime.usage.list()).map(({ requestId }) => requestId));
  let aborted = 0;
  for (let round = 0; round < 80; round++) {
    const [path, body] = REQUESTS[Math.floor(random() * REQUESTS.length)]!;
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), random() * 150);
    try {
      const response = await post(runtime, path, body, abort.signal);
      await response.json();
      paid.add(response.headers.get("x-request-id")!);
    } catch {
      aborted += 1;
    }
    clearTimeout(timer);
  }
  console.log(JSON.stringify({ seed, aborted, answered: 80 - aborted }));
  await expect
    .poll(async () => (await runtime.usage.list()).map(({ requestId }) => requestId).sort())
    .toEqual([...paid].sort());
  expect((await runtime.billing.verify()).ok).toBe(true);
  runtime.close();
});
