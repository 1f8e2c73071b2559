/** The package as users get it: packed from this working tree and installed into an empty folder. */

import { execFile } from "node:child_process";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { chromium } from "playwright";
import { expect } from "vitest";
import { chromiumArguments, findChromium } from "../../../scripts/browsers/chromium.ts";

export const root = resolve(import.meta.dirname, "../../..");
const npm = (args: string[], cwd: string) => promisify(execFile)("npm", args, { cwd });

export interface Installed {
  /** An app's folder, with `node_modules/infetch` and the plain app's files. */
  folder: string;
  tarball: string;
  /** Paths inside the tarball. */
  packed: string[];
  remove(): Promise<void>;
}

/** Packs this working tree into a folder. */
export async function packTarball(folder: string): Promise<Pick<Installed, "tarball" | "packed">> {
  const { stdout } = await npm(["pack", "--ignore-scripts", "--json", "--pack-destination", folder], root);
  const [packed] = JSON.parse(stdout) as { filename: string; files: { path: string }[] }[];
  return { tarball: join(folder, packed!.filename), packed: packed!.files.map((file) => file.path) };
}

/** @throws {Error} when the package cannot be packed or installed without the network */
export async function installPackage(): Promise<Installed> {
  const folder = await mkdtemp(join(tmpdir(), "infetch-package-"));
  const { tarball, packed } = await packTarball(folder);
  await writeFile(join(folder, "package.json"), '{ "private": true, "type": "module" }');
  await cp(join(root, "test/fixtures/plain-app"), folder, { recursive: true });
  await npm(["install", "--ignore-scripts", "--offline", "--no-audit", "--no-fund", tarball], folder);
  return {
    folder,
    tarball,
    packed,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Opens the app in Chromium and expects a real reply, a real vector, no errors and no cross-origin requests. */
export async function expectReply(address: string): Promise<void> {
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments });
  try {
    const page = await browser.newPage();
    const faults: string[] = [];
    page.on("pageerror", (error) => faults.push(error.message));
    page.on("request", (request) => {
      const { protocol, origin } = new URL(request.url());
      if (protocol !== "data:" && origin !== new URL(address).origin) faults.push(request.url());
    });
    await page.goto(address);
    await page.waitForFunction(() => document.title === "answered", undefined, { timeout: 120_000 });
    const { status, reply, vectors } = JSON.parse((await page.textContent("body"))!);
    expect(status).toBe(200);
    expect(reply.choices[0].message.content.length).toBeGreaterThan(0);
    expect(vectors.data[0].embedding.length).toBeGreaterThan(0);
    expect(faults).toEqual([]);
  } finally {
    await browser.close();
  }
}
