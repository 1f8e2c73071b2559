/** Ensures that Firefox and WebKit are available: installed, else Debian's package, else Playwright's build. */

import { type FoundBrowser, findBrowser } from "./browsers.ts";
import { debianPackages, findOrInstall, playwrightBuild } from "./install.ts";

const PACKAGES = {
  firefox: ["firefox-esr"],
  webkit: ["webkit2gtk-driver", "libwebkit2gtk-4.1-0", "xvfb"],
};

/** @throws if none is found and none can be installed, with instructions */
export async function ensureBrowser(name: keyof typeof PACKAGES): Promise<FoundBrowser> {
  const packages = PACKAGES[name];
  const installations = [...debianPackages(packages), playwrightBuild(name)];
  const found = await findOrInstall(name, () => findBrowser(name), installations);
  if (found) return found;
  throw new Error(
    `no ${name}: install Debian's ${packages.join(" ")}, run "npx playwright install ${name}", or set ${name.toUpperCase()}_PATH`,
  );
}
