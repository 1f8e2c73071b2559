/** The console in Firefox and WebKit: a chat without serious axe violations, which is kept and goes on offline. */

import type { Server } from "node:http";
import { dirname, resolve } from "node:path";
import type axe from "axe-core";
import { afterEach, expect, test } from "vitest";
import { findBrowser } from "../../../scripts/browsers/browsers.ts";
import type { BrowserName, DrivenBrowser, DrivenPage } from "../../../scripts/browsers/driven-browser.ts";
import { closeServer, createStaticServer, listen } from "../../../scripts/servers/static-server.ts";

const root = resolve(import.meta.dirname, "../../..");
const MOUNTS = {
  "/": resolve(root, ".build/demo"),
  "/axe/": dirname(new URL(import.meta.resolve("axe-core")).pathname),
};
const BROWSERS: BrowserName[] = ["firefox", "webkit"];

let server: Server;
let browser: DrivenBrowser | undefined;
let page: DrivenPage;

afterEach(async () => {
  await browser?.close();
  browser = undefined;
  await closeServer(server).catch(() => {});
});

const textOf = (selector: string) =>
  page.evaluate((all: string) => {
    const found = [...document.querySelectorAll(all)];
    return found.map((element) => element.textContent?.trim() ?? "");
  }, selector);

const ready = () => expect.poll(() => textOf("[role=status]")).toContain("Ready");

/** Types a message as a user does, and waits for the end of the reply. */
async function say(text: string): Promise<void> {
  const replies = (await textOf(".stats")).length;
  await expect
    .poll(() => page.evaluate(() => !!document.querySelector("textarea[aria-label='Your message']:enabled")))
    .toBe(true);
  await page.evaluate((message: string) => {
    const field = document.querySelector<HTMLTextAreaElement>("textarea[aria-label='Your message']")!;
    field.focus();
    field.value = message;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }, text);
  await expect
    .poll(() => page.evaluate(() => !!document.querySelector("button[aria-label=Send]:enabled")))
    .toBe(true);
  await page.evaluate(() => document.querySelector<HTMLButtonElement>("button[aria-label=Send]")!.click());
  await expect.poll(async () => (await textOf(".stats")).length, { timeout: 60_000 }).toBe(replies + 1);
}

/** Ids and elements of serious axe violations. */
function violations(): Promise<string[]> {
  return page.evaluate(async (url: string) => {
    const script = document.head.appendChild(document.createElement("script"));
    await new Promise((loaded, failed) => {
      script.onload = loaded;
      script.onerror = failed;
      script.src = url;
    });
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document);
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  }, "/axe/axe.min.js");
}

test.each(BROWSERS)("%s: a chat that is kept, and goes on without a network", async (name) => {
  server = createStaticServer(MOUNTS);
  const address = await listen(server, 0);
  browser = await findBrowser(name)!.start();
  page = await browser.newPage();
  await page.goto(address);
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  // WebKit's build of llama.cpp is cached at its first use in a page that the service worker controls.
  await page.goto("about:blank");
  await page.goto(`${address}/#/chat`);
  await ready();
  await say("Hello! Who are you?");
  expect((await textOf(".message.assistant"))[0]).toMatch(/\w/);
  expect((await textOf(".stats"))[0]).toMatch(/^\d+ tokens · /);
  expect(await violations()).toEqual([]);

  await closeServer(server);
  expect(await fetch(address).catch(() => "unreachable")).toBe("unreachable");
  // Not a reload: Firefox's, over Marionette, went to the network.
  await page.goto("about:blank");
  await page.goto(`${address}/#/chat`);
  await ready();
  await expect
    .poll(() => textOf("[aria-label=Conversations]"))
    .toEqual([expect.stringContaining("Hello! Who are you?")]);
  await say("And offline?");
  expect((await textOf(".message.assistant")).at(-1)).toMatch(/\w/);
});
