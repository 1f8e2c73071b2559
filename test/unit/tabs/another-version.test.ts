/** Scripts of another release than the page's are fetched again past the HTTP cache, over a slow network too. */

import { afterEach, expect, test, vi } from "vitest";
import { ofAnotherVersion } from "../../../src/tabs/start-error.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test("each is fetched to its end, however long it takes, once", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
    const late = new AbortController();
    setTimeout(() => late.abort(), ms);
    return late.signal;
  });
  const given: { url: string; cache: RequestCache | undefined }[] = [];
  const ends: string[] = [];
  let part!: ReadableStreamDefaultController<Uint8Array>;
  vi.stubGlobal("fetch", async (url: string | URL, { signal, cache }: RequestInit) => {
    given.push({ url: String(url), cache });
    if (!String(url).endsWith("webllm.js")) return new Response("script");
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        part = controller;
      },
    });
    signal!.addEventListener("abort", () => {
      ends.push("aborted");
      part.error(signal!.reason);
    });
    return new Response(body);
  });
  const engine = "https://app.test/webllm.js";
  let isOver = false;
  const refreshing = ofAnotherVersion(new URL("https://app.test/server.js"), "0.0.1", [engine]).then(
    (error) => {
      isOver = true;
      return error;
    },
  );
  for (let minute = 0; minute < 5; minute++) {
    await vi.advanceTimersByTimeAsync(60_000);
    expect({ isOver, ends }).toEqual({ isOver: false, ends: [] });
    part.enqueue(new Uint8Array(1_000));
    await new Promise((resume) => setImmediate(resume));
  }
  part.close();
  expect(await refreshing).toBeUndefined();
  expect(given).toEqual([
    { url: "https://app.test/server.js", cache: "reload" },
    { url: engine, cache: "reload" },
  ]);
  expect(vi.getTimerCount()).toBe(0);
});
