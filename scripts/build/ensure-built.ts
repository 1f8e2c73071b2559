/** Builds if there is no build or a source is newer. */

import { readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { run } from "../shared/run.ts";

const root = resolve(import.meta.dirname, "../..");
/** Written at the end of every build. */
export const buildStamp = resolve(root, ".build/built");

/** Files and folders that a build is made of, besides dependencies. */
export const SOURCES = [
  "src",
  "worker",
  "demo",
  "models/gguf",
  "models/library",
  "models/tiny-chat",
  "models/tiny-embed",
  "models/tiny-vision",
  "scripts/host",
  "scripts/shared/command.ts",
  "scripts/model-manifest",
  "scripts/build.ts",
  "scripts/build",
  "vite.config.ts",
  "package.json",
];

const KEEP_BUILD = "INFETCH_KEEP_BUILD";

/** While tests run, their commands build nothing here: that would replace files that the tests use. */
export function keepBuild(): void {
  process.env[KEEP_BUILD] = root;
}

/** @throws if the build fails */
export async function ensureBuilt(): Promise<void> {
  if (process.env[KEEP_BUILD] === root) return;
  const isThere = (await modifiedAtMs(resolve(root, "dist/index.js"))) > 0;
  const builtAtMs = isThere ? await modifiedAtMs(buildStamp) : 0;
  const changedAtMs = Math.max(...(await Promise.all(SOURCES.map((name) => newestIn(join(root, name))))));
  if (builtAtMs >= changedAtMs) return;
  console.error(builtAtMs === 0 ? "No build yet: building." : "The sources changed: building.");
  // Progress goes to stderr; stdout is the command's.
  await run(process.execPath, ["--import", "tsx", "scripts/build.ts"], root, "stderr");
}

async function modifiedAtMs(path: string): Promise<number> {
  return stat(path).then(
    (stats) => stats.mtimeMs,
    () => 0,
  );
}

async function newestIn(path: string): Promise<number> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => undefined);
  if (!entries) return modifiedAtMs(path);
  const times = await Promise.all(
    entries.map((entry) =>
      entry.isDirectory() ? newestIn(join(path, entry.name)) : modifiedAtMs(join(path, entry.name)),
    ),
  );
  return Math.max(0, ...times);
}
