/** Ensures that Chromium is available: installed, else Playwright's, else Debian's package. */

import { existsSync } from "node:fs";
import { findChromium } from "./chromium.ts";
import { debianPackages, findOrInstall, playwrightBuild } from "./install.ts";

/** @throws if none is found and none can be installed, with instructions */
export async function ensureChromium(): Promise<string> {
  const find = (): string | undefined => {
    const path = findChromium();
    return existsSync(path) ? path : undefined;
  };
  const installations = [playwrightBuild("chromium"), ...debianPackages(["chromium"])];
  const found = await findOrInstall("Chrome or Chromium", find, installations);
  if (found !== undefined) return found;
  throw new Error("No browser: install Chrome or Chromium, or set CHROMIUM_PATH to the executable of one.");
}
