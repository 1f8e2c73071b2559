/** `infetch copy`: the package's files in a folder that an app serves. */

import { copyFile, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import { distFolder, type EngineFiles, packageFiles } from "./package-files.ts";

/** Written beside the files, so that the next copy removes what it replaces. */
const LIST = "infetch-files.json";

/** What was copied: number of files and their bytes, and the number of files of an earlier copy that were removed. */
interface Copied {
  files: number;
  bytes: number;
  removed: number;
}

/**
 * Copies the files that pages load by URL. Files of an earlier copy that are no longer needed are removed; other files
 * of the folder stay.
 *
 * @param target folder, created if missing
 * @throws {TypeError} for an unknown engine
 */
export async function copyPackage(target: string, engines?: readonly EngineFiles[]): Promise<Copied> {
  const paths = await packageFiles(engines);
  const folder = resolve(target);
  const old = (await listedFiles(folder)).filter((path) => !paths.includes(path));
  for (const path of old) await rm(join(folder, path), { force: true });
  let bytes = 0;
  for (const path of paths) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await copyFile(join(distFolder, path), file);
    bytes += (await stat(file)).size;
  }
  await writeFile(join(folder, LIST), `${JSON.stringify(paths, null, 1)}\n`);
  return { files: paths.length, bytes, removed: old.length };
}

/** Files of the previous copy; none if the list is missing or broken, and none outside of the folder. */
async function listedFiles(folder: string): Promise<string[]> {
  const text = await readFile(join(folder, LIST), "utf8").catch(() => "[]");
  let listed: unknown;
  try {
    listed = JSON.parse(text);
  } catch {
    return [];
  }
  if (!Array.isArray(listed)) return [];
  return listed.filter((path) => typeof path === "string" && resolve(folder, path).startsWith(folder + sep));
}
