/** Contents of the tarball, and a page that uses it without build tools. */

import { execFile } from "node:child_process";
import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { promisify } from "node:util";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { build } from "esbuild";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closeServer, createStaticServer, listen } from "../../scripts/servers/static-server.ts";
import { expectReply, type Installed, installPackage, root } from "./support/tarball.ts";

const ENTRIES = [
  ".",
  "./billing",
  "./keys",
  "./models",
  "./port",
  "./install",
  "./service-worker",
  "./vite",
  "./webpack",
];

let app: Installed;

beforeAll(async () => {
  app = await installPackage();
});
afterAll(() => app?.remove());

test("it holds what runs, what the licences ask for, documents and examples, and no source", () => {
  expect(app.packed).toEqual(
    expect.arrayContaining([
      "LICENSE",
      "NOTICE",
      "README.md",
      "dist/index.js",
      "dist/types/index.d.ts",
      "dist/worker/server.js",
      "dist/worker/webllm.js",
      "dist/models/infetch-tiny/params_shard_0.bin",
      "dist/models/infetch-tiny/model-library.wasm",
    ]),
  );
  const expected =
    /^(dist\/|examples\/|docs\/.*\.(md|json)$|models\/[\w-]+\/README\.md$|(LICENSE|NOTICE|[A-Z]+\.md|package\.json)$)/;
  const others = app.packed.filter((path) => !expected.test(path) || path.endsWith(".map"));
  expect(others).toEqual([]);
});

test("it holds the documents that its errors name", async () => {
  const scripts = app.packed.filter((path) => path.endsWith(".js"));
  const texts = await Promise.all(scripts.map((path) => readFile(join(root, path), "utf8")));
  const named = new Set(texts.flatMap((text) => text.match(/(?<!\w\/)\bdocs\/[\w/-]+\.md/g) ?? []));
  expect([...named]).toContain("docs/packaging.md");
  expect([...named].filter((path) => !app.packed.includes(path))).toEqual([]);
});

