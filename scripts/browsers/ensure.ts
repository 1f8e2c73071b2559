/** Ensures that Firefox and WebKit are available: installed, else Debian's package, else Playwright's build. */

import { resolve } from "node:path";
import { run } from "../shared/run.ts";
import { type FoundBrowser, findBrowser } from "./browsers.ts";

const root = resolve(import.meta.dirname, "../..");

const PACKAGES = {
  firefox: ["firefox-esr"],
  webkit: ["webkit2gtk-driver", "libwebkit2gtk-4.1-0", "xvfb"],
};

/** @throws if none is found and none can be installed, with instructions */
export async function ensureBrowser(name: keyof typeof PACKAGES): Promise<FoundBrowser> {
  const mayInstallPackages = process.platform === "linux" && process.getuid?.() === 0;
  const attempts: (() => Promise<void>)[] = [
    ...(mayInstallPackages ? [() => installPackages(PACKAGES[name])] : []),
    () => run("npx", ["playwright", "install", ...(mayInstallPackages ? ["--with-deps"] : []), name], root),
  ];
  let found = findBrowser(name);
  if (!found) console.log(`No ${name} found: installing one.`);
  for (const attempt of found ? [] : attempts) {
    await attempt().catch((error: Error) => console.log(error.message));
    found = findBrowser(name);
    if (found) break;
  }
  if (found) return found;
  const packages = PACKAGES[name].join(" ");
  throw new Error(
    `no ${name}: install Debian's ${packages}, run "npx playwright install ${name}", or set ${name.toUpperCase()}_PATH`,
  );
}

async function installPackages(packages: readonly string[]): Promise<void> {
  await run("apt-get", ["update", "-qq"], root);
  await run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...packages], root);
}
