/** Tests that may be skipped, and why. Any other skip counts as a failure (`tally.ts`). */

export interface ExpectedSkip {
  /** Path from the project root. */
  file: string;
  /** Part of the test's name; if omitted, any test of the file. */
  name?: string;
  /** Vitest projects that may skip it; if omitted, all. */
  projects?: readonly string[];
  /** `process.platform` values that may skip it; if omitted, all. */
  platforms?: readonly NodeJS.Platform[];
  because: string;
}

/** Browser memory is read from `/proc`. */
const withoutProc = { platforms: ["darwin", "win32"], because: "there is no /proc" } as const;

/** Firefox and WebKit come from Playwright there. */
const playwrightBuilds = {
  platforms: ["darwin"],
  because: "Playwright crashes tabs of Chromium only",
} as const;

/** Left out by `test/support/leave-out.ts`. */
const noAsyncIteration = { projects: ["webkit"], because: "WebKit's streams cannot be iterated" } as const;

/** Compares the batch engine with web-llm's chat API. */
const comparesEngines = {
  projects: ["single-engine"],
  because: "both sides would be web-llm's chat API",
} as const;

export const expectedSkips: readonly ExpectedSkip[] = [
  { file: "test/browser/engines/batch-engine.browser.test.ts", ...comparesEngines },
  { file: "test/browser/engines/many-replies.browser.test.ts", ...comparesEngines },
  { file: "test/compliance/abort.browser.test.ts", name: "leaving for await", ...noAsyncIteration },
  { file: "test/compliance/response.browser.test.ts", name: "for await", ...noAsyncIteration },
  {
    file: "test/compliance/response.browser.test.ts",
    name: "a BYOB reader",
    projects: ["webkit"],
    because: "WebKit has no byte streams",
  },
  { file: "test/browser/batches/large-file.slow.test.ts", ...withoutProc },
  { file: "test/tabs/large-upload.slow.test.ts", ...withoutProc },
  { file: "test/tabs/every-browser.slow.test.ts", name: "(kill)", ...playwrightBuilds },
  { file: "test/tabs/rounds.slow.test.ts", ...playwrightBuilds },
  { file: "test/embeddings/memory.slow.test.ts", ...withoutProc },
  { file: "test/scripts/training.test.ts", because: "Python is needed for training only" },
];
