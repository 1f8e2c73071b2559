/**
 * Prints the time per token of every kernel, at a model's sizes, on the WebGPU device of a headless Chromium.
 *
 *   npx tsx bench/kernels/main.ts [--only kernel,kernel] [architecture.json]
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { chromium, type Page } from "playwright";
import { readArchitecture } from "../../models/library/build.ts";
import { type Kernel, readKernels } from "../../models/library/generator/kernels.ts";
import { chromiumArguments, findChromium } from "../../scripts/browsers/chromium.ts";
import { type Case, decodeCases, prefillCases } from "./cases.ts";
import { type Measurement, measureLaunch } from "./measure.ts";

const DECODE_POSITIONS = [16, 128, 1024, 2048, 3500];
const PREFILL_POSITIONS = [0, 1024, 2048, 3328];
const options = process.argv.slice(2);
const onlyAt = options.indexOf("--only");
const only = onlyAt < 0 ? undefined : options.splice(onlyAt, 2)[1]?.split(",");
const architecture = readArchitecture(
  options[0] ?? fileURLToPath(new URL("../../models/tiny-chat/architecture.json", import.meta.url)),
);
const kernels = new Map<string, Kernel>(readKernels(architecture).map((kernel) => [kernel.name, kernel]));

const server = createServer((_, response) =>
  response.setHeader("content-type", "text/html").end("<!doctype html><title>profile</title>"),
);
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments });
try {
  const page = await browser.newPage();
  page.on("console", (message) => console.error(message.text()));
  await page.goto(`http://localhost:${(server.address() as AddressInfo).port}/`);
  await page.evaluate("globalThis.__name = (f) => f");
  const rows = architecture.prefillChunk;
  const fits = (position: number, tokens: number) => position + tokens <= architecture.contextWindow;
  await printTable(
    page,
    "One token at position",
    DECODE_POSITIONS.filter((at) => fits(at, 1)),
    1,
    (position) => decodeCases(architecture, kernels, position),
  );
  await printTable(
    page,
    `A chunk of ${rows} tokens from position`,
    PREFILL_POSITIONS.filter((at) => fits(at, rows)),
    rows,
    (position) => prefillCases(architecture, kernels, position, rows),
  );
} finally {
  await browser.close();
  server.close();
}

/**
 * Prints one column of microseconds per token for each position. Only attention depends on the position:
 * every other kernel is measured once per column, and the minimum is shown in all columns.
 */
async function printTable(
  page: Page,
  title: string,
  positions: number[],
  tokens: number,
  casesAt: (position: number) => Case[],
): Promise<void> {
  const rows = new Map<string, { entry: Case; costs: (number | undefined)[] }>();
  for (const [column, position] of positions.entries()) {
    for (const entry of casesAt(position)) {
      if (only && !only.includes(entry.kernel)) continue;
      const perLaunch = await page.evaluate(measureLaunch, measurementOf(entry));
      const key = `${entry.kernel} ${entry.role}`;
      const row = rows.get(key) ?? { entry, costs: positions.map(() => undefined) };
      row.costs[column] = (perLaunch * entry.launches) / tokens;
      rows.set(key, row);
    }
  }
  for (const { entry, costs } of rows.values()) {
    if (!entry.kernel.includes("attention"))
      costs.fill(Math.min(...costs.map((cost) => cost ?? Number.POSITIVE_INFINITY)));
  }
  console.log(`\n${title} …\n\n| kernel, µs per token | | launches | ${positions.join(" | ")} |`);
  console.log(`|---|---|--:|${positions.map(() => "--:|").join("")}`);
  for (const { entry, costs } of rows.values()) {
    const cells = costs.map((cost) => cost?.toFixed(0) ?? "–");
    console.log(`| \`${entry.kernel}\` | ${entry.role} | ${entry.launches} | ${cells.join(" | ")} |`);
  }
  const totals = positions.map((_, column) =>
    [...rows.values()].reduce((sum, { costs }) => sum + (costs[column] ?? 0), 0),
  );
  console.log(`| **all** | | | ${totals.map((total) => total.toFixed(0)).join(" | ")} |`);
}

function measurementOf({ kernel: name, words, scalars, grid }: Case): Measurement {
  const kernel = kernels.get(name)!;
  return {
    entryPoint: name,
    source: kernel.source,
    words,
    writable: kernel.buffers.map(({ writable }) => writable),
    scalars,
    grid,
  };
}
