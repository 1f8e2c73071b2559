/**
 * The suites. `node`: `*.test.ts`. `commands`: tests of the commands, the package and the embedding
 * worker, which start Chromium from Node. `chromium`: `*.browser.test.ts`, in a page; `no-webgpu`: most of
 * them in a browser without WebGPU; `single-engine`: all of them, with web-llm's chat API for chat. `library`: tests
 * of the model library, on models that its setup writes. `slow`: `*.slow.test.ts`, from Node, and `alone`: those that
 * nothing may run beside. `gpu`: `*.gpu.test.ts`, from Node, on the machine's own GPU. `bench`: the benchmarks.
 * The console's tests are Playwright's (`playwright.config.ts`). All but `node` run against the build.
 */

import { resolve } from "node:path";
import { playwright } from "@vitest/browser-playwright";
import { defineConfig, type UserWorkspaceConfig } from "vitest/config";
import type { BrowserProviderOption } from "vitest/node";
import { findBrowser } from "./scripts/browsers/browsers.ts";
import { chromiumArguments, findChromium, withoutWebGPU } from "./scripts/browsers/chromium.ts";
import type { BrowserName } from "./scripts/browsers/driven-browser.ts";
import { drivenProvider } from "./scripts/browsers/vitest-provider.ts";
import { aloneTests, consoleTests, matrixTests, notSlowToday, selectTests } from "./scripts/test/extent.ts";
import { testSeed } from "./scripts/test/seed.ts";
import { optimizedPackages } from "./test/support/optimized-packages.ts";
import { servedPlugins } from "./test/support/served-plugins.ts";
import { version } from "./vite.config.ts";

const root = import.meta.dirname;
const commandTests = ["bridge", "browser", "chat", "docs", "embeddings", "package", "start", "tabs"].map(
  (name) => `test/${name}/**/*.test.ts`,
);
const slowTests = "test/**/*.slow.test.ts";
/** Tests that need a GPU with `shader-f16`, which SwiftShader lacks: `npm run test:gpu`. */
const gpuTests = "test/**/*.gpu.test.ts";
/** `npm run test:slow` runs it with 20,000 requests. */
const fuzzTests = "test/faults/fuzz.test.ts";
const libraryTests = "test/browser/model-library/**/*.browser.test.ts";
/** Tests that run on llama.cpp without WebGPU: text generation, engine lifecycle, and features of any engine. */
const withoutWebGPUTests = [
  "batches",
  "billing",
  "chat",
  "deployments",
  "faults",
  "keys",
  "lifecycle",
  "llamacpp",
  "responses",
].map((name) => `test/browser/${name}/**/*.browser.test.ts`);
/** The model library needs WebGPU, and engine comparisons need both engines. */
const webllmTests = [libraryTests, "test/browser/engines/**/*.browser.test.ts"];
/** Tests of llama.cpp alone, which need no WebGPU. */
const llamaCppTests = "test/browser/llamacpp/**/*.browser.test.ts";
/** The same for all workers and pages of a run (`test/support/random.ts`). */
const seed = testSeed();
const env = { TEST_SEED: String(seed) };
const noModels = { __BUILT_IN_MODELS__: "{}" };

/** Generous poll timeout for slow CI machines. */
const patient = { poll: { timeout: 30_000 } };

function chromiumProvider(args = chromiumArguments): BrowserProviderOption {
  return playwright({ launchOptions: { executablePath: findChromium(), args } }) as BrowserProviderOption;
}

/** The matrix tests in one browser; empty if the browser is not installed. */
function matrixSuite(name: Exclude<BrowserName, "chromium">): UserWorkspaceConfig[] {
  const found = findBrowser(name);
  if (!found) return [];
  const provider = found.isPlaywright
    ? (playwright() as BrowserProviderOption)
    : drivenProvider(name, () => found.start());
  const options = {
    include: matrixTests(name, seed),
    exclude: webllmTests,
    setupFiles: ["test/support/leave-out.ts"],
  };
  return [browserSuite(name, options, provider, name)];
}

