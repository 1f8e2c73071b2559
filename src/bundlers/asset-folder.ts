/** What the bundler plugins have in common: their options, and the entry with another address of its files. */

import { realpathSync } from "node:fs";
import { basename, join, normalize } from "node:path";
import { distFolder, type EngineFiles } from "./package-files.ts";

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

/** Modules that look for workers and models beside themselves. */
const MODULES = ["index.js", "port.js"].map((name) => join(distFolder, name));

/**
 * True for a module of this package that locates files by `import.meta.url`.
 *
 * @param file a path as the bundler writes it: with slashes on Windows, or through a link
 */
export function locatesFiles(file: string): boolean {
  if (!MODULES.some((module) => basename(module) === basename(file))) return false;
  const path = normalize(file);
  return MODULES.includes(path) || MODULES.includes(realPath(path));
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // Modules that a bundler makes up have no file.
    return path;
  }
}

/**
 * The source of such a module, with the address of the files in place of its own.
 *
 * @param address expression for the URL of an imagined `index.js` in the folder of the files
 */
export function relocate(code: string, address: string): string {
  return code.replaceAll("import.meta.url", () => `(${address})`);
}

/** `options.folder` without slashes at its ends. */
export function folderOf({ folder = "infetch" }: AssetOptions): string {
  const name = folder.replace(/^\/+|\/+$/g, "");
  if (!name || name.split("/").some((part) => part === ".." || part === "."))
    throw new TypeError(`folder must be a path inside of the output: it is "${folder}".`);
  return name;
}
