/** Usage and invoices: a chat's usage in the chart, the table and the draft; month ends; backups. */

import { readFile } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import { openPanel, say, useDemo } from "./demo-page.ts";

const demo = useDemo();
const button = (name: string) => demo.page.getByRole("button", { name, exact: true });
const draft = () => demo.page.getByRole("region", { name: "This month's draft" });

test("an empty month, then usage by hour and day, by model and tier, in tokens and money; export", async () => {
  const { page, look } = demo;
  await openPanel(demo, "usage");
  await draft().getByText("No invoice yet").waitFor();
  await page.getByText("No usage in this period").waitFor();
  await look("usage-empty");

  await page.getByRole("link", { name: "Chat", exact: true }).click();
  await say(page, "Hello! Who are you?");
  const [, written = ""] = /^(\d+) tokens/.exec((await page.locator(".stats").textContent())!) ?? [];
  await page.getByRole("link", { name: "Usage & invoices" }).click();
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
  await page.locator(".uplot").waitFor();
  const line = draft().getByRole("row", { name: /Text output tokens – infetch-tiny/ });
  expect((await line.getByRole("cell").allTextContents()).slice(1, 4)).toEqual([
    "serverless",
    written,
    "$0.20",
  ]);

  await page.getByText("As a table").click();
  const table = page.getByRole("region", { name: "Usage as a table" });
  expect(await table.getByRole("columnheader").allTextContents()).toEqual(["Hour (UTC)", "infetch-tiny"]);
  await button("By kind").click();
  expect(await table.getByRole("columnheader").allTextContents()).toEqual(
    expect.arrayContaining(["text output", "text input"]),
  );
  expect(await table.getByRole("cell").allTextContents()).toContain(written);
  await button("By tier").click();
  await button("30 days").click();
  await button("Cost").click();
  await expect
    .poll(() => table.getByRole("columnheader").allTextContents())
    .toEqual(["Day (UTC)", "serverless"]);
  expect(await table.getByRole("cell").last().textContent()).toMatch(/^\$0\.0000\d+$/);
  await look("usage");

  const from = page.getByLabel("From");
  await from.pressSequentially("12");
  await button("Export").click();
  // The browser names what is half typed.
  await expect(from).toBeFocused();
  expect(await page.locator("form + [role=status]").textContent()).toBe("");
  await page.keyboard.press("Backspace");

  const saved = page.waitForEvent("download");
  await button("Export").click();
  const csv = await readFile(await (await saved).path(), "utf8");
  expect(csv).toMatch(/^window_start,.*infetch-tiny,serverless,text-output-tokens/s);
  await button("Verify the ledger").click();
  await page.getByText("All totals match their events.").waitFor();
});

test("the chart is drawn in a browser without a locale, whose language is C", async () => {
  const { page } = demo;
  await page.addInitScript(() =>
    Object.defineProperty(Navigator.prototype, "language", { get: () => "C", configurable: true }),
  );
  await openPanel(demo, "embeddings");
  await button("I cannot log in").click();
  await page.locator(".hits").waitFor();
  await page.getByRole("link", { name: "Usage & invoices" }).click();
  await expect(page.locator(".uplot canvas")).toBeVisible();
});

