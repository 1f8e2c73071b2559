/** A worker whose script never arrives: its server accepts the connection and sends nothing. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { isUnresponsive } from "../../src/protocol/assets/start-worker.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.stubGlobal(
    "fetch",
    (_: string, { signal }: RequestInit = {}) =>
      new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason))),
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("is given up after two minutes, not before", async () => {
  let found: boolean | undefined;
  const checking = isUnresponsive("https://app.test/worker.js", 2_000, () => false).then((isDead) => {
    found = isDead;
  });
  await vi.advanceTimersByTimeAsync(120_000);
  expect(found).toBeUndefined();
  await vi.advanceTimersByTimeAsync(5_000);
  await checking;
  expect(found).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});

test("a script of which parts arrive is waited for, however long it takes", async () => {
  let script!: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      script = controller;
    },
  });
  vi.stubGlobal("fetch", async (_: string, { signal }: RequestInit) => {
    signal!.addEventListener("abort", () => script.error(signal!.reason));
    return new Response(body);
  });
  let found: boolean | undefined;
  const checking = isUnresponsive("https://app.test/worker.js", 2_000, () => false).then((isDead) => {
    found = isDead;
  });
  for (let minute = 0; minute < 5; minute++) {
    await vi.advanceTimersByTimeAsync(60_000);
    expect(found).toBeUndefined();
    script.enqueue(new Uint8Array(1_000));
    await new Promise((resume) => setImmediate(resume));
  }
  script.close();
  await new Promise((resume) => setImmediate(resume));
  await vi.advanceTimersByTimeAsync(5_000);
  await checking;
  expect(found).toBe(true);
});
