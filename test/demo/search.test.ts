/** The search of the demo: the right passage first, embedded once for each text, and nothing that leaves the page. */

import { expect, test } from "vitest";
import { noteLoading, useDemo, withoutWebGPU } from "./demo-page.ts";

const demo = useDemo();
const { shot } = demo;
const query = () => demo.page.getByLabel("What to look for");
const passages = () => demo.page.getByLabel("Your text");
const hits = () => demo.page.getByRole("list", { name: "Passages" }).getByRole("listitem");
const stats = () => demo.page.locator("#results .stats");
const state = (text: string) => demo.page.locator("#state").getByText(text, { exact: true });

async function open(): Promise<void> {
  await demo.page.goto(`${demo.address}/#search`);
  await state("Ready").waitFor();
}

/** Asks, and waits for the answer to it: the list of an earlier one is replaced. */
async function find(text: string): Promise<void> {
  await demo.page.evaluate(() => document.querySelector(".hits")?.classList.add("earlier"));
  await query().fill(text);
  await query().press("Enter");
  await demo.page.locator(".hits:not(.earlier)").waitFor({ timeout: 120_000 });
}

test("tabs by keyboard, the right passages, one embedding for each text; in light and dark", async () => {
  const { page, address } = demo;
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto(address);
  await state("Ready").waitFor();
  await page.getByRole("tab", { name: "Chat" }).press("ArrowRight");
  const tab = page.getByRole("tab", { name: "Search", selected: true });
  expect(await tab.evaluate((element) => element === document.activeElement)).toBe(true);
  expect(await page.getByRole("tabpanel").count()).toBe(1);
  expect(await page.getByRole("button", { name: "Search" }).isDisabled()).toBe(true);
  await shot("search-light-empty");

  const loading = await noteLoading(page, "#search-card");
  await find("I cannot log in");
  expect(loading.some((text) => /^Reading infetch-tiny-embed · \d\.\d of \d\.\d MB$/.test(text))).toBe(true);
  expect(await page.locator("#search-card .load").isVisible()).toBe(false);
  expect(await hits().first().textContent()).toContain("A new passphrase");
  expect(await hits().count()).toBe(20);
  const scores = (await page.locator(".score").allTextContents()).map(Number);
  expect(scores).toEqual([...scores].sort((a, b) => b - a));
  expect(await stats().textContent()).toMatch(
    /^20 passages embedded: \d{3} tokens · query: \d+ tokens · [\d.]+ m?s$/,
  );
  await shot("search-light");

  await page.emulateMedia({ colorScheme: "dark" });
  await find("What will the weather be?");
  expect(await hits().first().textContent()).toContain("heavy rain");
  expect(await stats().textContent()).toMatch(/^Passages already embedded · query: \d+ tokens · /);
  await shot("search-dark");
});

test("an edited text is embedded again, and what it says is never markup", async () => {
  await open();
  await passages().fill("The vet examines your dog.\n\nThe forecast says sunshine.");
  await find("Will it rain?");
  expect(await hits().first().textContent()).toContain("forecast");
  const before = /^2 passages embedded: (\d+) tokens/.exec((await stats().textContent()) ?? "");

  await passages().press("ControlOrMeta+End");
  await passages().pressSequentially("\n<img src=x onerror=alert(1)>Heavy <b>rain</b> is coming");
  expect(await stats().textContent()).toMatch(/^The text has changed/);
  await find("Will it rain?");
  const after = /^3 passages embedded: (\d+) tokens/.exec((await stats().textContent()) ?? "");
  expect(Number(after?.[1])).toBeGreaterThan(Number(before?.[1]));
  expect(await demo.page.locator("#results").textContent()).toContain(
    "<img src=x onerror=alert(1)>Heavy <b>",
  );
  expect(await demo.page.locator("#results img, #results b").count()).toBe(0);
});

test("a passage that is too long is named; a file that cannot be read gives an error; both can be mended", async () => {
  await demo.page.route("**/*.onnx", (route) => route.abort());
  await open();
  await query().fill("Where is my parcel?");
  await query().press("Enter");
  const failed = demo.page.getByRole("alert");
  await failed.getByText("The model file onnx/model.onnx could not be loaded").waitFor({ timeout: 60_000 });
  await shot("search-error");
  await demo.page.unroute("**/*.onnx");
  await failed.getByRole("button", { name: "Try again" }).click();
  await hits().first().waitFor({ timeout: 120_000 });

  await passages().fill(`Short.\n${"word ".repeat(300)}`);
  await query().press("Enter");
  await failed.getByText(/^Passage 2: This model's maximum context length is 256 tokens/).waitFor();
  await passages().fill("Short.");
  await find("Where is my parcel?");
  expect(await hits().count()).toBe(1);
  // The failure was made here.
  demo.complaints = demo.complaints.filter((complaint) => !complaint.includes("ERR_FAILED"));
});

test("at the width of a phone and without WebGPU it works too; Escape stops a search", async () => {
  const { page } = demo;
  await withoutWebGPU(page);
  await page.setViewportSize({ width: 390, height: 844 });
  let release = (): void => {};
  const held = new Promise<void>((resolveHeld) => {
    release = resolveHeld;
  });
  await page.route("**/*.onnx", async (route) => {
    await held;
    await route.continue();
  });
  await open();
  await page.getByRole("button", { name: "My kitten is ill" }).click();
  await page.locator("#search-card .load").waitFor();
  await shot("search-phone-loading");
  await query().press("Escape");
  await state("Stopped").waitFor();
  release();
  await find("My kitten is ill");
  expect(await hits().first().textContent()).toContain("vet");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await shot("search-phone", true);
});
