/** A response that waits for its reader in another thread arrives whole, whatever the collectors of all threads take. */

import type { Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { anyEngine } from "../../scripts/browsers/chromium.ts";
import { register } from "./support/requests.ts";
import { Tabs, type TabWindow } from "./support/tabs.ts";

/** More than the port, the service worker's pipe and the page's buffers hold together. */
const BYTES = 8 * 2 ** 20;

let tabs: Tabs;
let leader: Page;
let file: { url: string; apiKey: string };

beforeAll(async () => {
  tabs = await Tabs.open(undefined, [...anyEngine, "--js-flags=--expose-gc"]);
  leader = await tabs.newTab();
  file = await leader.evaluate(async (bytes) => {
    const { runtime } = window as unknown as TabWindow;
    const { apiKey, baseURL } = runtime;
    const body = new FormData();
    body.set("purpose", "batch");
    body.set("file", new File(["x".repeat(bytes)], "lines.jsonl"));
    const headers = { authorization: `Bearer ${apiKey}` };
    const made = await runtime.fetch(`${baseURL}/files`, { method: "POST", headers, body });
    return { url: `${baseURL}/files/${(await made.json()).id}/content`, apiKey };
  }, BYTES);
});

afterAll(() => tabs?.close());

/** Collects all garbage, often enough that what it ends is garbage too. */
const COLLECT = `(async () => {
  for (let round = 0; round < 10; round++) {
    await gc({ type: "major", execution: "async" });
    await new Promise((over) => setTimeout(over, 5));
  }
})()`;

test("through the service worker, to a page that pauses", async () => {
  const plain = await tabs.newPage();
  await register(plain);
  await plain.evaluate(async ({ url, apiKey }) => {
    const response = await fetch(url, { headers: { authorization: `Bearer ${apiKey}` } });
    const reader = response.body!.getReader();
    const { value } = await reader.read();
    Object.assign(window, { reader, received: value!.byteLength });
  }, file);
  await tabs.context.serviceWorkers()[0]!.evaluate(COLLECT);
  const received = await plain.evaluate(async () => {
    let { reader, received } = window as unknown as {
      reader: ReadableStreamDefaultReader<Uint8Array>;
      received: number;
    };
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      received += read.value.byteLength;
    }
    return received;
  });
  expect(received).toBe(BYTES);
});

test("as a stream that was transferred", async () => {
  const received = await leader.evaluate(
    async ({ url, apiKey, collect }) => {
      const { runtime } = window as unknown as TabWindow;
      const script = `onmessage = async ({ data }) => {
        const reader = data.getReader();
        let received = (await reader.read()).value.byteLength;
        postMessage(undefined);
        await new Promise((resume) => { onmessage = resume; });
        for (let read = await reader.read(); !read.done; read = await reader.read()) received += read.value.byteLength;
        postMessage(received);
      }`;
      const worker = new Worker(URL.createObjectURL(new Blob([script])));
      const next = () =>
        new Promise<number>((resolve, reject) => {
          worker.onmessage = ({ data }) => resolve(data);
          worker.onerror = ({ message }) => reject(new Error(message));
        });
      const begun = next();
      const headers = { authorization: `Bearer ${apiKey}` };
      await runtime.fetch(url, { headers }).then(({ body }) => worker.postMessage(body, [body!]));
      await begun;
      // biome-ignore lint/security/noGlobalEval: one text for the page and the service worker
      await eval(collect);
      const ended = next();
      worker.postMessage(undefined);
      return ended;
    },
    { ...file, collect: COLLECT },
  );
  expect(received).toBe(BYTES);
});
