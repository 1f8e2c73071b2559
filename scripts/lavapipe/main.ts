/**
 * `npm run lavapipe -- <libvulkan_lvp.so>` writes `.build/lavapipe/chromium`: an installed Chromium whose WebGPU runs on
 * Mesa's lavapipe, which has `shader-f16`, unlike SwiftShader. Needs Linux, `cc` and lavapipe of Mesa 25 or later
 * (`CONTRIBUTING.md`).
 */

import { chmod, cp, mkdir, realpath, rm, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { run } from "../shared/run.ts";

const lavapipe = resolve(process.argv[2] ?? "/usr/lib/x86_64-linux-gnu/libvulkan_lvp.so");
const installed = process.env.CHROMIUM_FOLDER ?? dirname(await realpath("/usr/lib/chromium/chromium"));
const folder = resolve(import.meta.dirname, "../../.build/lavapipe");
const browser = resolve(folder, "browser");
const driver = resolve(folder, "driver.so");
const description = resolve(folder, "driver.json");

await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
await run(
  "cc",
  [
    "-shared",
    "-fPIC",
    "-O2",
    `-DLAVAPIPE="${lavapipe}"`,
    "-o",
    driver,
    resolve(import.meta.dirname, "as-swiftshader.c"),
    "-ldl",
  ],
  folder,
);
const icd = { file_format_version: "1.0.0", ICD: { library_path: driver, api_version: "1.3.0" } };
await writeFile(description, JSON.stringify(icd));
// Chromium looks for SwiftShader beside its executable and would prefer it.
await cp(installed, browser, { recursive: true });
await rm(resolve(browser, "libvk_swiftshader.so"), { force: true });
const start = resolve(folder, "chromium");
await writeFile(
  start,
  `#!/bin/sh\nVK_ICD_FILENAMES='${description}' exec '${browser}/chromium' "$@" --enable-features=Vulkan --use-angle=vulkan --ignore-gpu-blocklist\n`,
);
await chmod(start, 0o755);
process.stdout.write(`CHROMIUM_PATH=${start} npm run test:gpu\n`);
