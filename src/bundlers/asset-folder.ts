/** What the bundler plugins have in common: their options, and the entry with another address of its files. */

import { readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";
import type { EngineFiles } from "./package-files.ts";

/** Options of the bundler plugins. */
export interface AssetOptions {
  /**
   * Engines whose files the app ships: `webllm` for chat on WebGPU, `llamacpp` for chat without it and for GGUF
   * models, `transformers` for embeddings.
   *
   * @default all three
   */
  engines?: readonly EngineFiles[];

  /**
   * Folder for the files in the build's output.
   *
   * @default "infetch"
   */
  folder?: string;
}

/** Modules that look for workers and models beside themselves, in the folder `dist`. */
const MODULES = ["index.js", "port.js"];

/**
 * True for a module of this package that locates files by `import.meta.url`. It may be another copy than the plugin's:
 * pnpm installs one for each set of peer dependencies in a workspace.
 *
 * @param file a path as the bundler writes it: with slashes on Windows, or through a link
 */
export function locatesFiles(file: string): boolean {
  if (!MODULES.includes(basename(file))) return false;
  const folder = dirname(realPath(normalize(file)));
  return basename(folder) === "dist" && packageName(dirname(folder)) === "infetch";
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // Modules that a bundler makes up have no file.
    return path;
  }
}

function packageName(folder: string): unknown {
  try {
    return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).name;
  } catch {
    return undefined;
  }
}

/**
 * `addressHere` of the runtime as an expression: what relative addresses of the page resolve against, also in a worker
 * and an `about:srcdoc` frame. Nothing resolves against a `blob:` URL, which an inlined worker has: there it is the
 * origin.
 */
export const HERE = `((here) => (here.startsWith("blob:") ? origin : here))(typeof document === "undefined" ? location.href : document.baseURI)`;

/**
 * The source of such a module, with the address of the files in place of its own.
 *
 * @param address expression for the URL of an imagined `index.js` in the folder of the files
 */
export function relocate(code: string, address: string): string {
  return code.replaceAll("import.meta.url", () => `(${address})`);
}

/** `options.folder` without slashes at its ends. @throws {TypeError} for a folder outside of the output */
export function folderOf({ folder = "infetch" }: AssetOptions): string {
  const name = folder.replace(/^\/+|\/+$/g, "");
  if (!name || name.split("/").some((part) => part === ".." || part === "."))
    throw new TypeError(`folder must be a path inside of the output: it is "${folder}".`);
  return name;
}
