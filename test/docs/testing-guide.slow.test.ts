/** Builds docs/testing.md as an app: its tests pass in Vitest, its program with Playwright. */

import { execFile } from "node:child_process";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { createServer } from "vite";
import { beforeAll, expect, test } from "vitest";
import { findChromium } from "../../scripts/browsers/chromium.ts";
import { blocksIn, fileNameOf, root } from "./support/blocks.ts";

const folder = join(root, ".build/docs-testing");

/** Runs Node as from a terminal, without Vitest's variables. @throws with `stdout` on failure */
function runNode(...args: string[]): Promise<{ stdout: string }> {
  const ours = Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_ENV|TEST$)/.test(name));
  const env = { ...Object.fromEntries(ours), CHROMIUM_PATH: findChromium() };
  return promisify(execFile)(process.execPath, args, { cwd: folder, env });
}

beforeAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, "public"), { recursive: true });
  // As installed, and as copied by the guide's first command: `npx infetch copy public/infetch`.
  const installed = join(folder, "node_modules/infetch");
  await cp(join(root, "dist"), join(installed, "dist"), { recursive: true });
  await cp(join(root, "package.json"), join(installed, "package.json"));
  const { bin } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  await runNode(join(installed, typeof bin === "string" ? bin : bin.infetch), "copy", "public/infetch");
  for (const block of blocksIn("ts", "html")) {
    if (!block.name.startsWith("docs/testing.md")) continue;
    const name = block.language === "html" ? "index.html" : fileNameOf(block);
    if (name) await writeFile(join(folder, name), block.code);
  }
});

test("its tests pass, each of them", async () => {
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const failure = await runNode(vitest, "run", "--reporter=json", "--outputFile=report.json").then(
    () => undefined,
    (error: Error & { stderr?: string }) => error.stderr,
  );
  const { testResults, ...report } = JSON.parse(await readFile(join(folder, "report.json"), "utf8"));
  const failures = testResults.flatMap((file: { assertionResults: { failureMessages: string[] }[] }) =>
    file.assertionResults.flatMap(({ failureMessages }) => failureMessages),
  );
  expect(failures).toEqual([]);
  expect(failure).toBeUndefined();
  expect(report).toMatchObject({ numPassedTests: 11, numFailedTests: 0, numPendingTests: 0 });
});

test("its program gets replies from its page, with and without a network", async () => {
  const server = await createServer({
    root: folder,
    configFile: false,
    logLevel: "error",
    server: { host: "127.0.0.1", port: 0 },
  });
  try {
    await server.listen();
    const address = server.resolvedUrls!.local[0]!;
    const { stdout } = await runNode("--import", "tsx", "offline.ts", address);
    expect(stdout).toContain("answered online and offline");
  } finally {
    await server.close();
  }
});
