/** Each test of a page runs in all browsers, or has its reason in `scripts/test/chromium-only.ts`. */

import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { chromiumOnly, isChromiumOnly, matches, testFiles } from "../../scripts/test/chromium-only.ts";
import { matrixTests } from "../../scripts/test/extent.ts";

const root = resolve(import.meta.dirname, "../..");

/** Whether a file runs in Firefox and WebKit: by the matrix, or by starting them. */
async function runsInAll(file: string): Promise<boolean> {
  if (!file.endsWith(".browser.test.ts"))
    return /scripts\/browsers\/browsers\.ts|support\/round-browser\.ts/.test(
      await readFile(resolve(root, file), "utf8"),
    );
  return (["firefox", "webkit"] as const).every((name) =>
    matches(file, [
      ...matrixTests(name, 0, "quick"),
      ...[0, 1].flatMap((day) => matrixTests(name, day, "rest")),
    ]),
  );
}

test("each test of a page runs in Chromium, Firefox and WebKit, or says why not", async () => {
  const folders = ["test/browser", "test/compliance", "test/demo", "test/tabs"];
  const files = (await Promise.all(folders.map((folder) => testFiles(root, folder)))).flat();
  const inAll = await Promise.all(files.map(runsInAll));
  expect(files.filter((file, at) => !inAll[at] && !isChromiumOnly(file))).toEqual([]);
  // A browser test that runs in all of them is not in the table.
  expect(
    files.filter((file, at) => inAll[at] && file.endsWith(".browser.test.ts") && isChromiumOnly(file)),
  ).toEqual([]);
  for (const one of chromiumOnly)
    expect(
      files.filter((file) => isChromiumOnly(file, [one])),
      one.files,
    ).not.toEqual([]);
});
