/** webpack's warnings of large files: not of those that the plugin emits. */

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import webpack, { type Compiler, type Configuration } from "webpack";
import { InfetchPlugin } from "../../../src/bundlers/webpack.ts";

let app: string;

beforeEach(async () => {
  app = await mkdtemp(join(tmpdir(), "infetch-webpack-"));
  await writeFile(join(app, "index.js"), "");
});
afterEach(() => rm(app, { recursive: true, force: true }));

/** Emits files of 300 kB, more than the limit. */
const large = (paths: string[]) => ({
  apply(compiler: Compiler) {
    compiler.hooks.thisCompilation.tap("large", (compilation) =>
      compilation.hooks.processAssets.tap("large", () => {
        for (const path of paths)
          compilation.emitAsset(path, new webpack.sources.RawSource(Buffer.alloc(300_000)));
      }),
    );
  },
});

async function warningsOf(configuration: Configuration): Promise<string> {
  const output = { path: join(app, "dist") };
  const compiler = webpack({
    mode: "production",
    context: app,
    entry: "./index.js",
    output,
    ...configuration,
  });
  const stats = await promisify(compiler!.run.bind(compiler))();
  await promisify(compiler!.close.bind(compiler))();
  const { warnings } = stats!.toJson({ all: false, warnings: true });
  return warnings!.map(({ message }) => message).join("\n");
}

test("files of the package are not among the assets that are too large, others are", async () => {
  const files = large(["models/files/a.bin", "models/b.bin", "c.bin"]);
  const warnings = await warningsOf({ plugins: [new InfetchPlugin({ folder: "models/files" }), files] });
  expect(warnings).toContain("c.bin");
  expect(warnings).toContain("models/b.bin");
  expect(warnings).not.toContain("a.bin");
});

test("an app's own filter and limits still hold", async () => {
  const plugins = [new InfetchPlugin(), large(["infetch/a.bin", "b.bin", "c.bin"])];
  const warnings = await warningsOf({ plugins, performance: { assetFilter: (name) => name !== "b.bin" } });
  expect(warnings).toContain("c.bin");
  expect(warnings).not.toMatch(/[ab]\.bin/);
  expect(await warningsOf({ plugins: [new InfetchPlugin()], performance: false })).toBe("");
});
