/** Type-checks and bundles snippets as files of an app with the built package installed. */

import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import esbuild, { type Plugin } from "esbuild";
import { run } from "../../../scripts/shared/run.ts";
import { type Block, fileNameOf, root } from "./blocks.ts";

export const folder = join(root, ".build/docs");
const preludePath = join(root, "test/docs/support/prelude.ts");
const PART = /^infetch\/(.+)$/;
const dist = (path: string): string => join(root, "dist", path);

/** The entry stays external: it resolves files relative to itself. Other entry points are bundled. */
const builtPackage: Plugin = {
  name: "built-package",
  setup(build) {
    build.onResolve({ filter: /^infetch$/ }, () => ({ path: "/infetch/index.js", external: true }));
    build.onResolve({ filter: PART }, ({ path }) => ({ path: dist(`${PART.exec(path)![1]}.js`) }));
  },
};

/** Its page runs it. */
export const isServiceWorker = (block: Block): boolean => fileNameOf(block) === "sw.js";

/** Bundles a module into `outfile` of the folder. @throws esbuild's errors */
export async function pack(source: string, outfile: string): Promise<void> {
  await esbuild.build({
    stdin: { contents: source, loader: "ts", resolveDir: root },
    bundle: true,
    format: "esm",
    target: "esnext",
    outfile: join(folder, outfile),
    logLevel: "silent",
    plugins: [builtPackage],
  });
}

/** Writes the snippets as modules, with a page and the prelude. */
export async function prepare(blocks: readonly Block[]): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, "index.html"),
    '<!doctype html><title>docs</title><link rel="icon" href="data:,">',
  );
  await pack(await readFile(preludePath, "utf8"), "prelude.js");
  for (const block of blocks) {
    const [document = "", line] = block.name.split(":");
    // Files of one guide import each other.
    const place = join(folder, document.replaceAll(/\W/g, "_"));
    await mkdir(place, { recursive: true });
    const name = fileNameOf(block)?.replace(/\.js$/, ".ts") ?? `line-${line}.ts`;
    await writeFile(join(place, name), `${block.code}\nexport {};\n`);
  }
}

/** Type-checks the written files in strict mode. @throws {Error} with the compiler's errors in `stdout` */
export async function checkTypes(): Promise<void> {
  const [, names = ""] = /const prelude = \{(.*)^\};/ms.exec(await readFile(preludePath, "utf8")) ?? [];
  const globals = [...names.matchAll(/^ {2}(\w+)[:,]/gm)].map(
    ([, name]) => `declare const ${name}: Prelude[${JSON.stringify(name)}];`,
  );
  const prelude = `type Prelude = import(${JSON.stringify(preludePath)}).Prelude;`;
  await writeFile(join(folder, "globals.d.ts"), [prelude, ...globals].join("\n"));
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    target: "esnext",
    module: "esnext",
    moduleResolution: "bundler",
    lib: ["esnext", "dom", "dom.iterable", "dom.asynciterable"],
    types: ["node"],
    paths: {
      infetch: [dist("types/index.d.ts")],
      "infetch/billing": [dist("types/types/billing.d.ts")],
      "infetch/keys": [dist("types/types/keys.d.ts")],
      "infetch/models": [dist("types/types/models.d.ts")],
      "infetch/port": [dist("types/port/index.d.ts")],
      "infetch/install": [dist("types/install.d.ts")],
      "infetch/service-worker": [dist("types/service-worker/index.d.ts")],
    },
  };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["**/*.ts"] }));
  await run("npx", ["tsc", "-p", folder], root);
}
