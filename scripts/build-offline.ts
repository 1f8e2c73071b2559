/** Makes a built page work offline: its manifest, and a service worker that knows every file of it by its hash. */

import { createHash } from "node:crypto";
import { copyFile, readdir, readFile } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import { build, mergeConfig } from "vite";
import { distFolder, moduleConfig } from "../vite.config.ts";

const root = resolve(import.meta.dirname, "..");
const WORKER = "service-worker";
/**
 * Nothing that a running page asks for; and the build of llama.cpp for old browsers, which those keep by using it.
 */
const LEFT_OUT = /^infetch\/(types|llamacpp\/compat|(port|install|service-worker)\.js)|\.map$/;

/** @param folder of the built page, complete but for its service worker */
export async function buildOffline(folder: string): Promise<void> {
  for (const name of ["manifest.webmanifest", "icon.svg"]) {
    await copyFile(resolve(root, "demo", name), join(folder, name));
  }
  const __PRECACHE__ = JSON.stringify(await listFiles(folder));
  await build(
    mergeConfig(moduleConfig(`demo/${WORKER}.ts`, WORKER, { __PRECACHE__ }), {
      resolve: { alias: { "infetch/service-worker": join(distFolder, "service-worker.js") } },
      build: { outDir: folder },
    }),
  );
}

/** What the service worker keeps, as Workbox wants it. */
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
