/** Benchmark environment: the built package, the bench bundles, a server for both, and Chromium. */

import { mkdir, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type Browser, type CDPSession, chromium, type Page } from "playwright";
import { build, type InlineConfig } from "vite";
import { chromiumArguments, findChromium } from "../scripts/browsers/chromium.ts";
import { buildChatModel } from "../scripts/build/chat-model.ts";
import { engineBuild } from "../scripts/build/engine-build.ts";
import { closeServer, createStaticServer, listen } from "../scripts/servers/static-server.ts";
import { singleEngineWorker } from "../test/support/single-engine/serve.ts";
import { distFolder, moduleConfig } from "../vite.config.ts";
import type { BenchPage } from "./page/main.ts";

const root = resolve(import.meta.dirname, "..");
const outDir = resolve(root, ".build/bench");
const PAGE =
  '<!doctype html><title>bench</title><link rel="icon" href="data:," /><script type="module" src="/bench/main.js"></script>';

const BUNDLES = [
  "page/main",
  "workers/raw-chat",
  "workers/raw-embed",
  "workers/peer-embed",
  "workers/web-llm-handler",
  "workers/timed-chat",
  "workers/fast-chat",
  "workers/relay",
];

type Calls = { [Name in keyof BenchPage]: BenchPage[Name] };

/** A page in its own browser context: no shared cache, ledger or engine. */
export interface LabPage {
  page: Page;
  cdp: CDPSession;
  call<Name extends keyof Calls>(
    name: Name,
    ...values: Parameters<Calls[Name]>
  ): Promise<Awaited<ReturnType<Calls[Name]>>>;
}

export interface Lab {
  browser: Browser;
  origin: string;
  /** Opens a page for `work` and closes it. `anyPolicy`: without the strict CSP. */
  withPage<T>(work: (page: LabPage) => Promise<T>, options?: { anyPolicy: boolean }): Promise<T>;
  close(): Promise<void>;
}

/** @param say called with each line the pages report */
export async function openLab(say: (line: string) => void): Promise<Lab> {
  const manifest = await buildChatModel();
  for (const entry of BUNDLES) await build(benchConfig(entry, JSON.stringify(manifest)));
  await singleEngineWorker();
  await mkdir(outDir, { recursive: true });
  await writeFile(resolve(outDir, "index.html"), PAGE);
  const server = createStaticServer({
    "/": outDir,
    "/bench/": outDir,
    "/infetch/": distFolder,
    "/timed/": distFolder,
    "/timed/worker/webllm.js": resolve(outDir, "timed-chat.js"),
    "/fast/": distFolder,
    "/fast/worker/webllm.js": resolve(outDir, "fast-chat.js"),
    "/single/": distFolder,
    "/single/worker/webllm.js": resolve(root, ".build/single-engine/webllm.js"),
  });
  const origin = await listen(server, 0);
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments });
  return {
    browser,
    origin,
    async withPage(work, { anyPolicy } = { anyPolicy: false }) {
      const context = await browser.newContext({ bypassCSP: anyPolicy });
      try {
        const page = await context.newPage();
        page.on("console", (message) => say(message.text()));
        page.on("pageerror", (error) => say(`page: ${error.message}`));
        await page.goto(`${origin}/`);
        await page.waitForFunction("globalThis.bench");
        const cdp = await context.newCDPSession(page);
        return await work({
          page,
          cdp,
          call: (name, ...values) =>
            page.evaluate(([method, given]) => Reflect.get(globalThis, "bench")[method](...given), [
              name,
              values,
            ] as const),
        });
      } finally {
        await context.close();
      }
    },
    async close() {
      await browser.close();
      await closeServer(server);
    },
  };
}

/** One bundle, with the package as an external, as shipped. */
function benchConfig(entry: string, models: string): InlineConfig {
  const name = entry.split("/").at(-1)!;
  const config = moduleConfig(`bench/${entry}.ts`, name, {
    __BUILT_IN_MODELS__: models,
    ...engineBuild("@mlc-ai/web-llm"),
  });
  return {
    ...config,
    plugins: [
      {
        name: "infetch-as-shipped",
        enforce: "pre",
        resolveId: (id) => (id === "infetch" ? { id: "/infetch/index.js", external: true } : undefined),
        // Workers are imported for side effects; package.json's `sideEffects` covers only published files.
        transform: (_, id) => (id.includes("/node_modules/") ? undefined : { moduleSideEffects: true }),
      },
    ],
    build: { ...config.build!, outDir },
  };
}
