/** Finds the browser for tests and commands, and its arguments. */

import { existsSync } from "node:fs";
import { chromium } from "playwright";

const QUIET = [
  "--no-sandbox",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** No background traffic, and software WebGPU if there is no GPU. */
export const chromiumArguments = [...QUIET, "--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader"];

/** The machine's own GPU: `CHROMIUM_PATH` can name a Chromium on lavapipe (`scripts/lavapipe`). */
export const gpuArguments = [...QUIET, "--enable-unsafe-webgpu", "--use-webgpu-adapter=default"];

/** The same without WebGPU. */
export const withoutWebGPU = [...QUIET, "--disable-blink-features=WebGPU"];

/** For tests of any engine: llama.cpp loads in a third of the time of software WebGPU. */
export const anyEngine = withoutWebGPU;

const INSTALLED = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/**
 * The executable: `CHROMIUM_PATH` if set, else an installed Chrome or Chromium, else Playwright's path, even if
 * nothing is installed there yet (see `ensure-chromium.ts`).
 */
export function findChromium(): string {
  const wanted = process.env.CHROMIUM_PATH;
  if (wanted) return wanted;
  return INSTALLED.find((path) => existsSync(path)) ?? chromium.executablePath();
}
