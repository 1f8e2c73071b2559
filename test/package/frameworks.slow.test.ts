/** The apps of docs/frameworks.md, from its own files and the packed package. Next.js is in `way-in.slow.test.ts`. */

import { cp } from "node:fs/promises";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { chromiumArguments, findChromium } from "../../scripts/browsers/chromium.ts";
import { EmptyFolder } from "./support/empty-folder.ts";
import { guideFiles } from "./support/guide-files.ts";
import { type Served, serveStatic } from "./support/served.ts";
import { packTarball } from "./support/tarball.ts";

const packages = {
  "@ai-sdk/openai-compatible": "2.0.87",
  // Of the version that `@ai-sdk/react` uses.
  ai: "6.0.325",
  "@ai-sdk/react": "3.0.328",
  "@sveltejs/vite-plugin-svelte": "7.3.1",
  "@vitejs/plugin-react": "6.3.0",
  "@vitejs/plugin-vue": "6.0.11",
  openai: "6.49.0",
  react: "19.3.1",
  "react-dom": "19.3.1",
  svelte: "5.57.3",
  vite: "8.3.8",
  vue: "3.5.45",
};

const page = (script: string): string => `<!doctype html>
<div id="app"></div>
<script type="module">${script}</script>
`;

/** What an app has around a guide's components. */
const around = {
  "react.html": page('import "./src/react.jsx";'),
  "vue.html": page(
    'import { createApp } from "vue";\nimport Chat from "./src/Chat.vue";\ncreateApp(Chat).mount("#app");',
  ),
  "svelte.html": page(
    'import { mount } from "svelte";\nimport Chat from "./src/Chat.svelte";\nmount(Chat, { target: document.querySelector("#app") });',
  ),
  "vite.config.js": `import { svelte } from "@sveltejs/vite-plugin-svelte";
import react from "@vitejs/plugin-react";
import vue from "@vitejs/plugin-vue";
import { infetch } from "infetch/vite";

export default {
  plugins: [react(), vue(), svelte(), infetch({ engines: ["webllm"] })],
  build: { minify: false, rolldownOptions: { input: ["react.html", "vue.html", "svelte.html"] } },
};
`,
};

let app: EmptyFolder;
let browser: Browser;
let served: Served;

beforeAll(async () => {
  app = await EmptyFolder.create();
  const { tarball } = await packTarball(app.path);
  await app.install(tarball, packages);
  await app.write({ ...guideFiles("docs/frameworks.md"), ...around });
  // React mounts twice in development only.
  await app.type("NODE_ENV=development npx vite build");
  served = await serveStatic(app.path, "dist");
  browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments });
});

afterAll(async () => {
  await browser?.close();
  await served?.close();
  await app?.remove();
});

/** A page of the app, with what it fetched so far, and its errors. */
async function open(name: string): Promise<{ page: Page; paths: string[]; errors: string[] }> {
  const page = await (await browser.newContext()).newPage();
  const paths: string[] = [];
  const errors: string[] = [];
  page.on("request", (request) => paths.push(new URL(request.url()).pathname));
  page.on("pageerror", (error) => errors.push(error.message));
  await page.addInitScript(() => {
    const { locks } = navigator;
    const request = locks.request.bind(locks) as (...parameters: unknown[]) => Promise<unknown>;
    const names: string[] = [];
    Object.assign(globalThis, { lockNames: names });
    locks.request = ((...parameters: unknown[]) => {
      names.push(String(parameters[0]));
      return request(...parameters);
    }) as typeof locks.request;
  });
  await page.goto(served.address + name);
  return { page, paths, errors };
}

const TIMEOUT = { timeout: 120_000 };

test("React in StrictMode with useChat: two runtimes, one server, each file fetched once", async () => {
  const { page, paths, errors } = await open("react.html");
  await page.getByLabel("Message").fill("Hello!");
  await page.getByRole("button", { name: "Send" }).click();
  await page.locator(".assistant").filter({ hasText: /\w/ }).waitFor(TIMEOUT);
  await page.getByRole("button", { name: "Send" }).waitFor(TIMEOUT);
  expect(await page.getByRole("alert").count()).toBe(0);
  const created = await page.evaluate(() =>
    (globalThis as unknown as { lockNames: string[] }).lockNames.filter((name) =>
      name.startsWith("infetch:probe:"),
    ),
  );
  expect(created).toHaveLength(2);
  const count = (file: string) => paths.filter((path) => path.endsWith(file)).length;
  expect([count("/server.js"), count("/webllm.js"), count("/params_shard_0.bin")]).toEqual([1, 1, 1]);
  expect(errors).toEqual([]);
});

test.each(["vue", "svelte"])("%s gets a reply", async (name) => {
  const { page, errors } = await open(`${name}.html`);
  await page.getByRole("button", { name: "Send" }).click();
  await page.locator("p").filter({ hasText: /\w/ }).waitFor(TIMEOUT);
  expect(errors).toEqual([]);
});

test("a browser extension gets a reply from its offscreen document", async () => {
  const extension = join(app.path, "extension");
  await cp(join(app.path, "node_modules/infetch/dist"), join(extension, "infetch"), { recursive: true });
  const context = await chromium.launchPersistentContext(join(app.path, "profile"), {
    executablePath: findChromium(),
    // The old headless mode has no extensions.
    headless: false,
    args: [
      ...chromiumArguments,
      "--headless=new",
      `--disable-extensions-except=${extension}`,
      `--load-extension=${extension}`,
    ],
  });
  try {
    const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent("serviceworker"));
    const page = await context.newPage();
    const failed = page.waitForEvent("pageerror", TIMEOUT);
    await page.goto(new URL("popup.html", worker.url()).href);
    const replied = page.locator("body").filter({ hasText: /\w/ }).waitFor(TIMEOUT);
    await Promise.race([replied, failed.then((error) => Promise.reject(error))]);
    failed.catch(() => {});
  } finally {
    await context.close();
  }
});
