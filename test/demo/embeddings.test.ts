/** The console's search: right passage first, each text embedded once, no request leaves the origin. */

import { readFile } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import { holdRequests, noteLoading, openPanel, useDemo, withoutWebGPU } from "./demo-page.ts";

const demo = useDemo();
const query = () => demo.page.getByLabel("What to look for");
const text = () => demo.page.getByRole("textbox", { name: "Your text" });
const hits = () => demo.page.getByRole("list", { name: "Passages" }).getByRole("listitem");
const stats = () => demo.page.locator(".results .stats");

/** Searches and waits for new results; marks the earlier list first. */
async function find(wanted: string): Promise<void> {
  await demo.page.evaluate(() => document.querySelector(".hits")?.classList.add("earlier"));
  await query().fill(wanted);
  await query().press("Enter");
  await expect
    .poll(() =>
      stats()
        .textContent()
        .catch(() => ""),
    )
    .toMatch(/query: \d+ tokens/);
  await demo.page.locator(".results[aria-busy=false]").waitFor({ timeout: 120_000 });
}

test("the right passages first, one embedding for each text", async () => {
  const { page, look } = demo;
  await openPanel(demo, "embeddings");
  await expect(page.getByRole("button", { name: "Search" })).toBeDisabled();
  await look("embeddings-empty");

  const loading = await noteLoading(page);
  await find("I cannot log in");
  expect(loading.some((words) => /^Reading infetch-tiny-embed · \d\.\d MB of \d\.\d MB$/.test(words))).toBe(
    true,
  );
  expect(await page.locator(".load").count()).toBe(0);
  expect(await hits().first().textContent()).toContain("A new passphrase");
  await expect(hits()).toHaveCount(20);
  const scores = (await page.locator(".score").allTextContents()).map(Number);
  expect(scores).toEqual([...scores].sort((a, b) => b - a));
  expect(await stats().textContent()).toMatch(
    /^20 passages embedded: \d{3} tokens · query: \d+ tokens · [\d.]+ m?s$/,
  );
  await find("What will the weather be?");
  await expect.poll(() => hits().first().textContent()).toContain("heavy rain");
  expect(await stats().textContent()).toMatch(/^Passages already embedded · query: \d+ tokens · /);
  await look("embeddings");

  const vectors = page.waitForEvent("download");
  await page.getByLabel("Model").selectOption({ index: 1 });
  await expect(stats()).toHaveText(
    "These are the passages of infetch-tiny-embed. Search again with this model.",
  );
  await page.getByRole("button", { name: "Vectors as JSON" }).click();
  const saved = JSON.parse(await readFile(await (await vectors).path(), "utf8"));
  expect(saved).toMatchObject({ model: "infetch-tiny-embed", data: { length: 20 } });
});

test("only what is new is embedded; files can be dropped; what they say is never markup", async () => {
  const { page } = demo;
  await openPanel(demo, "embeddings");
  await text().fill("The vet examines your dog.\n\nThe forecast says sunshine.");
  await find("Will it rain?");
  expect(await hits().first().textContent()).toContain("forecast");
  await text().press("ControlOrMeta+End");
  await text().pressSequentially("\n<img src=x onerror=alert(1)>Heavy <b>rain</b> is coming");
  expect(await stats().textContent()).toMatch(/^The text has changed/);
  await query().press("Enter");
  await expect.poll(() => stats().textContent()).toMatch(/^1 passage embedded/);
  expect(await page.locator(".results").textContent()).toContain("<img src=x onerror=alert(1)>Heavy <b>");
  expect(await page.locator(".results").locator("img, b").count()).toBe(0);

  await page.locator("input[type=file]").setInputFiles([
    {
      name: "<b>notes</b>.txt",
      mimeType: "text/plain",
      buffer: Buffer.from("First part,\nsame part.\n\nSecond part."),
    },
  ]);
  await page.getByLabel("Passages", { exact: true }).selectOption("paragraph");
  await page.getByText("2 passages", { exact: true }).waitFor();
  await page
    .locator("input[type=file]")
    .setInputFiles([{ name: "<b>photo</b>.txt", mimeType: "text/plain", buffer: Buffer.from("\0\0") }]);
  await page.getByText("<b>photo</b>.txt is no text: open a .txt, .md, .csv or .json file.").waitFor();
});

test("a passage that is too long is named, and can be mended", async () => {
  const { page } = demo;
  await openPanel(demo, "embeddings");
  await text().fill(`Short.\n${"word ".repeat(300)}`);
  await query().fill("Where is my parcel?");
  await query().press("Enter");
  const failed = page.getByRole("alert");
  await failed.getByText(/^Passage 2: This model's maximum context length is 256 tokens/).waitFor();
  await demo.shot("embeddings-error");
  await text().fill("Short.");
  await failed.getByRole("button", { name: "Try again" }).click();
  await expect.poll(() => hits().count()).toBe(1);
});

test("it works without WebGPU; Escape stops a search", async () => {
  const { page } = demo;
  await withoutWebGPU(page);
  const release = await holdRequests(page, "**/*.onnx");
  await openPanel(demo, "embeddings");
  await page.getByRole("button", { name: "My kitten is ill" }).click();
  await page.locator(".load").waitFor();
  await query().press("Escape");
  await page.getByRole("button", { name: "Search" }).waitFor();
  release();
  await find("My kitten is ill");
  expect(await hits().first().textContent()).toContain("vet");
});
