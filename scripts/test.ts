/**
 * `npm test`: types, lint, build, then every suite. `npm run test:slow`: the slow tests, on the existing build. Both
 * end with the line `N passed, N failed`, plus `, N skipped` if any.
 */

import { resolve } from "node:path";
import { ensureBrowser } from "./browsers/ensure-browser.ts";
import { ensureChromium } from "./browsers/ensure-chromium.ts";
import { ensureBuilt, keepBuild } from "./build/ensure-built.ts";
import { run } from "./shared/run.ts";
import { isChromiumOnly, testFiles } from "./test/chromium-only.ts";
import type { TestExtent } from "./test/extent.ts";
import { runSuite } from "./test/run-suite.ts";
import { testSeed } from "./test/seed.ts";
import {
  describeTally,
  failureOf,
  forgetTally,
  keepTally,
  printTally,
  sumOf,
  type Tally,
} from "./test/tally.ts";

const root = resolve(import.meta.dirname, "..");
const tallies: Tally[] = [];
/** Optional suites that could not run, repeated before the last line. */
const leftOut: string[] = [];

/** Runs one step, printing its name and duration. Returns false if it failed, which counts as one failure. */
async function step(name: string, work: () => Promise<unknown>): Promise<boolean> {
  const startedAtMs = performance.now();
  console.log(`\n── ${name} ──`);
  try {
    await work();
    console.log(`── ${name}: ${((performance.now() - startedAtMs) / 1000).toFixed(1)} s`);
    return true;
  } catch (error) {
    const { message } = error as Error;
    tallies.push({ passed: 0, failed: 1, skipped: 0, failures: [failureOf(name, message)] });
    console.log(`── ${name} failed: ${message.split("\n", 1)[0]}`);
    return false;
  }
}

const command = (name: string, ...args: string[]) =>
  step(name, () => run("npx", args, root, { prefix: `${name} │ ` }));

async function suite(project: string): Promise<void> {
  const startedAtMs = performance.now();
  console.log(`\n── ${project} tests ──`);
  const tally = await runSuite(project, root);
  tallies.push(tally);
  const seconds = ((performance.now() - startedAtMs) / 1000).toFixed(1);
  console.log(`── ${project} tests: ${describeTally(tally)}, in ${seconds} s`);
}

/** Runs suites sequentially, because they would interfere with each other. */
async function suites(...projects: string[]): Promise<void> {
  for (const project of projects) await suite(project);
}

/** Runs the parts that are left, one at a time. Two lanes that share a list take turns, so list the longest first. */
async function lane(parts: (() => Promise<void>)[]): Promise<void> {
  for (let part = parts.shift(); part; part = parts.shift()) await part();
}

async function inTwoLanes(...parts: (() => Promise<void>)[]): Promise<void> {
  await Promise.all([lane(parts), lane(parts)]);
}

/** Runs the matrix tests in one browser; skipped if it is unavailable, which fails in CI. */
async function matrix(name: "firefox" | "webkit"): Promise<void> {
  try {
    await ensureBrowser(name);
  } catch (error) {
    const { message } = error as Error;
    if (process.env.CI)
      tallies.push({ passed: 0, failed: 1, skipped: 0, failures: [failureOf(`${name} tests`, message)] });
    else {
      tallies.push({ passed: 0, failed: 0, skipped: 1, failures: [] });
      leftOut.push(`${name} tests skipped: ${message}`);
    }
    return;
  }
  await suite(name);
}

/** Sequential: alongside WebKit, Firefox hung between two files (seen three times, unexplained). */
async function otherBrowsers(): Promise<void> {
  for (const name of ["firefox", "webkit"] as const) await matrix(name);
}

const browser = () => step("browser", async () => console.log(await ensureChromium()));

/** Steps without a build run in parallel; suites that need one are skipped if it fails. */
async function testAll(): Promise<void> {
  const ready = command("build", "tsx", "scripts/build.ts").then(async (built) => {
    keepBuild();
    return built && browser();
  });
  const inBrowsers = [
    () => suite("commands"),
    () => suite("chromium"),
    () => suite("no-webgpu"),
    otherBrowsers,
    () => suite("console"),
  ];
  const needsNoBuild = async (): Promise<void> => {
    await command("types", "tsc", "-p", ".");
    await command("lint", "biome", "check", ".");
    await suite("node");
    // Then this lane takes browsers too, so that both cores are busy to the end.
    if (await ready) await lane(inBrowsers);
  };
  const needsBuild = async (): Promise<void> => {
    // Two browsers in parallel, since each is idle half of the time.
    if (await ready) await Promise.all([lane(inBrowsers), lane(inBrowsers)]);
  };
  await Promise.all([needsNoBuild(), needsBuild()]);
}

/** Tests that `npm test` omits. The suite `alone`, the soak and the benchmarks have nothing beside them. */
async function testSlow(): Promise<void> {
  if (!(await step("build", ensureBuilt)) || !(await browser())) return;
  keepBuild();
  // WebKit's optimizing compiler takes a core for minutes with llama.cpp (decision 144); `npm test` runs with it.
  process.env.JSC_useOMGJIT ??= "0";
  await suite("alone");
  await inTwoLanes(
    () => suite("commands"),
    // In turn: some slow tests open Firefox and WebKit too.
    async () => {
      await otherBrowsers();
      await suite("slow");
    },
    // In turn: both build the same worker (`test/support/single-engine`).
    () => suites("chromium", "single-engine"),
    () => suite("console"),
    () => suites("no-webgpu", "node", "library"),
  );
  await command("soak", "tsx", "scripts/soak.ts", "--minutes", "1");
  await command("bench", "tsx", "bench/main.ts", "--quick");
}

const isSlow = process.argv.includes("--slow");
const name = isSlow ? "test-slow" : "test";
await forgetTally(name);
process.env.TEST_SEED = String(testSeed());
console.log(
  `The seed of random tests and of the day's parts is ${process.env.TEST_SEED}: TEST_SEED sets it.`,
);
process.env.TEST_EXTENT = (isSlow ? "rest" : "quick") satisfies TestExtent;
await (isSlow ? testSlow() : testAll());
const total = sumOf(tallies);
await keepTally(name, total);
for (const one of leftOut) console.log(`── ${one}`);
const inChromium = (await testFiles(root, "test")).filter((file) => isChromiumOnly(file)).length;
console.log(
  `── ${inChromium} files of tests run in Chromium alone: scripts/test/chromium-only.ts has the reasons.`,
);
printTally(total);
process.exitCode = total.failed === 0 ? 0 : 1;
