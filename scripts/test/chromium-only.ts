/** Tests of pages that run in Chromium alone, and why. All others run in Firefox and WebKit, too. */

import { readdir } from "node:fs/promises";
import { resolve } from "node:path";
import { createFilter } from "vite";

interface ChromiumOnly {
  /** A glob, from the project root. */
  files: string;
  because: string;
}

export const chromiumOnly: readonly ChromiumOnly[] = [
  {
    files: "test/browser/{engines,model-library}/**/*.browser.test.ts",
    because: "web-llm needs WebGPU, which the tested Firefox and WebKitGTK lack",
  },
  {
    files: "test/browser/batches/side-by-side.browser.test.ts",
    because: "lines of a batch run side by side on WebGPU only",
  },
  {
    files:
      "test/browser/chat/{custom-tools,draws,end-tokens,fixed-prompts,heavy-schemas,penalties,prompt-logprobs,random-requests,special-tokens}.browser.test.ts",
    because: "they test engines, which are the same code in each browser, for minutes",
  },
  {
    files: "test/browser/chat/{long,mixed}-load.browser.test.ts",
    because: "they test queues and engines, which are the same code in each browser, for minutes",
  },
  {
    files: "test/browser/llamacpp/*.browser.test.ts",
    because: "they test llama.cpp, which is the same code in each browser, for minutes",
  },
  {
    files: "test/browser/embeddings/clients.browser.test.ts",
    because: "built-in.browser.test.ts and hub.browser.test.ts show the engine, chat/clients the SDK",
  },
  {
    files: "test/browser/lifecycle/{device-loss,engine-death,losses-side-by-side}.test.ts",
    because: "a worker or a graphics device is ended through the DevTools protocol",
  },
  {
    files: "test/browser/{lifecycle/hung-engine,llamacpp/{engine-loss,policy}}.test.ts",
    because: "code is run in workers through the DevTools protocol",
  },
  {
    files: "test/browser/{batches/{deaths,reload},billing/killed-*}.test.ts",
    because:
      "pages, workers and browsers are killed through the DevTools protocol; tabs/rounds does so in all",
  },
  {
    files: "test/browser/faults/!(*.browser|*.slow).test.ts",
    because:
      "faults are injected through the DevTools protocol, Playwright's routes and scripts before a page's",
  },
  {
    files: "test/browser/{batches/large-file,faults/{leaks,missing-files}}.slow.test.ts",
    because: "memory, heaps and requests are read through the DevTools protocol",
  },
  {
    files: "test/browser/{models,security}/!(*.browser).test.ts",
    because: "Playwright watches requests, workers and what is logged",
  },
  {
    files: "test/tabs/!(*.slow).test.ts",
    because: "Playwright watches workers and kills tabs; tabs/rounds and tabs/every-browser do so in all",
  },
  {
    files: "test/demo/*.test.ts",
    because: "Playwright's locators drive the console; console/every-browser chats in the others",
  },
];

/** Whether a file, by its path from the root, is in the table. */
export function isChromiumOnly(file: string, table = chromiumOnly): boolean {
  return table.some(({ files }) => matches(file, [files]));
}

/** Whether a path from the root matches one of the globs. */
export function matches(file: string, globs: readonly string[]): boolean {
  return matching([file], globs).length > 0;
}

/** The paths from the root that match one of the globs. */
export function matching(files: readonly string[], globs: readonly string[]): string[] {
  const matchesOne = createFilter([...globs], undefined, { resolve: "/" });
  return globs.length === 0 ? [] : files.filter((file) => matchesOne(`/${file}`));
}

/** The test files below a folder, by their path from the root. */
export async function testFiles(root: string, folder: string): Promise<string[]> {
  const names = await readdir(resolve(root, folder), { recursive: true });
  return names
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
    .sort();
}
