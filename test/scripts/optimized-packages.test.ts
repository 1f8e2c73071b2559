import { readdir } from "node:fs/promises";
import { resolve } from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { optimizedPackages } from "../support/optimized-packages.ts";

const root = resolve(import.meta.dirname, "../..");

/** The packages that the entry points import at run time, through all files of the project. */
async function packagesOf(entryPoints: string[]): Promise<string[]> {
  const { metafile } = await build({
    entryPoints,
    absWorkingDir: root,
    bundle: true,
    packages: "external",
    format: "esm",
    outdir: "unwritten",
    write: false,
    metafile: true,
    logLevel: "error",
  });
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports);
  return [...new Set(imports.filter((one) => one.external).map((one) => one.path))];
}

test("every package that browser tests import is bundled before the first page", async () => {
  const files = await readdir(resolve(root, "test"), { recursive: true });
  const tests = files.filter((file) => file.endsWith(".browser.test.ts")).map((file) => `test/${file}`);
  expect(tests.length).toBeGreaterThan(60);
  const packages = await packagesOf(tests);
  // Vitest serves itself, and the package under test is served as it was built.
  const others = packages.filter((name) => !/^(vitest|@vitest|infetch)(\/|$)/.test(name));
  expect(others.filter((name) => !(optimizedPackages as readonly string[]).includes(name))).toEqual([]);
});
