/** What the plugins of bundlers write into the modules of the package: into which, and which address. */

import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { locatesFiles } from "../../../src/bundlers/asset-folder.ts";
import { infetch } from "../../../src/bundlers/vite.ts";
import load from "../../../src/bundlers/webpack-loader.ts";

let place: string;

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), "infetch-copies-"));
  for (const [folder, name] of [
    ["store/infetch_vite@7/infetch", "infetch"],
    ["store/infetch_vite@8/infetch", "infetch"],
    ["store/other/infetch", "@another/infetch"],
  ]) {
    for (const path of ["dist/index.js", "dist/port.js", "dist/install.js", "lib/index.js"]) {
      const file = join(place, folder!, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, "");
    }
    await writeFile(join(place, folder!, "package.json"), JSON.stringify({ name }));
  }
  await symlink(join(place, "store/infetch_vite@7/infetch"), join(place, "linked"));
});
afterAll(() => rm(place, { recursive: true, force: true }));

test("those of every copy of the package, as pnpm installs several in a workspace", () => {
  for (const folder of ["store/infetch_vite@7/infetch", "store/infetch_vite@8/infetch", "linked"]) {
    expect(locatesFiles(join(place, folder, "dist/index.js")), folder).toBe(true);
    expect(locatesFiles(join(place, folder, "dist/port.js")), folder).toBe(true);
  }
});

test("no others", () => {
  for (const path of [
    "linked/dist/install.js",
    "linked/lib/index.js",
    "store/other/infetch/dist/index.js",
    "missing/infetch/dist/index.js",
  ])
    expect(locatesFiles(join(place, path)), path).toBe(false);
  expect(locatesFiles("\0virtual:index.js")).toBe(false);
});

/** The address that a plugin writes in place of `import.meta.url`, in a page whose scripts are under `publicPath`. */
function addressIn(code: string, publicPath: string, page: { baseURI?: string; href: string }): string {
  const emitted = code.replace(/import\.meta\.ROLLUP_FILE_URL_\w+/, '"/infetch/worker/server.js"');
  const read = new Function("document", "location", "origin", "__webpack_public_path__", `return ${emitted}`);
  const document = page.baseURI === undefined ? undefined : { baseURI: page.baseURI };
  return read(document, { href: page.href }, "https://app.test", publicPath);
}

const BASE = { href: "https://app.test/deep/route", baseURI: "https://app.test/" };
const FRAME = { href: "about:srcdoc", baseURI: "https://app.test/deep/route" };
/** As Vite's `?worker&inline` starts it. */
const INLINED_WORKER = { href: "blob:https://app.test/0b5c" };

test.each([
  ["", BASE],
  ["/", FRAME],
  ["/", INLINED_WORKER],
])("webpack: the address follows <base>, with the public path %j at %j", (publicPath, page) => {
  const context = { getOptions: () => ({ folder: "infetch" }) };
  const code = load.call(context as never, "import.meta.url", undefined) as unknown as string;
  expect(addressIn(code, publicPath, page)).toBe("https://app.test/infetch/index.js");
});

test.each(["serve", "build"])("Vite: the address holds where there is none of its own: %s", (command) => {
  const plugin = infetch() as unknown as {
    configResolved(config: unknown): void;
    transform(code: string, id: string): { code: string };
  };
  plugin.configResolved({ base: "/", command, build: {} });
  const { code } = plugin.transform("import.meta.url", join(place, "linked/dist/index.js"));
  for (const page of [FRAME, INLINED_WORKER])
    expect(addressIn(code, "", page)).toBe("https://app.test/infetch/index.js");
});

test("Vite's development server knows a folder by the path that pages request", async () => {
  const plugin = infetch({ folder: "große modelle" }) as unknown as {
    configResolved(config: unknown): void;
    configureServer(server: unknown): Promise<void>;
  };
  plugin.configResolved({ base: "/app/", command: "serve", build: {} });
  const paths: string[] = [];
  const middlewares = { use: (path: string) => paths.push(path) };
  await plugin.configureServer({ middlewares, config: { server: {} } });
  expect(paths).toEqual([new URL("https://app.test/app/große modelle").pathname]);
});

test.each([
  ["/app/", undefined, false],
  ["./", undefined, true],
  ["https://cdn.test/", undefined, true],
  ["/app/", () => ({ relative: true }), true],
])(
  "Vite's build leaves the address to Vite only where it is not known: %s",
  (base, renderBuiltUrl, isLeft) => {
    const plugin = infetch() as unknown as {
      configResolved(config: unknown): void;
      transform(code: string, id: string): { code: string };
    };
    plugin.configResolved({ base, command: "build", build: {}, experimental: { renderBuiltUrl } });
    const { code } = plugin.transform("import.meta.url", join(place, "linked/dist/index.js"));
    // Vite 5 resolves it against `import.meta.url`, which is a blob's in an inlined worker.
    expect(code.includes("ROLLUP_FILE_URL")).toBe(isLeft);
  },
);

test("Vite's build asks for the address of a classic script while it runs, and of a worker when it is needed", () => {
  const plugin = infetch() as unknown as {
    configResolved(config: unknown): void;
    transform(code: string, id: string): { code: string };
  };
  plugin.configResolved({ base: "./", command: "build", build: {} });
  const entry = "const find = () => import.meta.url; return find;";
  const { code } = plugin.transform(entry, join(place, "linked/dist/index.js"));
  const classic = code.replace(/import\.meta\.ROLLUP_FILE_URL_\w+/, "place.current");
  const run = new Function("place", "document", "location", "origin", classic);
  const script: { current?: string } = { current: "https://app.test/library/infetch/worker/server.js" };
  const findInPage = run(script, BASE);
  delete script.current;
  expect(findInPage()).toBe("https://app.test/library/infetch/index.js");
  const worker: typeof script = {};
  const findInWorker = run(worker, undefined, BASE);
  worker.current = "https://app.test/library/infetch/worker/server.js";
  expect(findInWorker()).toBe("https://app.test/library/infetch/index.js");
});
