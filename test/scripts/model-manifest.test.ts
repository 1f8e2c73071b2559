/** Which files of a folder a model's manifest lists. */

import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { writeManifest } from "../../scripts/model-manifest/write-manifest.ts";

test("hidden files and folders, such as a clone's .git and the hub's .cache, are left out", async () => {
  const folder = await mkdtemp(join(tmpdir(), "infetch-manifest-"));
  try {
    for (const name of [
      "A.GGUF",
      "sub/b.json",
      ".gitattributes",
      ".git/objects/pack",
      ".cache/hub/a.gguf.metadata",
    ]) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), name);
    }
    await writeManifest(folder);
    const { kind, files } = JSON.parse(await readFile(join(folder, "infetch-model.json"), "utf8"));
    expect(files.map(({ name }: { name: string }) => name)).toEqual(["A.GGUF", "sub/b.json"]);
    expect(kind).toBe("chat");
  } finally {
    await rm(folder, { recursive: true });
  }
});
