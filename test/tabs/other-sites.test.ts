/** Requests from another site's page never use the key that the service worker lends. */

import { createServer, type Server } from "node:http";
import type { Page } from "playwright";
import { afterEach, beforeEach, expect, test } from "vitest";
import { closeServer, listen } from "../../scripts/servers/static-server.ts";
import { lendNewKey, register, usageOf } from "./support/requests.ts";
import { Tabs } from "./support/tabs.ts";

let tabs: Tabs;
let leader: Page;
/** A page of the origin without a runtime. */
let plain: Page;
let otherServer: Server;
let otherAddress: string;
/** On another site: 127.0.0.1 instead of localhost. */
let other: Page;

beforeEach(async () => {
  tabs = await Tabs.open();
  leader = await tabs.newTab();
  plain = await tabs.newPage();
  await register(plain);
  await lendNewKey(leader);
  otherServer = createServer((_, response) => {
    response.setHeader("content-type", "text/html").end("<!doctype html><title>other</title>");
  });
  other = await tabs.context.newPage();
  otherAddress = await listen(otherServer, 0);
  await other.goto(otherAddress);
});

afterEach(async () => {
  await tabs?.close();
  await closeServer(otherServer);
});

const JSON_TEXT = JSON.stringify({
  model: "infetch-tiny",
  messages: [{ role: "user", content: "Hello!" }],
  max_tokens: 3,
});
/** Makes `name=value` of a text/plain form valid JSON. */
const FORM_NAME = `${JSON_TEXT.slice(0, -1)},"user":"`;

/** Submits a form by script in the other site's page. */
function submitChat(target: string): Promise<void> {
  return other.evaluate(
    ([action, name, target]) => {
      const form = document.createElement("form");
      Object.assign(form, { method: "post", action, enctype: "text/plain", target });
      const input = Object.assign(document.createElement("input"), { name, value: '"}' });
      form.append(input);
      document.body.append(form);
      form.submit();
    },
    [`${tabs.origin}/v1/chat/completions`, FORM_NAME, target] as const,
  );
}

interface Refusal {
  error: { code: string; message: string };
}

/** The response shown in a page that navigated to it. */
async function shown(page: Page): Promise<Refusal> {
  await page.waitForURL(`${tabs.origin}/v1/**`);
  await page.waitForLoadState();
  return JSON.parse(await page.evaluate(() => document.body.innerText)) as Refusal;
}

async function expectNothingSpent(): Promise<void> {
  expect(await usageOf(leader)).toEqual([]);
  const files = await plain.evaluate(async () => (await fetch("/v1/files")).json());
  expect(files.data).toEqual([]);
}

const refusal = { error: { code: "missing_api_key", message: expect.stringContaining("Authorization") } };

test("a text/plain form is refused, as the page itself and as a popup", async () => {
  await submitChat("_self");
  expect(await shown(other)).toMatchObject(refusal);
  await other.goto(otherAddress);
  const [popup] = await Promise.all([tabs.context.waitForEvent("page"), submitChat("_blank")]);
  expect(await shown(popup)).toMatchObject(refusal);
  await expectNothingSpent();
});

test("a multipart form stores no file", async () => {
  await other.evaluate((action) => {
    const form = document.createElement("form");
    Object.assign(form, { method: "post", action, enctype: "multipart/form-data" });
    const purpose = Object.assign(document.createElement("input"), { name: "purpose", value: "batch" });
    const file = Object.assign(document.createElement("input"), { name: "file", type: "file" });
    const chosen = new DataTransfer();
    const line = { custom_id: "a", method: "POST", url: "/v1/chat/completions", body: {} };
    chosen.items.add(new File([`${JSON.stringify(line)}\n`], "lines.jsonl"));
    file.files = chosen.files;
    form.append(purpose, file);
    document.body.append(form);
    form.submit();
  }, `${tabs.origin}/v1/files`);
  expect(await shown(other)).toMatchObject(refusal);
  await expectNothingSpent();
});

test("frames, no-cors requests, images, scripts and links of another site spend nothing", async () => {
  const settled = other.evaluate(
    async ([origin, text]) => {
      const loaded = (name: "iframe" | "img" | "script", src: string): Promise<unknown> =>
        new Promise((resolve) => {
          const element = Object.assign(document.createElement(name), { src });
          element.onload = element.onerror = resolve;
          document.body.append(element);
        });
      const chat = `${origin}/v1/chat/completions`;
      await Promise.all([
        loaded("iframe", `${origin}/v1/models`),
        loaded("img", `${origin}/v1/models`),
        loaded("script", `${origin}/v1/models`),
        fetch(chat, { method: "POST", mode: "no-cors", credentials: "include", body: text }),
      ]);
      navigator.sendBeacon(chat, text);
    },
    [tabs.origin, JSON_TEXT] as const,
  );
  await settled;
  await other.evaluate(() =>
    document.body.append(Object.assign(document.createElement("iframe"), { name: "in" })),
  );
  await submitChat("in");
  const frame = () => other.frames().find((one) => one.url() === `${tabs.origin}/v1/chat/completions`);
  await expect.poll(() => frame() !== undefined).toBe(true);
  await frame()!.waitForLoadState();
  await other.goto(`${tabs.origin}/v1/models`);
  expect(await shown(other)).toMatchObject(refusal);
  await expectNothingSpent();
});

/** Fetches in the plain page. @returns the status and any error code */
function ownFetch(path: string, init: RequestInit): Promise<[number, string | undefined]> {
  return plain.evaluate(
    async ([path, init]) => {
      const response = await fetch(path, init);
      return [response.status, (await response.json()).error?.code];
    },
    [path, init] as const,
  );
}

test("a page of the origin gets the key for JSON alone, or brings its own", async () => {
  const post = (type: string, more: object = {}) =>
    ownFetch("/v1/chat/completions", {
      method: "POST",
      body: JSON_TEXT,
      headers: { "content-type": type, ...more },
    });
  const refused = [401, "missing_api_key"];
  expect(await post("text/plain;charset=UTF-8")).toEqual(refused);
  expect(await post("application/x-www-form-urlencoded")).toEqual(refused);
  expect(await post("application/jsonp")).toEqual(refused);
  expect(await ownFetch("/v1/models", { mode: "no-cors" })).toEqual(refused);
  const withoutType = await plain.evaluate(async (text) => {
    const body = new TextEncoder().encode(text);
    return (await fetch("/v1/chat/completions", { method: "POST", body })).status;
  }, JSON_TEXT);
  expect(withoutType).toBe(401);
  await expectNothingSpent();
  expect(await post("application/json")).toEqual([200, undefined]);
  expect(await post("application/json; charset=utf-8")).toEqual([200, undefined]);
  // No body, no type: the error is about the batch, not the key.
  expect(await ownFetch("/v1/batches/none/cancel", { method: "POST" })).toEqual([404, "batch_not_found"]);
  const { apiKey } = await leader.evaluate(() => ({
    apiKey: (window as unknown as import("./support/tabs.ts").TabWindow).runtime.apiKey,
  }));
  expect(await post("text/plain", { authorization: `Bearer ${apiKey}` })).toEqual([200, undefined]);
});
