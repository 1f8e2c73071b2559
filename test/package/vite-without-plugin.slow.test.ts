/** The README's ten lines in Vite without `infetch/vite`: the development server runs them, and a build fails with the line to add. */

import { type Browser, chromium } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { chromiumArguments, findChromium } from "../../scripts/browsers/chromium.ts";
import { EmptyFolder } from "./support/empty-folder.ts";
import { firstToken } from "./support/first-token.ts";
import { recipes } from "./support/recipes.ts";
import { serveStatic, serveWith } from "./support/served.ts";
import { packTarball } from "./support/tarball.ts";

const recipe = recipes.find(({ name }) => name === "Vite")!;
const files = Object.fromEntries(
  Object.entries(recipe.files).filter(([path]) => !path.startsWith("vite.config")),
);
const packages = recipe.packages;
const DEVELOPMENT = "npx vite --host 127.0.0.1 --port $PORT --strictPort";
let browser: Browser;
let tarball: string;
let place: EmptyFolder;
let app: EmptyFolder;

beforeAll(async () => {
  place = await EmptyFolder.create();
  ({ tarball } = await packTarball(place.path));
  app = await EmptyFolder.create();
  await app.install(tarball, packages);
  await app.write(files);
  browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments });
});

afterAll(async () => {
  await browser?.close();
  await place?.remove();
  await app?.remove();
});

test("the development server needs no line", async () => {
  const server = await serveWith(app.path, DEVELOPMENT);
  try {
    expect(await firstToken(browser, server.address)).toBeGreaterThan(0);
  } finally {
    await server.close();
  }
});

test("in Vite 5 and a workspace, below a base", async () => {
  const workspace = await EmptyFolder.create();
  try {
    await workspace.write({
      "package.json": '{ "private": true, "workspaces": ["app"] }',
      "app/package.json": '{ "name": "app", "version": "1.0.0", "type": "module" }',
      ...Object.fromEntries(Object.entries(files).map(([path, text]) => [`app/${path}`, text])),
    });
    await workspace.install(tarball, { ...packages, vite: "5.4.21" });
    const server = await serveWith(workspace.path, `cd app && ${DEVELOPMENT} --base /base/`);
    try {
      expect(await firstToken(browser, `${server.address}base/`)).toBeGreaterThan(0);
    } finally {
      await server.close();
    }
  } finally {
    await workspace.remove();
  }
});

test("a build fails with the line to add", async () => {
  await app.type("npx vite build");
  const { address, close } = await serveStatic(app.path, "dist");
  const page = await browser.newPage();
  try {
    const error = page.waitForEvent("pageerror");
    await page.goto(address);
    const { message } = await error;
    expect(message).toContain(`${address}assets/worker/server.js did not load`);
    expect(message).toContain('plugins: [infetch()] (import { infetch } from "infetch/vite")');
  } finally {
    await page.close();
    await close();
  }
});
