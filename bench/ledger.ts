/**
 * `npx tsx bench/ledger.ts [events…]`: the ledger in Chromium at ten thousand, a hundred thousand and a million
 * events of one year, fastest and median in milliseconds. Reads come from roll-ups, so their times must not grow with the number of events.
 */

import { resolve } from "node:path";
import { chromium } from "playwright";
import { build } from "vite";
import { chromiumArguments, findChromium } from "../scripts/chromium.ts";
import { serveFolders } from "../scripts/serve-folders.ts";
import { moduleConfig } from "../vite.config.ts";
import type { LedgerFigures } from "./ledger-page.ts";

const SIZES = [10_000, 100_000, 1_000_000];

const outDir = resolve(import.meta.dirname, "../.build/bench");
const config = moduleConfig("bench/ledger-page.ts", "ledger-page");
await build({ ...config, build: { ...config.build, outDir } });

const server = await serveFolders({ bench: outDir });
const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments });
try {
  const page = await browser.newPage();
  await page.goto(server.origin);
  await page.addScriptTag({
    type: "module",
    content: `import { measureLedger } from "/bench/ledger-page.js"; window.measureLedger = measureLedger;`,
  });
  await page.waitForFunction("window.measureLedger");
  console.log(
    "| events | roll-up rows | current | 35 days | 24 hours | record one | close 12 months | generate |",
  );
  console.log("|---|---|---|---|---|---|---|---|");
  const asked = process.argv.slice(2).map(Number);
  for (const events of asked.length > 0 ? asked : SIZES) {
    const figures = (await page.evaluate(`measureLedger(${events})`)) as LedgerFigures;
    console.log(`| ${row(figures).join(" | ")} |`);
  }
} finally {
  await browser.close();
  server.close();
}

function row({ events, rollupRows, closeYearMs, generateMs, ...spreads }: LedgerFigures): string[] {
  const { current, days, hours, record } = spreads;
  const ms = [current, days, hours, record].map(
    (one) => `${one.fastest.toFixed(1)} / ${one.median.toFixed(1)}`,
  );
  const seconds = [closeYearMs, generateMs].map((value) => `${(value / 1000).toFixed(1)} s`);
  return [events.toLocaleString("en"), rollupRows.toLocaleString("en"), ...ms, ...seconds];
}
