/** Scripts of another release than the page's are fetched again past the HTTP cache, over a slow network too. */

import { afterEach, expect, test, vi } from "vitest";
import { ofAnotherVersion } from "../../../src/tabs/start-error.ts";
import { fakeTimeouts, SlowResponse } from "../../fakes/slow-response.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test("each is fetched to its end, however long it takes, once", async () => {
  fakeTimeouts();
  const slow = new SlowResponse();
  const given: { url: string; cache: RequestCache | undefined }[] = [];
  vi.stubGlobal("fetch", async (url: string | URL, { signal, cache }: RequestInit) => {
    given.push({ url: String(url), cache });
    return String(url).endsWith("webllm.js") ? slow.respond(signal!) : new Response("script");
  });
  // Of this test alone: each script is fetched again once, and tests share the module.
  const server = "https://app.test/0.0.1/server.js";
  const engine = "https://app.test/webllm.js";
  let isOver = false;
  const refreshing = ofAnotherVersion(new URL(server), "0.0.1", [engine]).then((error) => {
    isOver = true;
    return error;
  });
  for (let minute = 0; minute < 5; minute++) {
    await vi.advanceTimersByTimeAsync(60_000);
    expect({ isOver, aborts: slow.aborts }).toEqual({ isOver: false, aborts: 0 });
    slow.part!.enqueue(new Uint8Array(1_000));
    await new Promise((resume) => setImmediate(resume));
  }
  slow.part!.close();
  expect(await refreshing).toBeUndefined();
  expect(given).toEqual([
    { url: server, cache: "reload" },
    { url: engine, cache: "reload" },
  ]);
  expect(vi.getTimerCount()).toBe(0);
});
