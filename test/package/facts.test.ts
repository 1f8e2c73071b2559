/** Sizes and counts in the documents match this build; `npm run facts` writes them. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { type Facts, measureFacts } from "../../scripts/facts/measure.ts";
import { FACT_DOCUMENTS, factsIn, writeFacts } from "../../scripts/facts/write.ts";
import { root } from "./support/tarball.ts";

let facts: Facts;
beforeAll(async () => {
  facts = await measureFacts();
});

test.each(FACT_DOCUMENTS)("%s gives them as they are", async (path) => {
  const text = await readFile(join(root, path), "utf8");
  expect(factsIn(text).length).toBeGreaterThan(0);
  expect(text, "run `npm run facts`").toBe(writeFacts(text, facts));
});

test("no size of the package stands in them unmeasured", async () => {
  for (const path of FACT_DOCUMENTS) {
    const text = (await readFile(join(root, path), "utf8")).replaceAll(/<!-- fact .*?<!-- \/fact -->/g, "");
    const unmeasured = text.split("\n").filter((line) => /\d KB|unpacked.*\d MB|\d files\b/.test(line));
    expect(unmeasured).toEqual([]);
  }
});

test("a fact that is not known is refused", () => {
  expect(() => writeFacts("<!-- fact nothing -->1<!-- /fact -->", facts)).toThrow("nothing");
});