test("an invoice can be looked at, and a draft grows while it is", async () => {
  const { page } = demo;
  await openPanel(demo, "embeddings");
  await button("I cannot log in").click();
  await page.locator(".hits").waitFor();
  await page.getByRole("link", { name: "Usage & invoices" }).click();
  await page.getByRole("button", { name: /^Show the invoice of/ }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Embedding input tokens – infetch-tiny-embed").waitFor();
  await demo.look("usage-invoice");
  await page.setViewportSize({ width: 360, height: 740 });
  for (const total of await dialog.locator("tr > :last-child").all()) {
    await expect(total).toBeInViewport({ ratio: 1 });
  }
  // The other columns are below the name: nothing is cut off, and nothing scrolls.
  await expect(dialog.getByText(/^serverless · \d+ at \$0\.01 per million$/)).toBeInViewport({ ratio: 1 });
  await demo.shot("usage-invoice-narrow");
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ media: "print" });
  const lead = page.getByText("Every token is metered in this browser");
  await expect(dialog.getByRole("table")).toBeVisible();
  await expect(lead).toBeHidden();
  await page.emulateMedia({ media: "screen" });
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  // Paper does not scroll.
  await page.emulateMedia({ media: "print" });
  await expect(lead).toBeVisible();
  await expect(page.getByRole("navigation", { name: "Panels" })).toBeHidden();
  await expect(page.locator("main")).toHaveCSS("overflow-y", "visible");
  expect(await page.locator(".shell").evaluate((shell) => shell.scrollHeight - shell.clientHeight)).toBe(0);
  await page.emulateMedia({ media: "screen" });
  await page.setViewportSize({ width: 360, height: 740 });
  for (const figure of await page.locator(".figure dd").all()) {
    expect(await figure.evaluate((value) => value.scrollWidth - value.clientWidth)).toBe(0);
  }
  await button("Close ended months").click();
  await page.getByRole("region", { name: "Invoices" }).getByText("draft", { exact: true }).waitFor();
  for (const table of await page.locator(":is(.invoice-list, .invoice-lines) .scroll").all()) {
    expect(await table.evaluate((area) => area.scrollWidth - area.clientWidth)).toBe(0);
  }
});

/** A ledger with usage of last month. As text: the test runner would rewrite the import. */
const BOOKS_OF_LAST_MONTH = `(async () => {
  const { createRuntime } = await import(new URL("infetch/index.js", document.baseURI).href);
  const runtime = await createRuntime({ storageName: "last-month", testing: { clockOffsetMs: -32 * 86_400_000 } });
  const response = await runtime.fetch(runtime.baseURL + "/embeddings", {
    method: "POST",
    headers: { authorization: "Bearer " + runtime.apiKey, "content-type": "application/json" },
    body: JSON.stringify({ model: "infetch-tiny-embed", input: "An old text." }),
  });
  await response.json();
  const backup = await runtime.billing.exportUsage({ format: "backup" });
  runtime.close();
  return backup.text();
})()`;

test("a month that ended is restored from a backup, closed, voided and issued again", async () => {
  const { page, look } = demo;
  await openPanel(demo, "usage");
  const backup = await page.evaluate<string>(BOOKS_OF_LAST_MONTH);
  const file = { name: "backup.jsonl", mimeType: "application/jsonl", buffer: Buffer.from(backup) };
  await page.locator("input[type=file]").setInputFiles({ ...file, buffer: Buffer.from("other") });
  await page
    .getByText(
      "Line 1 is not a valid line of a backup. Choose a file that was exported as “Backup of everything”.",
    )
    .waitFor();
  await page.locator("input[type=file]").setInputFiles(file);
  await page.getByText(/^[1-9]\d* rows added, .* 0 in conflict, 0 rejected\.$/).waitFor();

  const invoices = page.getByRole("region", { name: "Invoices", exact: true });
  await button("Close ended months").click();
  await invoices.getByText("finalized").waitFor();
  await look("usage-final");
  const isWhollyShown = async () => {
    for (const width of [320, 360]) {
      await page.setViewportSize({ width, height: 740 });
      const hidden = await page
        .locator(".invoice-list .scroll")
        .evaluate((all) => all.scrollWidth - all.clientWidth);
      expect(hidden, `${width} pixels wide`).toBe(0);
    }
  };
  await isWhollyShown();
  await invoices.getByRole("button", { name: "Void" }).click();
  await isWhollyShown();
  await invoices.getByRole("button", { name: "Sure? Void" }).click();
  await invoices.getByText("void", { exact: true }).waitFor();
  await isWhollyShown();
  await invoices.getByRole("button", { name: "Issue again" }).click();
  await invoices.getByRole("button", { name: "Sure? Issue again" }).click();
  await invoices.getByText("finalized").waitFor();
  await expect(invoices.getByRole("row")).toHaveCount(3);
});
