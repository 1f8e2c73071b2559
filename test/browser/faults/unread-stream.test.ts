/** A stream holds its key's place while it can be read, and no longer: also if the page forgets it. */

import type { Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ends } from "../../faults/support/watchdog.ts";
import { type FaultyPage, openPage } from "./support/page.ts";

let opened: FaultyPage;
let page: Page;

beforeAll(async () => {
  opened = await openPage();
  ({ page } = opened);
});
afterAll(() => opened?.close());

test("a stream that nothing can read any more gives up its place", async () => {
  const cdp = await page.context().newCDPSession(page);
  await page.evaluate(async () => {
    const { runtime } = globalThis as unknown as { runtime: import("infetch").Runtime };
    const { apiKey } = await runtime.keys.create({ name: "one", limits: { concurrentRequests: 1 } });
    const body = { model: "infetch-tiny", messages: [{ role: "user", content: "Hello!" }], stream: true };
    const send = () =>
      runtime.fetch(`${runtime.baseURL}/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${apiKey}` },
        body: JSON.stringify(body),
      });
    const reader = (await send()).body!.getReader();
    await reader.read();
    Object.assign(globalThis, { send, reader });
  });
  const status = (): Promise<number> =>
    page.evaluate("send().then((response) => response.text().then(() => response.status))");
  await cdp.send("HeapProfiler.collectGarbage");
  expect(await status()).toBe(429);
  await page.evaluate("void delete globalThis.reader");
  const isFree = async (): Promise<void> => {
    do await cdp.send("HeapProfiler.collectGarbage");
    while ((await status()) !== 200);
  };
  await ends("the stream", isFree());
});
