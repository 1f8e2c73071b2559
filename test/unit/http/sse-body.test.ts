import { afterEach, expect, test, vi } from "vitest";
import { sseBody } from "../../../worker/http/sse/sse.ts";

// To real ones, a machine that stands still is a pause, too.
const timers: Parameters<typeof vi.useFakeTimers>[0] = {
  toFake: ["performance", "setTimeout", "clearTimeout"],
};

async function readAfterPause(reader: ReadableStreamDefaultReader<Uint8Array>) {
  const next = reader.read();
  await vi.advanceTimersByTimeAsync(1);
  return next;
}

afterEach(() => {
  vi.useRealTimers();
});

test("a reader that cancels does not cut the generator off: it reaches the end at which it settles", async () => {
  const settled = vi.fn();
  let cancel = (): void => {};
  const cancelled = new Promise<void>((resolve) => {
    cancel = resolve;
  });
  async function* events() {
    yield new Uint8Array([1]);
    await cancelled;
    yield new Uint8Array([2]);
    settled();
  }
  const body = sseBody(events(), () => cancel());
  const reader = body.getReader();
  expect((await reader.read()).value).toEqual(new Uint8Array([1]));
  await reader.cancel();
  await expect.poll(() => settled.mock.calls.length).toBe(1);
});

test("an unread body is queued whole, and ends", async () => {
  async function* events() {
    for (let at = 0; at < 100; at++) yield new Uint8Array([at]);
  }
  const body = sseBody(events(), () => {});
  expect((await new Response(body).arrayBuffer()).byteLength).toBe(100);
});

test("the first event leaves at once, and what came before the next read leaves in one piece", async () => {
  async function* events() {
    for (let at = 1; at <= 5; at++) yield new Uint8Array([at]);
  }
  vi.useFakeTimers(timers);
  const reader = sseBody(events(), () => {}).getReader();
  expect((await reader.read()).value).toEqual(new Uint8Array([1]));
  expect((await readAfterPause(reader)).value).toEqual(new Uint8Array([2, 3, 4, 5]));
  expect((await reader.read()).done).toBe(true);
});

test("a reader that waits is not forgotten when a pause ends for a piece that has left", async () => {
  const gates = [1, 2, 3].map((size) => {
    let open = (): void => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    return { size, opened, open };
  });
  async function* events() {
    for (const { size, opened } of gates) {
      await opened;
      yield new Uint8Array(size);
    }
  }
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const reader = sseBody(events(), () => {}).getReader();
  const next = async () => (await reader.read()).value?.byteLength;
  gates[0]!.open();
  expect(await next()).toBe(1);
  gates[1]!.open();
  // Microtasks only: the event arrives, timers do not fire.
  for (let step = 0; step < 20; step++) await null;
  // Block past the pause: the buffered event can be delivered before the late timer fires.
  const startedAtMs = performance.now();
  while (performance.now() - startedAtMs < 5);
  expect(await next()).toBe(2);
  const waiting = next();
  for (let turns = 0; turns < 20; turns++) await turn();
  await new Promise((resolve) => setTimeout(resolve, 5));
  gates[2]!.open();
  expect(await waiting).toBe(3);
  expect(await next()).toBeUndefined();
}, 5_000);

test("what was sent before a failure is read before it", async () => {
  async function* events() {
    yield new Uint8Array([1]);
    yield new Uint8Array([2]);
    throw new Error("broken");
  }
  const reader = sseBody(events(), () => {}).getReader();
  const read: number[] = [];
  const readAll = async () => {
    for (let next = await reader.read(); !next.done; next = await reader.read()) read.push(...next.value);
  };
  await expect(readAll()).rejects.toThrow("broken");
  expect(read).toEqual([1, 2]);
});

test("pieces stay small enough for clients that search each of them over and over", async () => {
  async function* events() {
    for (let at = 0; at < 100; at++) yield new Uint8Array(1_000);
    yield new Uint8Array(20_000);
  }
  vi.useFakeTimers(timers);
  const reader = sseBody(events(), () => {}).getReader();
  const sizes: number[] = [];
  for (let next = await readAfterPause(reader); !next.done; next = await readAfterPause(reader))
    sizes.push(next.value.byteLength);
  expect(sizes.reduce((sum, size) => sum + size)).toBe(120_000);
  expect(sizes.filter((size) => size > 8_192)).toEqual([20_000]);
  expect(sizes).toHaveLength(15);
});
