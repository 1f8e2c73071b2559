/** The demo as `npm start` serves it, in a fresh page for each test; whatever a page complains of fails its test. */

import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import { type Browser, chromium, type Page } from "playwright";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { chromiumArguments, findChromium } from "../../scripts/chromium.ts";
import { closeServer, createStaticServer, listen } from "../../scripts/static-server.ts";

const root = resolve(import.meta.dirname, "../..");
const screenshots = resolve(root, ".build/screenshots");

export interface Demo {
  page: Page;
  address: string;
  /** Console errors, policy violations, failed and foreign requests: none may be left at the end of a test. */
  complaints: string[];
  /** For looking at. */
  shot(name: string, fullPage?: boolean): Promise<unknown>;
}

/** Registers the hooks of a test file; what is returned is filled anew before each test. */
export function useDemo(): Demo {
  const server = createStaticServer({ "/": resolve(root, ".build/demo") });
  const demo = {
    shot: (name, fullPage = false) =>
      demo.page.screenshot({ path: resolve(screenshots, `${name}.png`), fullPage }),
  } as Demo;
  let browser: Browser;

  beforeAll(async () => {
    await mkdir(screenshots, { recursive: true });
    demo.address = await listen(server, 0);
    browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments });
  });
  afterAll(async () => {
    await browser.close();
    await closeServer(server);
  });

  beforeEach(async () => {
    demo.complaints = [];
    demo.page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await watch(demo);
  });
  afterEach(async () => {
    await demo.page.close();
    expect(demo.complaints).toEqual([]);
  });
  return demo;
}

async function watch({ page, address, complaints }: Demo): Promise<void> {
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`page: ${error.message}`));
  page.on("request", (request) => {
    if (!request.url().startsWith(address)) complaints.push(`foreign request: ${request.url()}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()}: ${response.url()}`);
  });
  // Chromium reports violations of workers on the console, those of the page also as events.
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) =>
      console.error(`CSP: ${event.violatedDirective} ${event.blockedURI}`),
    );
  });
}

/** Takes away WebGPU, as on a device without a graphics adapter. */
export function withoutWebGPU(page: Page): Promise<unknown> {
  return page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, "gpu", { get: () => ({ requestAdapter: async () => null }) });
  });
}

/** Every text that the load bar of a view (`#chat-card`, `#search-card`) shows from now on. */
export async function noteLoading(page: Page, view: string): Promise<string[]> {
  const texts: string[] = [];
  await page.exposeFunction("noteLoad", (text: string) => texts.push(text));
  await page.evaluate((card) => {
    const bar = document.querySelector(`${card} .load-text`)!;
    const note = (window as unknown as { noteLoad(text: string | null): void }).noteLoad;
    new MutationObserver(() => note(bar.textContent)).observe(bar, { childList: true });
  }, view);
  return texts;
}
