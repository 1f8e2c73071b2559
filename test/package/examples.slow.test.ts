/** The apps of `examples/`, built with the packed package and used as their users would. */

import { cp, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { chromiumArguments, findChromium } from "../../scripts/browsers/chromium.ts";
import { root } from "../docs/support/blocks.ts";
import { EmptyFolder } from "./support/empty-folder.ts";
import { serveStatic } from "./support/served.ts";
import { packTarball } from "./support/tarball.ts";

const EXAMPLES = ["agent", "notes-pwa", "rag", "react-chat"];
const MAX_LINES = 150;
const TIMEOUT = { timeout: 120_000 };

let folder: EmptyFolder;
let browser: Browser;

beforeAll(async () => {
  folder = await EmptyFolder.create();
  const packages: Record<string, string> = {};
  for (const name of EXAMPLES) {
    await cp(join(root, "examples", name), join(folder.path, name), { recursive: true });
    const declared = JSON.parse(await readFile(join(folder.path, name, "package.json"), "utf8"));
    Object.assign(packages, declared.dependencies, declared.devDependencies);
  }
  // The examples find their packages in the folder above: one installation for all.
  delete packages.infetch;
  const { tarball } = await packTarball(folder.path);
  await folder.install(tarball, packages);
  browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments });
});

afterAll(async () => {
  await browser?.close();
  await folder?.remove();
});

/** Builds and serves an example, uses its page, and expects no error in it. */
async function run(name: string, use: (page: Page, stop: () => Promise<void>) => Promise<void>) {
  await folder.type(`npm run build --prefix ${name}`);
  const served = await serveStatic(folder.path, `${name}/dist`);
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    await page.goto(served.address);
    await use(page, served.close);
    expect(errors).toEqual([]);
  } finally {
    await context.close();
    await served.close();
  }
}

test("each folder is an example of at most 150 lines that is run here", async () => {
  const entries = await readdir(join(root, "examples"), { withFileTypes: true });
  expect(entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort()).toEqual(EXAMPLES);
  for (const name of EXAMPLES) {
    let lines = 0;
    const files = await readdir(join(root, "examples", name), { recursive: true, withFileTypes: true });
    for (const file of files) {
      if (file.isFile())
        lines += (await readFile(join(file.parentPath, file.name), "utf8")).split("\n").length - 1;
    }
    expect(lines, name).toBeLessThanOrEqual(MAX_LINES);
  }
});

test("react-chat: a second message continues the conversation", () =>
  run("react-chat", async (page) => {
    for (const [at, text] of ["Hello!", "And now?"].entries()) {
      await page.getByLabel("Message").fill(text);
      await page.getByRole("button", { name: "Send" }).click(TIMEOUT);
      await page.locator(".assistant").nth(at).filter({ hasText: /\w/ }).waitFor(TIMEOUT);
      await page.getByRole("button", { name: "Send" }).waitFor(TIMEOUT);
    }
    expect(await page.getByRole("listitem").count()).toBe(4);
    expect(await page.getByRole("alert").count()).toBe(0);
  }));

test("rag: the paragraph that answers the question is the first source, and there is an answer", () =>
  run("rag", async (page) => {
    await page.getByLabel("Text files").setInputFiles([
      { name: "post.txt", mimeType: "text/plain", buffer: Buffer.from("The parcel arrives on Tuesday.") },
      {
        name: "help.md",
        mimeType: "text/markdown",
        buffer: Buffer.from(
          "Whisk the eggs and bake until golden.\n\nChoose a new password through the link in the mail.",
        ),
      },
    ]);
    await page.getByText("3 paragraphs.").waitFor(TIMEOUT);
    await page.getByLabel("Question").fill("I cannot log in");
    await page.getByRole("button", { name: "Ask" }).click();
    // A second answer would mix with the first.
    await page.locator("form[inert]").waitFor({ ...TIMEOUT, state: "attached" });
    await page.locator("#answer").filter({ hasText: /\w/ }).waitFor(TIMEOUT);
    await page.locator("form:not([inert]):focus-within").waitFor(TIMEOUT);
    expect(await page.getByRole("listitem").allTextContents()).toEqual([
      "help.md: Choose a new password through the link in the mail.",
      expect.any(String),
      expect.any(String),
    ]);
  }));

test("agent: the model calls the page's function and answers", () =>
  run("agent", async (page) => {
    await page.getByRole("button", { name: "Run" }).click();
    await page
      .getByText(/^get_weather\(/)
      .first()
      .waitFor(TIMEOUT);
    await page
      .getByText(/^→ \{"city":/)
      .first()
      .waitFor(TIMEOUT);
    await page.getByRole("status").filter({ hasText: /\w/ }).waitFor(TIMEOUT);
  }));

test("notes-pwa: after one visit, a note gets its title without the server", () =>
  run("notes-pwa", async (page, stop) => {
    await page.locator("html[data-offline=ready]").waitFor({ ...TIMEOUT, state: "attached" });
    await stop();
    await page.reload();
    await page.getByLabel("Note").fill("Buy bread and milk before the shop closes.");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.", { exact: true }).waitFor(TIMEOUT);
    await page.reload();
    expect(await page.getByRole("listitem").allTextContents()).toEqual([
      expect.stringMatching(/^\S.* Buy bread and milk before the shop closes\.$/),
    ]);
    // What one tab adds, the other keeps.
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByRole("listitem").waitFor(TIMEOUT);
    for (const [tab, note] of [
      [page, "From the first tab."],
      [other, "From the other tab."],
    ] as const) {
      await tab.getByLabel("Note").fill(note);
      await tab.getByRole("button", { name: "Save" }).click();
      await tab.getByText("Saved.", { exact: true }).waitFor(TIMEOUT);
    }
    await page.getByText("From the other tab.").waitFor(TIMEOUT);
    expect(await page.getByRole("listitem").count()).toBe(3);
  }));
