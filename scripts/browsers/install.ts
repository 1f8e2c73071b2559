/** Installs missing browsers, as far as this user may. */

import { resolve } from "node:path";
import { run } from "../shared/run.ts";

type Installation = () => Promise<void>;

const root = resolve(import.meta.dirname, "../..");
const mayInstallPackages = process.platform === "linux" && process.getuid?.() === 0;

/** Playwright's build of a browser, with its libraries where this user may install packages. */
export function playwrightBuild(name: string): Installation {
  const withLibraries = mayInstallPackages ? ["--with-deps"] : [];
  return () => run("npx", ["playwright", "install", ...withLibraries, name], root);
}

/** Packages of Debian; nothing where this user may not install any. */
export function debianPackages(names: readonly string[]): Installation[] {
  if (!mayInstallPackages) return [];
  return [
    async () => {
      await run("apt-get", ["update", "-qq"], root);
      await run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...names], root);
    },
  ];
}

/** What `find` finds, at once or after one of the installations; undefined if all of them fail. */
export async function findOrInstall<T>(
  name: string,
  find: () => T | undefined,
  installations: readonly Installation[],
): Promise<T | undefined> {
  const installed = find();
  if (installed !== undefined) return installed;
  console.log(`No ${name} found: installing one.`);
  for (const install of installations) {
    await install().catch((error: Error) => console.log(error.message));
    const found = find();
    if (found !== undefined) return found;
  }
  return undefined;
}
