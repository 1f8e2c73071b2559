/** The plugins where a tool reads its configuration, and what that imports, as CommonJS: of `import.meta` it knows the URL. */

import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { expect, test } from "vitest";

const folder = join(import.meta.dirname, "../../../src/bundlers");

async function asCommonJS(name: string): Promise<Record<string, unknown>> {
  const { outputFiles } = await build({
    entryPoints: [join(folder, name)],
    bundle: true,
    write: false,
    format: "cjs",
    platform: "node",
    define: { "import.meta.url": JSON.stringify(pathToFileURL(join(folder, name)).href) },
    logLevel: "silent",
  });
  const module = { exports: {} };
  new Function("module", "require", outputFiles[0]!.text)(module, createRequire(import.meta.url));
  return module.exports;
}

test("webpack's finds its loader in the same folder", async () => {
  const { InfetchPlugin } = (await asCommonJS("webpack.ts")) as {
    InfetchPlugin: new () => { apply(compiler: unknown): void };
  };
  const rules: { use: { loader: string }[] }[] = [];
  new InfetchPlugin().apply({
    options: { module: { rules } },
    hooks: { afterEnvironment: { tap: () => {} }, thisCompilation: { tap: () => {} } },
  });
  expect(rules[0]!.use[0]!.loader).toBe(join(folder, "webpack-loader.js"));
});

test("Vite's finds its files in the same folder", async () => {
  const { infetch } = (await asCommonJS("vite.ts")) as {
    infetch: () => { buildStart: (this: unknown) => Promise<void>; configResolved(config: unknown): void };
  };
  const plugin = infetch();
  plugin.configResolved({ base: "/", command: "build", build: {} });
  // In the sources, no file of `dist` is beside the plugin.
  await expect(plugin.buildStart.call({ environment: {} })).resolves.toBeUndefined();
});
