/** `npx infetch copy`: the files in an app's folder, and the list of them that a service worker can keep. */

import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { root } from "./support/tarball.ts";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "infetch-copy-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const copy = (...engines: string[]) =>
  promisify(execFile)(process.execPath, [join(root, "dist/cli.js"), "copy", folder, ...engines]);

const LIST = "infetch-files.json";

async function filesThere(): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name !== LIST)
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .sort();
}

const filesListed = async (): Promise<string[]> =>
  (JSON.parse(await readFile(join(folder, LIST), "utf8")) as string[]).sort();

test("infetch-files.json lists what was copied, also after a copy with fewer engines", async () => {
  const { stdout } = await copy();
  expect(stdout).toMatch(/^Copied \d+ files \([\d.]+ MB\) to /);
  const all = await filesThere();
  expect(all).toEqual(
    expect.arrayContaining(["worker/server.js", "worker/webllm.js", "llamacpp/wllama.wasm"]),
  );
  expect(await filesListed()).toEqual(all);

  await copy("--engines", "llamacpp");
  const fewer = await filesThere();
  expect(fewer).not.toContain("worker/webllm.js");
  expect(await filesListed()).toEqual(fewer);
});
