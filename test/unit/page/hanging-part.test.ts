/** The file of a part of the entry never arrives: a call that needs it waits a minute, and not past an abort. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";

const PART = "../../../src/fetch/blob-images.ts";
const send = vi.fn(async (_: Request) => new Response("sent"));
let infetch: typeof fetch;

beforeEach(async () => {
  send.mockClear();
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  vi.stubGlobal("location", new URL("https://app.test/"));
  vi.resetModules();
  vi.doMock(PART, () => new Promise(() => {}));
  const { createFetch } = await import("../../../src/fetch/create-fetch.ts");
  infetch = createFetch(new URL("https://app.test/v1"), send, fetch);
});
afterEach(() => {
  vi.doUnmock(PART);
  vi.resetModules();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Begins a call with an image that only the page can read. */
async function call(signal?: AbortSignal) {
  const body = JSON.stringify({ messages: [{ role: "user", content: "blob:https://app.test/1" }] });
  const init = { method: "POST", body, ...(signal && { signal }) };
  const calling = infetch("https://app.test/v1/chat/completions", init);
  calling.catch(() => {});
  await new Promise((resume) => setImmediate(resume));
  return { calling };
}

test("after a minute the call is sent as it is, and the server refuses the URL", async () => {
  const { calling } = await call();
  vi.advanceTimersByTime(59_000);
  await new Promise((resume) => setImmediate(resume));
  expect(send).not.toHaveBeenCalled();
  vi.advanceTimersByTime(2_000);
  expect(await (await calling).text()).toBe("sent");
  expect(vi.getTimerCount()).toBe(0);
});

test("an abort ends the wait", async () => {
  const abort = new AbortController();
  const { calling } = await call(abort.signal);
  abort.abort("left");
  await expect(calling).rejects.toBe("left");
  expect(send).not.toHaveBeenCalled();
});
