import { expect, test } from "vitest";
import { readEvents, testApp } from "../../support/test-app.ts";

const path = "/v1/chat/completions";
const hello = { model: "infetch-tiny", messages: [{ role: "user", content: "Hi" }] };

/** Blocks an engine until `open()`. */
function gate(): { gate: () => Promise<void>; open: () => void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { gate: () => opened, open: () => open() };
}

test("a full queue is a 429 with retry-after; who waited is served", async () => {
  const { gate: wait, open } = gate();
  const { post } = await testApp({ gate: wait }, { maxQueued: 1 });
  const running = post(path, hello);
  const waiting = post(path, hello);
  // The third request is refused only after the other two are queued.
  let refused = await post(path, { ...hello, temperature: 9 });
  while (refused.status === 400) refused = await post(path, hello);
  expect(refused.status).toBe(429);
  expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
  expect((await refused.json()).error).toMatchObject({ code: "queue_full", type: "rate_limit_error" });
  open();
  expect((await running).status).toBe(200);
  expect((await waiting).status).toBe(200);
});

test("a reader that does not read holds nobody up", async () => {
  const { post, ledger } = await testApp();
  const unread = await post(path, { ...hello, stream: true });
  expect((await post(path, hello)).status).toBe(200);
  const { done } = await readEvents(unread);
  expect(done).toBe(true);
  expect(ledger.events()).toHaveLength(2);
});

test("a stream that is cancelled frees the engine and is charged for what was sent", async () => {
  const { post, ledger, engine } = await testApp({
    reply: () => Array.from({ length: 10_000 }, () => "a "),
    gate: () => new Promise((resume) => setImmediate(resume)),
  });
  const response = await post(path, { ...hello, stream: true });
  const reader = response.body!.getReader();
  await reader.read();
  await reader.read();
  await reader.cancel();
  expect((await post(path, { ...hello, max_tokens: 1 })).status).toBe(200);
  expect(engine.running).toBe(0);
  const [aborted] = ledger.events();
  expect(aborted?.outcome).toBe("aborted");
  expect(aborted?.outputTokens).toBeLessThan(10_000);
});

test("an abort ends a request whose prompt is still being counted, and costs nothing", async () => {
  const { post, ledger, engine } = await testApp();
  let isCounting = (): void => {};
  const counting = new Promise<void>((resolve) => {
    isCounting = resolve;
  });
  engine.countTokens = () => {
    isCounting();
    return new Promise(() => {});
  };
  const abort = new AbortController();
  const request = post(path, hello, { signal: abort.signal });
  await counting;
  abort.abort();
  await request;
  expect(engine.requests).toEqual([]);
  expect(ledger.events()).toEqual([]);
});

test("an abort in the queue costs nothing and is not metered", async () => {
  const { gate: wait, open } = gate();
  const { post, ledger, engine } = await testApp({ gate: wait });
  const running = post(path, hello);
  const abort = new AbortController();
  const queued = post(path, hello, { signal: abort.signal });
  abort.abort();
  open();
  await queued;
  expect((await running).status).toBe(200);
  expect(engine.requests).toHaveLength(1);
  expect(ledger.events()).toHaveLength(1);
});
