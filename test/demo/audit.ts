/** Runs axe on the current page: any violation fails the test. */

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { expect, type Page } from "@playwright/test";
import type axe from "axe-core";

const source = readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** @param state shown with failures, for example "dark" */
export async function expectAccessible(page: Page, state: string): Promise<void> {
  // Through the debugger, which is exempt from the page's CSP.
  await page.evaluate(await source);
  const found = await page.evaluate(async () => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document);
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
    );
  });
  expect(found, state).toEqual([]);
}
