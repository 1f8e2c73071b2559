/** Which modules the plugins of bundlers give the address of the package's files. */

import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { locatesFiles } from "../../../src/bundlers/asset-folder.ts";

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
