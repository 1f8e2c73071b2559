/** Which files of a folder a model's manifest lists. */

import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
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

test("files that are links, as in the cache of the hub's tools, are listed; links to folders are not", async () => {
  const folder = await mkdtemp(join(tmpdir(), "infetch-manifest-"));
  try {
    await mkdir(join(folder, "snapshot/onnx"), { recursive: true });
    await writeFile(join(folder, "blob"), "weights");
    await symlink("../../blob", join(folder, "snapshot/onnx/model.onnx"));
    await symlink("..", join(folder, "snapshot/parent"));
    await writeManifest(join(folder, "snapshot"));
    const { kind, files } = JSON.parse(await readFile(join(folder, "snapshot/infetch-model.json"), "utf8"));
    expect([kind, files]).toMatchObject(["embedding", [{ name: "onnx/model.onnx", bytes: 7 }]]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test.skipIf(process.platform === "win32")(
  "a file that no manifest can name is an error that names it",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "infetch-manifest-"));
    try {
      for (const name of ["a.gguf", "b:c"]) await writeFile(join(folder, name), "x");
      await expect(writeManifest(folder)).rejects.toThrow('cannot name the file "b:c"');
    } finally {
      await rm(folder, { recursive: true });
    }
  },
);

test("an edited manifest that is no longer JSON is named, and stays as it is", async () => {
  const folder = await mkdtemp(join(tmpdir(), "infetch-manifest-"));
  const path = join(folder, "infetch-model.json");
  try {
    await writeFile(join(folder, "a.gguf"), "x");
    await writeFile(path, '{ "licence": "mit", }');
    await expect(writeManifest(folder)).rejects.toThrow(`${path} is not valid JSON`);
    expect(await readFile(path, "utf8")).toBe('{ "licence": "mit", }');
  } finally {
    await rm(folder, { recursive: true });
  }
});
