import type { Runtime } from "infetch";
import { afterAll, afterEach, beforeAll, beforeEach, expect, type Mock, test, vi } from "vitest";
import { startRuntime } from "./support/page-server.ts";

/** Generous poll timeout for slow CI machines. */
const PATIENCE_MS = 30_000;

const unhandled: unknown[] = [];
const onUnhandled = (event: PromiseRejectionEvent): void => void unhandled.push(event.reason);

/** Per test: late requests of an earlier test are recorded in that test's array. */
let received: Request[];
let cancelled: Mock<(reason: unknown) => void>;
let runtime: Runtime;
let fetch: typeof globalThis.fetch;

beforeAll(() => addEventListener("unhandledrejection", onUnhandled));

beforeEach(async () => {
  const requests: Request[] = [];
  const onCancelled = vi.fn<(reason: unknown) => void>();
  ({ runtime } = await startRuntime(async (request) => {
    requests.push(request);
    const { pathname } = new URL(request.url);
    if (pathname === "/v1/never") return new Promise<Response>(() => {});
    if (pathname === "/v1/endless") return new Response(endless(onCancelled));
    if (pathname === "/v1/read") return new Response(await request.text());
    return new Response("whole");
  }));
  received = requests;
  cancelled = onCancelled;
  fetch = runtime.fetch;
});

afterEach(() => runtime.close());

afterAll(() => {
  removeEventListener("unhandledrejection", onUnhandled);
  expect(unhandled).toEqual([]);
});

function endless(cancel: (reason: unknown) => void): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(1000)),
    cancel,
  });
}

class Reason extends Error {}

test("aborted before: rejects with the signal's own reason and never reaches the server", async () => {
  const reason = new Reason();
  const stop = vi.fn();
  const body = new ReadableStream({ cancel: stop });
  const signal = AbortSignal.abort(reason);
  const init = { method: "POST", body, duplex: "half", signal } as RequestInit;
  await expect(fetch("/v1/x", init)).rejects.toBe(reason);
  expect(stop.mock.lastCall?.[0]).toBe(reason);
  expect(await (await fetch("/v1/x")).text()).toBe("whole");
  expect(received).toHaveLength(1);
});

test("aborted right after the call: the same", async () => {
  const abort = new AbortController();
  const answer = fetch("/v1/x", { signal: abort.signal });
  abort.abort();
  await expect(answer).rejects.toMatchObject({ name: "AbortError", constructor: DOMException });
  expect(await (await fetch("/v1/x")).text()).toBe("whole");
  expect(received).toHaveLength(1);
});

test("aborted while the server works: rejects at once, and the server knows", async () => {
  const abort = new AbortController();
  const reason = new Reason();
  const answer = fetch("/v1/never", { signal: abort.signal });
  await vi.waitFor(() => expect(received).toHaveLength(1), PATIENCE_MS);
  abort.abort(reason);
  await expect(answer).rejects.toBe(reason);
  await vi.waitFor(() => expect(received[0]!.signal.aborted).toBe(true), PATIENCE_MS);
});

test("a Request's own signal counts, and init's takes its place", async () => {
  const own = new AbortController();
  const other = new AbortController();
  const request = new Request("/v1/never", { signal: own.signal });
  const first = fetch(request);
  const second = fetch(new Request("/v1/never", { signal: own.signal }), { signal: other.signal });
  own.abort("own");
  await expect(first).rejects.toBe("own");
  other.abort("other");
  await expect(second).rejects.toBe("other");
});

test("AbortSignal.timeout rejects with a TimeoutError", async () => {
  const answer = fetch("/v1/never", { signal: AbortSignal.timeout(1) });
  await expect(answer).rejects.toMatchObject({ name: "TimeoutError" });
});

test("aborted while a body is sent: the caller's stream is cancelled with the reason", async () => {
  const abort = new AbortController();
  const reason = new Reason();
  const stop = vi.fn();
  const body = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(100_000)),
    cancel: stop,
  });
  const init = { method: "POST", body, duplex: "half", signal: abort.signal } as RequestInit;
  const answer = fetch("/v1/never?body", init);
  // Requests aborted by an earlier test may arrive late.
  await vi.waitFor(
    () => expect(received.map(({ url }) => new URL(url).search)).toContain("?body"),
    PATIENCE_MS,
  );
  abort.abort(reason);
  await expect(answer).rejects.toBe(reason);
  await vi.waitFor(() => expect(stop.mock.lastCall?.[0]).toBe(reason), PATIENCE_MS);
});

test("an answer that comes before the whole body was sent stops the sending", async () => {
  const stop = vi.fn();
  const body = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(100_000)),
    cancel: stop,
  });
  const response = await fetch("/v1/x", { method: "POST", body, duplex: "half" } as RequestInit);
  expect(await response.text()).toBe("whole");
  await vi.waitFor(() => expect(stop).toHaveBeenCalled(), PATIENCE_MS);
});

