/** `npm test`: types, lint, build, then every suite. Ends with one line: `N passed, N failed`. */

import { resolve } from "node:path";
import { ensureChromium } from "./ensure-chromium.ts";
import { run } from "./run.ts";
import { runSuite, type Tally } from "./run-suite.ts";

const root = resolve(import.meta.dirname, "..");
const total: Tally = { passed: 0, failed: 0 };

/** Runs one step with its name and its time shown. False when it failed, which counts as one failure. */
async function step(name: string, work: () => Promise<unknown>): Promise<boolean> {
  const startedAtMs = performance.now();
  console.log(`\n── ${name} ──`);
  try {
    await work();
    console.log(`── ${name}: ${((performance.now() - startedAtMs) / 1000).toFixed(1)} s`);
    return true;
  } catch (error) {
    total.failed += 1;
    console.log(`── ${name} failed: ${(error as Error).message}`);
    return false;
  }
}

async function suite(project: string): Promise<void> {
  console.log(`\n── ${project} tests ──`);
  const tally = await runSuite(project, root);
  total.passed += tally.passed;
  total.failed += tally.failed;
  console.log(`── ${project} tests: ${tally.passed} passed, ${tally.failed} failed`);
}

await step("types", () => run("npx", ["tsc", "-p", "."], root));
await step("lint", () => run("npx", ["biome", "check", "."], root));
const built = await step("build", () => run("npx", ["tsx", "scripts/build.ts"], root));
await suite("node");
// The other suites run what was built, in a browser: without either of them they would only repeat one failure.
if (built && (await step("browser", async () => console.log(await ensureChromium())))) {
  await suite("commands");
  await suite("chromium");
  await suite("no-webgpu");
  await suite("library");
}
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;
