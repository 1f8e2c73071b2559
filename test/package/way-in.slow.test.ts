/** From an empty folder to a first reply, with each bundler, half of them a day, as docs/packaging.md says. */

import { type Browser, chromium } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { chromiumArguments, findChromium } from "../../scripts/browsers/chromium.ts";
import { ofTheDay } from "../support/random.ts";
import { EmptyFolder } from "./support/empty-folder.ts";
import { firstToken } from "./support/first-token.ts";
import { type Recipe, recipes } from "./support/recipes.ts";
import { serveStatic, serveWith } from "./support/served.ts";
import { packTarball } from "./support/tarball.ts";
import { expectRow, type Measured, writeTable } from "./support/way-in-table.ts";

const measured = new Map<Recipe, Measured>();
const writes = Boolean(process.env.WRITE_TABLES);
const tried = writes ? recipes : ofTheDay(recipes);
let browser: Browser;
let tarball: string;
let place: EmptyFolder;

beforeAll(async () => {
  place = await EmptyFolder.create();
  ({ tarball } = await packTarball(place.path));
  browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments });
});

afterAll(async () => {
  await browser?.close();
  await place?.remove();
});

test.each(tried.map((recipe) => [recipe.name, recipe] as const))("%s", async (_, recipe) => {
  const app = await EmptyFolder.create();
  try {
    await app.install(tarball, recipe.packages);
    await app.write(recipe.files);
    for (const command of recipe.commands) await app.type(command);
    const served = recipe.serve
      ? await serveWith(app.path, recipe.serve)
      : await serveStatic(app.path, recipe.output[0]!);
    try {
      const firstTokenMs = await firstToken(browser, served.address);
      measured.set(recipe, { bytes: await app.bytesIn(recipe.output), firstTokenMs });
    } finally {
      await served.close();
    }
  } finally {
    await app.remove();
  }
  if (!writes) await expectRow(recipe, measured.get(recipe)!);
});

if (writes) {
  test("the table is written", async () => {
    expect(measured.size).toBe(recipes.length);
    await writeTable(measured);
  });
}