test("aborted during the stream: reads reject with the reason, the server's stream is cancelled", async () => {
  const abort = new AbortController();
  const reason = new Reason();
  const response = await fetch("/v1/endless", { signal: abort.signal });
  const reader = response.body!.getReader();
  await reader.read();
  const pending = (async () => {
    while (!(await reader.read()).done);
  })();
  abort.abort(reason);
  await expect(pending).rejects.toBe(reason);
  await expect(reader.closed).rejects.toBe(reason);
  await vi.waitFor(() => expect(cancelled).toHaveBeenCalledTimes(1), PATIENCE_MS);
});

test.each(["text", "json", "arrayBuffer", "blob"] as const)(
  "aborted before %s(): it rejects, even where all bytes are here",
  async (read) => {
    const abort = new AbortController();
    const response = await fetch("/v1/x", { signal: abort.signal });
    abort.abort();
    await expect(response[read]()).rejects.toMatchObject({ name: "AbortError" });
  },
);

test("aborted after the end: nothing happens", async () => {
  const abort = new AbortController();
  const response = await fetch("/v1/x", { signal: abort.signal });
  expect(await response.text()).toBe("whole");
  abort.abort();
  expect(response.bodyUsed).toBe(true);
  expect(await (await fetch("/v1/x")).text()).toBe("whole");
});

test("both halves of a clone are aborted", async () => {
  const abort = new AbortController();
  const response = await fetch("/v1/endless", { signal: abort.signal });
  const clone = response.clone();
  abort.abort();
  await expect(response.text()).rejects.toMatchObject({ name: "AbortError" });
  await expect(clone.text()).rejects.toMatchObject({ name: "AbortError" });
});

test("a body cancelled by its reader cancels the server's stream", async () => {
  const reader = (await fetch("/v1/endless")).body!.getReader();
  await reader.read();
  await reader.cancel("enough");
  await vi.waitFor(() => expect(cancelled.mock.lastCall?.[0]).toBe("enough"), PATIENCE_MS);
  expect((await reader.read()).done).toBe(true);
});

test("leaving for await cancels it as well", async () => {
  for await (const _ of (await fetch("/v1/endless")).body!) break;
  await vi.waitFor(() => expect(cancelled).toHaveBeenCalledTimes(1), PATIENCE_MS);
});

test("no listener stays on a long-lived signal, no port stays open", async () => {
  const listeners = vi.spyOn(EventTarget.prototype, "addEventListener");
  const removals = vi.spyOn(EventTarget.prototype, "removeEventListener");
  const closes = vi.spyOn(MessagePort.prototype, "close");
  const RealChannel = MessageChannel;
  const channels: MessageChannel[] = [];
  globalThis.MessageChannel = class extends RealChannel {
    constructor() {
      super();
      channels.push(this);
    }
  };
  const signalsOf = ({ mock }: typeof listeners | typeof removals): unknown[] =>
    mock.contexts.filter((target) => target instanceof AbortSignal);
  /** Signals that are listened to, but for listeners that another signal has removed. */
  const heardSignals = (): unknown[] =>
    listeners.mock.contexts.filter((target, at) => {
      const options = listeners.mock.calls[at]![2];
      return target instanceof AbortSignal && !(typeof options === "object" && options.signal?.aborted);
    });
  try {
    const { signal } = new AbortController();
    for (let round = 0; round < 5; round++) {
      await (await fetch("/v1/x", { signal })).text();
      await (await fetch("/v1/read", { method: "POST", body: "x".repeat(400_000), signal })).text();
      await (await fetch("/v1/endless", { signal })).body?.cancel();
      const broken = new ReadableStream({ pull: (controller) => controller.error(new Error("broken")) });
      const init = { method: "POST", body: broken, duplex: "half", signal } as RequestInit;
      await fetch("/v1/read", init).catch(() => {});
    }
    expect(channels.length).toBeGreaterThan(20);
    const listened = new Set(signalsOf(listeners));
    expect(signalsOf(listeners).length).toBeGreaterThan(20);
    await vi.waitFor(() => {
      // Listeners on signals of earlier tests may be removed late.
      const removed = signalsOf(removals).filter((signal) => listened.has(signal));
      expect(heardSignals()).toHaveLength(removed.length);
      const closed = new Set(closes.mock.contexts);
      // Closing one end closes both. If a request fails before its response, the other side closes the channel.
      const open = channels.filter(({ port1, port2 }) => !closed.has(port1) && !closed.has(port2));
      expect(open).toEqual([]);
    }, PATIENCE_MS);
  } finally {
    globalThis.MessageChannel = RealChannel;
    vi.restoreAllMocks();
  }
});
