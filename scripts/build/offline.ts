/** Makes a built page work offline: adds its manifest, and a service worker with the hash of every file. */

import { createHash } from "node:crypto";
import { copyFile, readdir, readFile } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import { build, mergeConfig } from "vite";
import { moduleConfig } from "../../vite.config.ts";

const root = resolve(import.meta.dirname, "../..");
const WORKER = "service-worker";
/**
 * Files that pages do not load, llama.cpp's compat build, which old browsers cache on use, and the vision model, which
 * is fetched when it is named.
 */
const LEFT_OUT =
  /^infetch\/(types|llamacpp\/compat|models\/infetch-tiny-vision|(port|install|service-worker)\.js|index\.jsx)|\.map$/;

/** @param folder the built page, complete except for its service worker */
export async function buildOffline(folder: string): Promise<void> {
  for (const name of ["manifest.webmanifest", "icon.svg"]) {
    await copyFile(resolve(root, "demo", name), join(folder, name));
  }
  const __PRECACHE__ = JSON.stringify(await listFiles(folder));
  await build(
    mergeConfig(moduleConfig(`demo/${WORKER}.ts`, WORKER, { __PRECACHE__ }), {
      resolve: { alias: { "infetch/service-worker": join(folder, "infetch/service-worker.js") } },
      build: { outDir: folder },
    }),
  );
}

/** Files to precache, in Workbox's format. */
async function listFiles(folder: string): Promise<{ url: string; revision: string }[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const urls = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, "/"))
    .filter((url) => !LEFT_OUT.test(url) && url !== `${WORKER}.js`)
    .sort();
  return Promise.all(
    urls.map(async (url) => {
      const hash = createHash("sha256").update(await readFile(join(folder, url)));
      return { url, revision: hash.digest("hex").slice(0, 16) };
    }),
  );
}
