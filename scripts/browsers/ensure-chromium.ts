/** Ensures that Chromium is available: installed, else Playwright's, else Debian's package. */

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { run } from "../shared/run.ts";
import { findChromium } from "./chromium.ts";

const root = resolve(import.meta.dirname, "../..");

/** @throws if none is found and none can be installed, with instructions */
export async function ensureChromium(): Promise<string> {
  if (existsSync(findChromium())) return findChromium();
  console.log("No Chrome or Chromium found: installing one.");
  const mayInstallPackages = process.platform === "linux" && process.getuid?.() === 0;
  const withLibraries = mayInstallPackages ? ["--with-deps"] : [];
  await attempt(() => run("npx", ["playwright", "install", ...withLibraries, "chromium"], root));
  if (existsSync(findChromium())) return findChromium();
  if (mayInstallPackages) {
    await attempt(() => run("apt-get", ["update", "-qq"], root));
    await attempt(() =>
      run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", "chromium"], root),
    );
  }
  if (existsSync(findChromium())) return findChromium();
  throw new Error("No browser: install Chrome or Chromium, or set CHROMIUM_PATH to the executable of one.");
}

async function attempt(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    console.log(String((error as Error).message));
  }
}
