/**
 * Prints what every kernel costs per token, at the sizes of a model, on the WebGPU device of a headless Chromium.
 *
 *   npx tsx models/library/profile.ts [--only kernel,kernel] [architecture.json]
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { chromium, type Page } from "playwright";
import { chromiumArguments, findChromium } from "../../scripts/chromium.ts";
import { readArchitecture } from "./build.ts";
import { type Kernel, readKernels } from "./generator/kernels.ts";
import { type Case, decodeCases, prefillCases } from "./profile/cases.ts";
import { type Measurement, measureLaunch } from "./profile/measure.ts";

const POSITIONS = [16, 128, 1024, 2048, 3500];
const options = process.argv.slice(2);
const onlyAt = options.indexOf("--only");
const only = onlyAt < 0 ? undefined : options.splice(onlyAt, 2)[1]?.split(",");
const architecture = readArchitecture(
  options[0] ?? fileURLToPath(new URL("../tiny-chat/architecture.json", import.meta.url)),
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
  for (const position of POSITIONS.filter((at) => at < architecture.contextWindow)) {
    await printTable(
      page,
      `One token at position ${position}`,
      decodeCases(architecture, kernels, position),
      1,
    );
  }
  const rows = architecture.prefillChunk;
  for (const position of [0, 1024, 3072].filter((at) => at + rows <= architecture.contextWindow)) {
    await printTable(
      page,
      `A chunk of ${rows} tokens at position ${position}`,
      prefillCases(architecture, kernels, position, rows),
      rows,
    );
  }
} finally {
  await browser.close();
  server.close();
}

async function printTable(page: Page, title: string, cases: Case[], tokens: number): Promise<void> {
  console.log(`\n${title}\n\n| kernel | | launches | µs per launch | µs per token |\n|---|---|--:|--:|--:|`);
  let total = 0;
  let launches = 0;
  for (const entry of cases) {
    if (only && !only.includes(entry.kernel)) continue;
    const perLaunch = await page.evaluate(measureLaunch, measurementOf(entry));
    total += perLaunch * entry.launches;
    launches += entry.launches;
    console.log(
      `| ${entry.kernel} | ${entry.role} | ${entry.launches} | ${perLaunch.toFixed(0)} | ${((perLaunch * entry.launches) / tokens).toFixed(0)} |`,
    );
  }
  console.log(`| **all** | | ${launches} | | ${(total / tokens).toFixed(0)} |`);
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