test("it holds what its documents link to, except pictures", async () => {
  const documents = app.packed.filter((path) => path.endsWith(".md") && !path.startsWith("dist/"));
  const missing: string[] = [];
  for (const document of documents) {
    const text = (await readFile(join(root, document), "utf8")).replaceAll(/^```.*?^```/gms, "");
    for (const [, target] of text.matchAll(/(?<!!\[[^\]]*)\]\(([^)\s#]+)[^)]*\)/g)) {
      if (/^https?:/.test(target!)) continue;
      const path = posix.join(posix.dirname(document), target!);
      const isHeld = app.packed.some((held) => held === path || held.startsWith(`${path}/`));
      if (!isHeld) missing.push(`${document} → ${target}`);
    }
  }
  expect(documents.length).toBeGreaterThan(100);
  expect(missing).toEqual([]);
});

test("NOTICE names everything that is bundled", async () => {
  const notice = await readFile(join(root, "NOTICE"), "utf8");
  for (const name of [
    "@mlc-ai/web-llm",
    "Apache TVM",
    "XGrammar",
    "tokenizers-cpp",
    "@huggingface/transformers",
    "onnxruntime",
    "llama.cpp",
    "comlink",
    "hono",
    "idb",
    "zod",
  ]) {
    expect(notice).toContain(name);
  }
});

test("publint has nothing to say", async () => {
  const facts = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const { messages } = await publint({ pkgDir: root, strict: true });
  expect(messages.map((message) => formatMessage(message, facts))).toEqual([]);
});

test("every entry point has types for bundlers and for Node's modules", async () => {
  const analysis = await checkPackage(createPackageFromTarballData(await readFile(app.tarball)));
  if (!analysis.types) throw new Error("The package has no types.");
  for (const entry of ENTRIES) {
    const { bundler, "node16-esm": esm } = analysis.entrypoints[entry]!.resolutions;
    for (const found of [bundler, esm]) expect(found.resolution?.isTypeScript, entry).toBe(true);
  }
  // The package is ESM only: neither resolution without `exports` nor `require()` is supported.
  const rest = analysis.problems.filter(({ kind }) => kind !== "NoResolution" && kind !== "CJSResolvesToESM");
  expect(rest).toEqual([]);
});

test("its types hold for a page's own settings, with nothing skipped", async () => {
  const pages = ENTRIES.filter((entry) => !["./port", "./vite", "./webpack"].includes(entry));
  const uses = pages.map((entry, index) => `export type * as _${index} from "infetch${entry.slice(1)}";`);
  await writeFile(join(app.folder, "typed.ts"), `${uses.join("\n")}\n`);
  const compilerOptions = {
    target: "ES2022",
    lib: ["ES2020", "DOM"],
    module: "ESNext",
    moduleResolution: "Bundler",
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: true,
  };
  await writeFile(
    join(app.folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions, files: ["typed.ts"] }),
  );
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  // Faults are printed, and then this rejects.
  const faults = await promisify(execFile)(process.execPath, [tsc, "-p", app.folder]).catch((error) => error);
  expect(faults.stdout).toBe("");
});

test("its types name no parameter of Uint8Array, which has none before TypeScript 5.7", async () => {
  const declarations = app.packed.filter((path) => path.endsWith(".d.ts"));
  expect(declarations.length).toBeGreaterThan(50);
  const withParameter: string[] = [];
  for (const path of declarations) {
    const text = await readFile(join(app.folder, "node_modules/infetch", path), "utf8");
    if (/^(?!\s*\/?\*).*\bUint8Array</m.test(text)) withParameter.push(path);
  }
  expect(withParameter).toEqual([]);
});

test("its version is a semantic one, and the changelog's newest", async () => {
  const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  expect(version).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
  const [, newest] = /^## (\S+?),? /m.exec(await readFile(join(root, "CHANGELOG.md"), "utf8")) ?? [];
  expect(newest).toBe(version);
});

test.each(["production", "development"])(
  "where a server renders a page, it says why it cannot run: %s",
  async (mode) => {
    const script = `import { createRuntime, isInfetchError } from "infetch";
    await createRuntime().catch((error) => console.log(isInfetchError(error), error.code));`;
    const options = [`--conditions=${mode}`, "--input-type=module", "-e", script];
    const { stdout } = await promisify(execFile)(process.execPath, options, { cwd: app.folder });
    expect(stdout.trim()).toBe("true not_in_a_page");
  },
);

// Servers give `.jsx` a type that no browser runs: Vite alone may meet it.
test.each([
  ["Vite's development server", ["module", "browser", "development"], "jsx"],
  ["Web Dev Server", ["module", "development"], "js"],
  ["a build", ["module", "browser", "production"], "js"],
])("%s meets the right entry", async (_name, conditions, extension) => {
  for (const entry of ["index", "port"]) {
    const { metafile } = await build({
      stdin: { contents: `import "infetch${entry === "port" ? "/port" : ""}";`, resolveDir: app.folder },
      platform: "neutral",
      conditions,
      bundle: true,
      external: ["comlink"],
      write: false,
      metafile: true,
    });
    const [imported] = metafile.inputs["<stdin>"]!.imports;
    expect(imported!.path).toMatch(new RegExp(`/infetch/dist/${entry}\\.${extension}$`));
  }
});

test("installing it installs nothing else", async () => {
  const modules = (await readdir(join(app.folder, "node_modules"))).filter((name) => !name.startsWith("."));
  expect(modules).toEqual(["infetch"]);
});

test("its tool describes a folder of a model", async () => {
  const built = join(app.folder, "node_modules/infetch/dist");
  const folder = join(app.folder, "my-model");
  await cp(join(built, "models/infetch-tiny"), folder, { recursive: true });
  await rm(join(folder, "infetch-model.json"), { force: true });
  const tool = [join(built, "model-manifest.js"), folder, "--base-model", "org/base"];
  await promisify(execFile)(process.execPath, tool);
  const written = (await readdir(folder)).filter((name) => name.endsWith(".json"));
  const manifests = await Promise.all(written.map((name) => readFile(join(folder, name), "utf8")));
  expect(manifests.some((text) => text.includes('"org/base"') && text.includes("params_shard_0.bin"))).toBe(
    true,
  );
});

test("a plain page gets a reply from it", async () => {
  const server = createStaticServer({ "/": app.folder });
  try {
    await expectReply(await listen(server, 0));
  } finally {
    await closeServer(server);
  }
});
