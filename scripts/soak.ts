/**
 * `npm run soak [-- --minutes 30] [--report FILE]`: tabs that chat, embed, batch, abort, close and lose their
 * engines, in real Chromium with the built-in models. Every request must end in a documented response, and the ledger
 * must match the observed usage. Exits with 1 on a violation.
 */

import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { type BrowserContext, chromium, type Page } from "playwright";
import { chromiumArguments, findChromium } from "./browsers/chromium.ts";
import { ensureBuilt } from "./build/ensure-built.ts";
import { closeServer, createStaticServer, listen } from "./servers/static-server.ts";
import { runCommand } from "./shared/command.ts";
import { openTab, type Tab } from "./soak/tab.ts";
import { SoakTally } from "./soak/tally.ts";

const USAGE = `Usage: npm run soak -- [--minutes 30] [--report FILE]

Runs tabs that chat, embed, batch, abort, close and lose their engines, and checks every response and the ledger.`;

const TABS = 3;
const PROGRESS_MS = 30_000;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Injects a fault about every twenty seconds. */
async function disturb(
  tabs: Tab[],
  context: BrowserContext,
  origin: string,
  tally: SoakTally,
): Promise<void> {
  const at = Math.floor(Math.random() * tabs.length);
  if (Math.random() < 0.5) {
    const workers = tabs.flatMap(({ page }: { page: Page }) => page.workers());
    const engine = workers.find((worker) => /worker\/(webllm|transformers)\.js$/.test(worker.url()));
    if (!engine) return;
    tally.disturbed("engine killed");
    // A worker that closes itself never responds.
    await Promise.race([engine.evaluate("self.close()").catch(() => {}), pause(1_000)]);
  } else {
    tally.disturbed("tab closed");
    await tabs[at]!.close();
    tabs[at] = await openTab(context, origin, tally);
  }
}

await runCommand(async () => {
  const { values } = parseArgs({ options: { minutes: { type: "string" }, report: { type: "string" } } });
  const minutes = Number(values.minutes ?? 30);
  if (!(minutes > 0)) throw new Error(`--minutes must be a number above 0, not "${values.minutes}".`);
  await ensureBuilt();
  const server = createStaticServer({ "/": resolve(import.meta.dirname, "../dist") });
  const origin = await listen(server, 0);
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments });
  const tally = new SoakTally();
  try {
    const context = await browser.newContext();
    const tabs: Tab[] = [];
    for (let count = 0; count < TABS; count++) tabs.push(await openTab(context, origin, tally));
    const endsAtMs = Date.now() + minutes * 60_000;
    for (let nextLineAtMs = Date.now() + PROGRESS_MS; Date.now() < endsAtMs; ) {
      await pause(Math.min(20_000, Math.max(0, endsAtMs - Date.now())));
      if (Date.now() < endsAtMs) await disturb(tabs, context, origin, tally);
      if (Date.now() < nextLineAtMs) continue;
      console.log(tally.line());
      nextLineAtMs = Date.now() + PROGRESS_MS;
    }
    await Promise.all(tabs.map((tab) => tab.finish()));
    await tally.judge(tabs[0]!.page);
  } finally {
    await browser.close();
    await closeServer(server);
  }
  const report = tally.report(minutes);
  console.log(`\n${report}`);
  if (values.report) await writeFile(values.report, report);
  if (tally.faults.length > 0) throw new Error(`${tally.faults.length} laws were broken.`);
}, USAGE);
