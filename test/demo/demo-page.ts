/** The demo as served by `npm start`, in a fresh page for each test; any page error fails the test. */

import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { closeServer, createStaticServer, listen } from "../../scripts/servers/static-server.ts";
import { expectAccessible } from "./audit.ts";

const root = resolve(import.meta.dirname, "../..");
const screenshots = resolve(root, ".build/screenshots");

export interface Demo {
  page: Page;
  address: string;
  /** Console errors, CSP violations, failed and foreign requests: must be empty at the end of a test. */
  complaints: string[];
  /** Saves a screenshot. */
  shot(name: string): Promise<unknown>;
  /**
   * Takes screenshots in light, in dark and at phone width. Fails on axe violations, and on content wider than the phone
   * or too small for a finger.
   */
  look(name: string): Promise<void>;
}

/** Registers the hooks of a test file. @returns an object that is reset before each test */
export function useDemo(): Demo {
  const server = createStaticServer({ "/": resolve(root, ".build/demo") });
  const demo = {
    shot: (name) => demo.page.screenshot({ path: resolve(screenshots, `${name}.png`) }),
    look: (name) => look(demo, name),
  } as Demo;

  test.beforeAll(async () => {
    await mkdir(screenshots, { recursive: true });
    demo.address = await listen(server, 0);
  });
  test.afterAll(() => closeServer(server));

  test.beforeEach(async ({ page }) => {
    demo.complaints = [];
    demo.page = page;
    await watch(demo);
  });
  test.afterEach(async () => {
    await demo.page.context().close();
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
  // Chromium reports workers' violations on the console, the page's own also as events.
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) =>
      console.error(`CSP: ${event.violatedDirective} ${event.blockedURI}`),
    );
  });
}

/** Removes WebGPU, as on a device without a graphics adapter. */
export function withoutWebGPU(page: Page): Promise<unknown> {
  return page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, "gpu", { get: () => ({ requestAdapter: async () => null }) });
  });
}

/** Holds back the requests whose address matches `pattern`. @returns a function that lets them through */
export async function holdRequests(page: Page, pattern: string): Promise<() => void> {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(pattern, async (route) => {
    await held;
    await route.continue();
  });
  return release;
}

/** Records all texts of load bars from now on. */
export async function noteLoading(page: Page): Promise<string[]> {
  const texts: string[] = [];
  await page.exposeFunction("noteLoad", (text: string) => texts.push(text));
  await page.evaluate(() => {
    const note = (window as unknown as { noteLoad(text: string): void }).noteLoad;
    const read = (): void => {
      for (const bar of document.querySelectorAll(".load-text")) note(bar.textContent ?? "");
    };
    new MutationObserver(read).observe(document.body, {
      childList: true,
      subtree: true,
      characterData: true,
    });
  });
  return texts;
}

const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

async function look(demo: Demo, name: string): Promise<void> {
  const { page, shot } = demo;
  await page.setViewportSize(DESKTOP);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await shot(`${name}-${colorScheme}`);
    await expectAccessible(page, `${name}, ${colorScheme}`);
  }
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize(PHONE);
  await shot(`${name}-phone`);
  const width = await page.evaluate(() =>
    Math.max(document.documentElement.scrollWidth, document.querySelector("main")!.scrollWidth),
  );
  expect(width, `${name}: nothing sticks out of a phone`).toBeLessThanOrEqual(PHONE.width);
  expect(await tooSmall(page), `${name}: what is too small for a finger`).toEqual([]);
  await page.setViewportSize(DESKTOP);
}

/** Shown buttons below 24 by 24 pixels (WCAG 2.5.8). */
function tooSmall(page: Page): Promise<string[]> {
  return page.locator("main :is(button, select, summary)").evaluateAll((all) =>
    all
      .map((element) => ({ element, size: element.getBoundingClientRect() }))
      .filter(({ size }) => size.width > 0 && Math.min(size.width, size.height) < 24)
      .map(({ element }) => element.outerHTML.slice(0, 200)),
  );
}

/** Opens a panel of the console and waits until it is ready. */
export async function openPanel({ page, address }: Demo, panel: string): Promise<void> {
  await page.goto(`${address}/#/${panel}`);
  await page.getByRole("status").getByText("Ready", { exact: true }).waitFor();
}

/** Sends a chat message and waits for the end of the reply. */
export async function say(page: Page, text: string): Promise<void> {
  const before = await page.locator(".stats").count();
  await page.getByLabel("Your message").fill(text);
  await page.keyboard.press("Enter");
  await page.locator(".stats").nth(before).waitFor({ timeout: 120_000 });
}
