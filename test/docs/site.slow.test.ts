/** Builds the documentation site and uses it in Chromium, served under a path of its own. */

import { readdir } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { LinkChecker } from "linkinator";
import { type Browser, chromium, type Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { chromiumArguments, findChromium } from "../../scripts/browsers/chromium.ts";
import { closeServer, listen, serveFile } from "../../scripts/servers/static-server.ts";
import { run } from "../../scripts/shared/run.ts";
import { root } from "./support/blocks.ts";

const BASE = "/some/path/";
const folder = join(root, ".build/site");
const server = createServer((request, response) => void serveFile({ [BASE]: folder }, request, response));
let origin: string;
let browser: Browser;

beforeAll(async () => {
  await run("npm", ["run", "site", "--", "--base", BASE], root);
  origin = await listen(server, 0);
  browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments });
}, 600_000);

afterAll(async () => {
  await browser?.close();
  await closeServer(server);
});

test("every link, asset and anchor exists, and links lead to every page", async () => {
  const { links } = await new LinkChecker().check({
    path: `${origin}${BASE}`,
    recurse: true,
    checkCss: true,
    checkFragments: true,
    linksToSkip: async (link) => new URL(link).origin !== origin,
  });
  const broken = links.filter(({ state }) => state === "BROKEN");
  expect(broken.map(({ parent, url, status }) => `${parent} → ${url} (${status})`)).toEqual([]);

  const files = await readdir(folder, { recursive: true });
  const pages = files.filter((file) => /^(?!demo\/|404).*\.html$/.test(file));
  const linked = new Set(links.map(({ url }) => url.replace(/#.*/, "").replace(/\/$/, "/index.html")));
  expect(pages.filter((page) => !linked.has(`${origin}${BASE}${page}`))).toEqual([]);
});

/** Console errors, failed requests, and requests to another origin. */
function watch(page: Page): string[] {
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("response", (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`);
  });
  page.context().on("request", (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith("http") && url.origin !== origin) complaints.push(request.url());
  });
  return complaints;
}

test("a search leads to its section, and the live console gives a first reply", async () => {
  const page = await browser.newPage();
  const complaints = watch(page);
  await page.goto(`${origin}${BASE}`);
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByRole("searchbox").fill("StrictMode");
  await page.getByRole("option", { name: "Frameworks > React" }).click();
  await page.waitForURL(`${origin}${BASE}frameworks.html#react`);
  await page.locator("h2#react").waitFor();

  await page.getByRole("link", { name: "Live console" }).first().click();
  await page.waitForURL(`${origin}${BASE}demo/`);
  await page.getByLabel("Your message").fill("Hello!");
  await page.keyboard.press("Enter");
  await page.locator(".stats").waitFor({ timeout: 120_000 });
  expect(complaints).toEqual([]);
});
