/**
 * `infetch/vite`: the package's workers, engines and models in a Vite app, in development and in its build.
 *
 * @module
 */

import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import type { OutgoingHttpHeaders } from "node:http";
import { extname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Connect, Plugin } from "vite";
import { type AssetOptions, folderOf, HERE, locatesFiles, relocate } from "./asset-folder.ts";
import { contentTypes } from "./content-types.ts";
import { distFolder, type EngineFiles, packageFiles } from "./package-files.ts";

export type { AssetOptions, EngineFiles };

/** Options of {@link infetch}. */
export interface ViteOptions extends AssetOptions {
  /**
   * Sends the headers that make the page cross-origin isolated, in development and preview. llama.cpp then runs on
   * several threads; resources of other origins need CORS or `Cross-Origin-Resource-Policy`. In production your host
   * sends them.
   *
   * @default false
   */
  crossOriginIsolated?: boolean;
}

const ISOLATION = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};

/**
 * Vite plugin (5 or later): serves the package's files in development, emits them in a build, and tells
 * `createRuntime()` where they are.
 *
 * @example
 * import { infetch } from "infetch/vite";
 * export default { plugins: [infetch({ engines: ["webllm", "transformers"] })] };
 * @throws {TypeError} for an unknown engine or a folder outside of the output
 */
export function infetch(options: ViteOptions = {}): Plugin {
  const folder = folderOf(options);
  let base = "/";
  let isBuild = false;
  /** Whether files are at `base` wherever the script is. Vite 5 looks beside a worker, also beside an inlined one. */
  let isFixed = true;
  let isServer = false;
  let anchor: string | undefined;
  return {
    name: "infetch",

    config() {
      const headers = options.crossOriginIsolated ? { headers: ISOLATION } : {};
      // Pre-bundled, the entry would lose sight of its files.
      return { optimizeDeps: { exclude: ["infetch", "infetch/port"] }, server: headers, preview: headers };
    },

    configResolved(config) {
      base = config.base;
      isBuild = config.command === "build";
      isFixed = !isBuild || (base.startsWith("/") && !config.experimental?.renderBuiltUrl);
      isServer = Boolean(config.build.ssr);
    },

    async configureServer(server) {
      const paths = new Set(await packageFiles(options.engines));
      server.middlewares.use(`${base}${encodeURI(folder)}`, serve(paths, server.config.server.headers ?? {}));
    },

    applyToEnvironment: ({ config }) => config.consumer === "client",

    async buildStart() {
      // Vite 5 has no environments: `applyToEnvironment` does not leave its server build out.
      if (!isBuild || (!this.environment && isServer)) return;
      for (const path of await packageFiles(options.engines)) {
        const reference = this.emitFile(await assetOf(path, folder));
        if (path === "worker/server.js") anchor = reference;
      }
    },

    transform(code, id, call) {
      if (call?.ssr || !locatesFiles(id.split("?", 1)[0]!)) return undefined;
      const relocated = isFixed
        ? relocatedTo(`${base}${folder}`, code)
        : relocatedBeside(`import.meta.ROLLUP_FILE_URL_${anchor}`, code);
      return { code: relocated, map: null };
    },
  };
}

/** A file of the package, as the build emits it. */
async function assetOf(path: string, folder: string) {
  const source = await readFile(join(distFolder, path));
  return { type: "asset", fileName: `${folder}/${path}`, source } as const;
}

/** Code whose files are in a folder of the site. */
function relocatedTo(folder: string, code: string): string {
  return relocate(code, `new URL(${JSON.stringify(`${folder}/index.js`)}, ${HERE}).href`);
}

/** Code whose files are in the folder above that of the file at `address`, which may depend on the script. */
function relocatedBeside(address: string, code: string): string {
  const entry = `new URL("../index.js", new URL(infetchAtStart ?? infetchNow(), ${HERE})).href`;
  return besideScript(address) + relocate(code, entry);
}

/**
 * Declarations for an address that depends on the script. A classic script (`iife`, `umd`) knows its own address only
 * while it runs for the first time; elsewhere, as in a worker or Node, the expression is evaluated when it is needed.
 */
function besideScript(expression: string): string {
  return `const infetchNow = () => ${expression}, infetchAtStart = typeof document === "undefined" ? undefined : /* @__PURE__ */ infetchNow();`;
}

/**
 * Serves exactly the given paths of `dist`, unchanged: Vite would rewrite the workers.
 *
 * @param headers those of the page, whose policies hold for workers too
 */
function serve(paths: ReadonlySet<string>, headers: OutgoingHttpHeaders): Connect.NextHandleFunction {
  return (request, response, next) => {
    const path = new URL(request.url ?? "/", "http://vite").pathname.slice(1);
    if (!paths.has(path)) return next();
    for (const [name, value] of Object.entries(headers))
      if (value !== undefined) response.setHeader(name, value);
    response.setHeader("content-type", contentTypes[extname(path)] ?? "application/octet-stream");
    response.setHeader("cache-control", "no-cache");
    // A page that disconnects midway is not an error.
    pipeline(createReadStream(join(distFolder, path)), response).catch(() => {});
  };
}