/** Tests that run in a page, against the built package. */
function browserSuite(
  name: string,
  options: NonNullable<UserWorkspaceConfig["test"]>,
  provider = chromiumProvider(),
  browser: BrowserName = "chromium",
): UserWorkspaceConfig {
  return {
    plugins: servedPlugins(name),
    // Vite cannot pre-transform the built package; trying only logs errors.
    server: { preTransformRequests: false },
    define: noModels,
    optimizeDeps: {
      include: [...optimizedPackages],
      exclude: ["infetch", "infetch/install", "infetch/port"],
    },
    test: {
      name,
      env: { ...env, TEST_PROJECT: name },
      include: ["test/**/*.browser.test.ts"],
      fileParallelism: false,
      testTimeout: 240_000,
      hookTimeout: 240_000,
      expect: patient,
      browser: {
        enabled: true,
        headless: true,
        screenshotFailures: false,
        provider,
        instances: [{ browser }],
      },
      ...options,
    },
  };
}

function slowSuite(
  name: string,
  include: readonly string[],
  exclude: readonly string[] = [],
): UserWorkspaceConfig {
  return {
    define: noModels,
    test: {
      name,
      env: { ...env, FUZZ_REQUESTS: "20000" },
      include: [...include],
      exclude: [...exclude],
      fileParallelism: false,
      testTimeout: 600_000,
      hookTimeout: 240_000,
      expect: patient,
    },
  };
}

process.stdout.write(`The seed of random tests and of the day's parts is ${seed}: TEST_SEED sets it.\n`);

export default defineConfig({
  cacheDir: resolve(root, ".build/vite"),
  test: {
    projects: [
      {
        define: noModels,
        test: {
          name: "node",
          env,
          ...selectTests(
            "node",
            {
              include: ["test/**/*.test.ts"],
              exclude: ["test/**/*.browser.test.ts", slowTests, gpuTests, consoleTests, ...commandTests],
            },
            seed,
          ),
          // A process and its modules for all files: with one each, half of the time went into starting them.
          isolate: false,
          setupFiles: ["test/support/clean-file.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: patient,
        },
      },
      {
        test: {
          name: "commands",
          env,
          ...selectTests(
            "commands",
            { include: commandTests, exclude: ["test/**/*.browser.test.ts", slowTests] },
            seed,
          ),
          // Each file starts a browser with an engine, so run one at a time.
          fileParallelism: false,
          testTimeout: 240_000,
          hookTimeout: 240_000,
          expect: patient,
        },
      },
      slowSuite("slow", [slowTests, fuzzTests], notSlowToday(seed)),
      slowSuite("alone", aloneTests),
      {
        test: {
          name: "gpu",
          env,
          include: [gpuTests],
          fileParallelism: false,
          testTimeout: 600_000,
          hookTimeout: 240_000,
          expect: patient,
        },
      },
      browserSuite(
        "chromium",
        selectTests(
          "chromium",
          { include: ["test/**/*.browser.test.ts"], exclude: [libraryTests, llamaCppTests] },
          seed,
        ),
      ),
      browserSuite("single-engine", {
        ...selectTests(
          "single-engine",
          { include: ["test/**/*.browser.test.ts"], exclude: [libraryTests, llamaCppTests] },
          seed,
        ),
        setupFiles: ["test/support/leave-out.ts"],
      }),
      browserSuite(
        "no-webgpu",
        selectTests("no-webgpu", { include: withoutWebGPUTests, exclude: webllmTests }, seed),
        chromiumProvider(withoutWebGPU),
      ),
      ...matrixSuite("firefox"),
      ...matrixSuite("webkit"),
      browserSuite("library", {
        include: [libraryTests],
        globalSetup: ["test/browser/model-library/support/write-models.ts"],
      }),
      {
        ...browserSuite("bench", {
          include: ["bench/**/*.browser.ts"],
          globalSetup: ["test/browser/model-library/support/write-models.ts"],
        }),
        // Sources drive the built engine worker, which must be of their version.
        define: { ...noModels, __PACKAGE_VERSION__: JSON.stringify(version) },
      },
    ],
  },
  resolve: { alias: { "@test": resolve(root, "test") } },
});
