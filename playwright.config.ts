/**
 * The console's end-to-end tests, on the built console. A failed test leaves a trace and a screenshot in
 * `.build/console`; `npx playwright show-report .build/console-report` shows them.
 */

import { defineConfig } from "@playwright/test";
import { chromiumArguments, findChromium } from "./scripts/browsers/chromium.ts";
import { consoleTests, selectTests } from "./scripts/test/extent.ts";
import { testSeed } from "./scripts/test/seed.ts";

const { include, exclude } = selectTests("console", { include: [consoleTests], exclude: [] }, testSeed());

export default defineConfig({
  testDir: "test/demo",
  testMatch: include,
  testIgnore: exclude,
  outputDir: ".build/console",
  // Each file starts a browser with an engine, so run one at a time.
  workers: 1,
  timeout: 240_000,
  // Generous for slow CI machines.
  expect: { timeout: 30_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: [
    ["list"],
    ["html", { outputFolder: ".build/console-report", open: "never" }],
    ["./scripts/test/playwright-reporter.ts", { outputFile: ".build/report-console.json" }],
  ],
  use: {
    launchOptions: { executablePath: findChromium(), args: chromiumArguments },
    // The defaults of Playwright without its test runner, which sets no limits.
    actionTimeout: 30_000,
    navigationTimeout: 30_000,
    viewport: { width: 1280, height: 800 },
    // Offline use has its own test; here the precache would be fetched for every page.
    serviceWorkers: "block",
    contextOptions: { reducedMotion: "reduce" },
    // Without a film, which takes a fifth of the time; there is a screenshot of the end.
    trace: { mode: "retain-on-failure", screenshots: false },
    screenshot: "only-on-failure",
  },
});
