/** Batches and files: uploads, progress and saved results; invalid lines are named. */

import { readFile } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import { openPanel, useDemo } from "./demo-page.ts";

const demo = useDemo();

test("an example runs to its results; a wrong file says which line; a file is deleted", async () => {
  const { page, look } = demo;
  await openPanel(demo, "batches");
  await page.getByText("No batches yet").waitFor();
  await look("batches-empty");
  await page.getByRole("button", { name: "Try three embeddings" }).click();
  const batch = page.getByRole("listitem", { name: "example-embeddings.jsonl" });
  await batch.getByText("completed").waitFor({ timeout: 60_000 });
  expect(await batch.textContent()).toContain("3 of 3 requests");
  await page.setViewportSize({ width: 320, height: 640 });
  const list = page.getByRole("region", { name: "List of files" });
  expect(await list.evaluate((table) => table.scrollWidth - table.clientWidth)).toBe(0);
  await page.setViewportSize({ width: 1280, height: 800 });
  const saved = page.waitForEvent("download");
  await batch.getByRole("button", { name: "Results" }).click();
  const lines = (await readFile(await (await saved).path(), "utf8"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.map((line) => line.custom_id).sort()).toEqual(["text-1", "text-2", "text-3"]);

  await page.locator("input[type=file]").setInputFiles([
    {
      name: "<img src=x>.jsonl",
      mimeType: "application/jsonl",
      buffer: Buffer.from(
        '{"custom_id":"a","method":"POST","url":"/v1/embeddings","body":{"model":"infetch-tiny-embed","input":"x"}}\nnonsense\n',
      ),
    },
  ]);
  const wrong = page.getByRole("listitem", { name: "<img src=x>.jsonl" });
  await wrong.getByText("failed", { exact: true }).waitFor();
  await wrong.getByText(/^Line 2: /).waitFor();
  await look("batches");
  await page.getByRole("button", { name: "Delete <img src=x>.jsonl" }).click();
  await page.getByRole("button", { name: "Sure? Delete <img src=x>.jsonl" }).click();
  await page.getByRole("button", { name: "Save <img src=x>.jsonl" }).waitFor({ state: "detached" });
});
