/** axe on the page as it stands: what it calls serious or critical fails the test. */

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type axe from "axe-core";
import type { Page } from "playwright";
import { expect } from "vitest";

const source = readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** @param state said with what is found, for example "dark" */
export async function expectAccessible(page: Page, state: string): Promise<void> {
  // Through the debugger, which a page's policy does not bind.
  await page.evaluate(await source);
  const found = await page.evaluate(async () => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document);
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
      );
  });
  expect(found, state).toEqual([]);
}
