/** The chat of the demo: a load, a stream, a stop, its numbers, and nothing that leaves the page. */

import { expect, test } from "vitest";
import { noteLoading, useDemo, withoutWebGPU } from "./demo-page.ts";

const demo = useDemo();
const { shot } = demo;
const replies = () => demo.page.locator(".message.assistant");
const stats = (at: number) => replies().nth(at).locator(".stats");

async function say(text: string): Promise<void> {
  await demo.page.getByLabel("Your message").fill(text);
  await demo.page.keyboard.press("Enter");
}

test("a chat: load, stream, numbers, stop, next turn; in light and dark", async () => {
  const { page, address } = demo;
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto(address);
  await page.getByText("Ready", { exact: true }).waitFor();
  await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("input");
  await shot("light-empty");

  const loading = await noteLoading(page, "#chat-card");
  await say("Hello! Who are you?");
  await stats(0).waitFor({ timeout: 120_000 });
  expect(loading.some((text) => /^Reading infetch-tiny · \d+\.\d of \d+\.\d MB$/.test(text))).toBe(true);
  expect(loading.some((text) => text.startsWith("Preparing"))).toBe(true);
  expect(await page.locator("#chat-card .load").isVisible()).toBe(false);
  expect(await stats(0).textContent()).toMatch(
    /^\d+ tokens · \d+\.\d tokens\/s · first after \d+\.\d\d s · \d+ in the prompt/,
  );
  await shot("light");

  // The stop comes with the first piece of text, however short the reply would be.
  await page.evaluate(() => {
    const stop = document.querySelector<HTMLButtonElement>("#stop")!;
    const seen = new MutationObserver(() => {
      if (document.querySelectorAll(".message.assistant")[1]?.querySelector(".text")?.textContent) {
        seen.disconnect();
        stop.click();
      }
    });
    seen.observe(document.querySelector("#log")!, { childList: true, subtree: true });
  });
  await say("Tell me a long story about the sea.");
  await stats(1).waitFor();
  expect(await stats(1).textContent()).toMatch(/ · stopped$/);
  expect(await page.getByRole("button", { name: "Send" }).isVisible()).toBe(true);

  await page.emulateMedia({ colorScheme: "dark" });
  await say("What is 2 + 3?");
  await stats(2).waitFor({ timeout: 120_000 });
  await shot("dark");
});

test("at the width of a phone nothing sticks out; a load is shown and can be stopped", async () => {
  const { page, address } = demo;
  await page.setViewportSize({ width: 390, height: 844 });
  let release = (): void => {};
  const held = new Promise<void>((resolveHeld) => {
    release = resolveHeld;
  });
  await page.route("**/params_shard_0.bin", async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(address);
  await page.getByRole("button", { name: "What does infetch do?" }).click();
  await page.locator("#chat-card .load").waitFor();
  await shot("phone-loading");
  await page.getByRole("button", { name: "Stop" }).click();
  expect(await replies().nth(0).textContent()).toContain("Stopped before the first word.");
  release();
  await say("What is 2 + 3?");
  await stats(1).waitFor({ timeout: 120_000 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await shot("phone");
});

test("what is said is never markup", async () => {
  const { page, address } = demo;
  await page.goto(address);
  await page.getByText("Ready", { exact: true }).waitFor();
  await say("<img src=x onerror=alert(1)><b>bold</b>");
  expect(await page.locator(".message.user .text").textContent()).toContain("<img src=x");
  expect(await page.locator(".message img, .message b").count()).toBe(0);
  await page.keyboard.press("Escape");
  await stats(0).waitFor({ timeout: 120_000 });
});

test("a model that cannot be read gives an error, and the next try works", async () => {
  const { page, address } = demo;
  await page.route("**/model-library.wasm", (route) => route.abort());
  await page.goto(address);
  await page.getByText("Ready", { exact: true }).waitFor();
  await say("Hello");
  const failed = page.getByRole("alert");
  await failed.waitFor({ timeout: 60_000 });
  await shot("error");
  await page.unroute("**/model-library.wasm");
  await failed.getByRole("button", { name: "Try again" }).click();
  await stats(0).waitFor({ timeout: 120_000 });
  // The failure was made here.
  demo.complaints = demo.complaints.filter((complaint) => !complaint.includes("ERR_FAILED"));
});

test("without WebGPU the page says so and what to do", async () => {
  const { page, address } = demo;
  await withoutWebGPU(page);
  await page.goto(address);
  await page.getByRole("heading", { name: "The chat cannot run here" }).waitFor();
  expect(await page.getByLabel("Your message").isDisabled()).toBe(true);
  await shot("no-webgpu");
});
