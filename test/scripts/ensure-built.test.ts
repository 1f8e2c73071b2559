/** The commands build again when a part of the build changed. */

import { readFile } from "node:fs/promises";
import { dirname, relative, resolve } from "node:path";
import { expect, test } from "vitest";
import { SOURCES } from "../../scripts/build/ensure-built.ts";

const root = resolve(import.meta.dirname, "../..");

/** Not part of what is built. */
const TOOLS = ["scripts/shared/run.ts"];

/** The modules that a module imports, and theirs. */
async function importsOf(path: string, found = new Set<string>()): Promise<Set<string>> {
  if (found.has(path)) return found;
  found.add(path);
  const text = await readFile(path, "utf8");
  for (const [, name = ""] of text.matchAll(/^(?:import|export|\}).* from "(\.[^"]+\.ts)";/gm)) {
    await importsOf(resolve(dirname(path), name), found);
  }
  return found;
}

test("every module of the build, and every folder of models that it reads, is watched", async () => {
  const modules = await importsOf(resolve(root, "scripts/build.ts"));
  const texts = await Promise.all([...modules].map((path) => readFile(path, "utf8")));
  const folders = texts.flatMap((text) => [...text.matchAll(/models\/tiny-[a-z]+/g)].map(([name]) => name));
  expect(folders.length).toBeGreaterThan(2);
  const read = [...[...modules].map((path) => relative(root, path)), ...folders];
  const isWatched = (path: string) =>
    SOURCES.some((source) => path === source || path.startsWith(`${source}/`));
  expect(read.filter((path) => !isWatched(path) && !TOOLS.includes(path))).toEqual([]);
});
