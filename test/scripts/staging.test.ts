/** A build replaces the one before at its end, so that tests and servers that use that one miss no file. */

import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Staging } from "../../scripts/build/staging.ts";

let root: string;
let staging: Staging;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "infetch-staging-"));
  staging = new Staging(join(root, "next"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

test("the files of before are there until all new ones are, and then only these", async () => {
  const dist = join(root, "dist");
  await mkdir(dist);
  await writeFile(join(dist, "old.js"), "old");
  await writeFile(join(dist, "both.js"), "old");
  const next = await staging.folder(dist);
  const page = await staging.folder(join(root, "page"));
  await writeFile(join(next, "both.js"), "new");
  await writeFile(join(page, "index.html"), "page");
  expect(await readFile(join(dist, "both.js"), "utf8")).toBe("old");
  await staging.replace();
  expect(await readFile(join(dist, "both.js"), "utf8")).toBe("new");
  expect(existsSync(join(dist, "old.js"))).toBe(false);
  expect(await readFile(join(root, "page/index.html"), "utf8")).toBe("page");
  staging.delete();
  expect(existsSync(join(root, "next"))).toBe(false);
  expect(existsSync(join(dist, "both.js"))).toBe(true);
});

test("a build that fails leaves the files of before", async () => {
  await mkdir(join(root, "dist"));
  await writeFile(join(root, "dist/old.js"), "old");
  await staging.folder(join(root, "dist"));
  staging.delete();
  expect(await readFile(join(root, "dist/old.js"), "utf8")).toBe("old");
});
