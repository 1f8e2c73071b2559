/** Repositories of the stand-in hub: files by commit, and the branches that name commits. */

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";

export interface HubFile {
  bytes: number;
  /** Hexadecimal. */
  sha256: string;
  /** SHA-1 of the git object, which is a pointer for files in large file storage. */
  oid: string;
  /** Whether it is in large file storage, and so served by the CDN. */
  isLarge: boolean;
  /** @param end exclusive */
  read(start: number, end: number): Readable;
}

/** `gated` lists its files to everyone but serves them to accepted users only; `private` exists only for its owner. */
export type HubAccess = "public" | "gated" | "private";

/** Endings that the hub's default `.gitattributes` puts into large file storage. */
const LARGE_FILE = /\.(bin|gguf|onnx|onnx_data|safetensors|wasm|model|pt|h5|msgpack)$/;
const LARGE_BYTES = 10_000_000;

export class HubRepository {
  /** `<org>/<model>` */
  readonly name: string;
  access: HubAccess = "public";
  readonly #commits = new Map<string, ReadonlyMap<string, HubFile>>();
  readonly #branches = new Map<string, string>();

  constructor(name: string) {
    this.name = name;
  }

  /**
   * Adds a commit with all files of the branch, replaced or completed by `files`, and moves the branch to it.
   *
   * @returns the commit's id
   */
  commit(files: Readonly<Record<string, HubFile | Uint8Array | string>>, branch = "main"): string {
    const before = this.#commits.get(this.#branches.get(branch) ?? "");
    const all = new Map(before);
    for (const [path, file] of Object.entries(files)) {
      const isFile = typeof file === "object" && "oid" in file;
      all.set(path, isFile ? file : fileOfBytes(path, Buffer.from(file as Uint8Array)));
    }
    const list = [...all].map(([path, { oid }]) => `${path} ${oid}`).sort();
    const id = sha1(`${this.#branches.get(branch)}\n${list.join("\n")}`);
    this.#commits.set(id, all);
    this.#branches.set(branch, id);
    return id;
  }

  /** Removes a commit, as squashing a branch's history does. */
  forget(commit: string): void {
    this.#commits.delete(commit);
  }

  /** The commit of a branch, or of its own id; undefined for an unknown revision. */
  resolve(revision: string): { commit: string; files: ReadonlyMap<string, HubFile> } | undefined {
    const commit = this.#branches.get(revision) ?? revision;
    const files = this.#commits.get(commit);
    return files && { commit, files };
  }
}

/** A file in memory. */
function fileOfBytes(path: string, bytes: Buffer): HubFile {
  const read = (start: number, end: number): Readable => Readable.from([bytes.subarray(start, end)]);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return describe(path, bytes.length, sha256, gitOid(bytes), read);
}

/** A file on disk, which may be too large for memory. */
async function fileOnDisk(name: string, path: string): Promise<HubFile> {
  const { size } = await stat(path);
  const hash = createHash("sha256");
  for await (const piece of createReadStream(path)) hash.update(piece as Buffer);
  const read = (start: number, end: number): Readable =>
    start === end ? Readable.from([]) : createReadStream(path, { start, end: end - 1 });
  const oid = size > LARGE_BYTES ? "" : gitOid(await readFile(path));
  return describe(name, size, hash.digest("hex"), oid, read);
}

/** One repository for each `<org>/<model>` folder in `folder`. */
export async function repositoriesIn(folder: string): Promise<HubRepository[]> {
  const found: HubRepository[] = [];
  for (const org of await foldersIn(folder)) {
    for (const model of await foldersIn(join(folder, org))) {
      const repository = new HubRepository(`${org}/${model}`);
      const root = join(folder, org, model);
      const entries = await readdir(root, { recursive: true, withFileTypes: true });
      const files: Record<string, HubFile> = {};
      for (const entry of entries.filter((one) => one.isFile())) {
        const path = join(entry.parentPath, entry.name);
        const name = path.slice(root.length + 1).replaceAll("\\", "/");
        files[name] = await fileOnDisk(name, path);
      }
      repository.commit(files);
      found.push(repository);
    }
  }
  return found;
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .map(({ name }) => name)
    .sort();
}

function describe(path: string, bytes: number, sha256: string, oid: string, read: HubFile["read"]): HubFile {
  const isLarge = bytes > LARGE_BYTES || LARGE_FILE.test(path);
  return { bytes, sha256, isLarge, oid: isLarge ? gitOid(Buffer.from(pointer(sha256, bytes))) : oid, read };
}

/** What git stores in place of a file in large file storage. */
export function pointer(sha256: string, bytes: number): string {
  return `version https://git-lfs.github.com/spec/v1\noid sha256:${sha256}\nsize ${bytes}\n`;
}

function gitOid(bytes: Buffer): string {
  return sha1(`blob ${bytes.length}\0`, bytes);
}

function sha1(...parts: (string | Buffer)[]): string {
  const hash = createHash("sha1");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
}
