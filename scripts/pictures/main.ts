/** `npm run pictures`: records the console, in Chromium, for the README. */

import { mkdir, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { chromium, type Page } from "playwright";
import { chromiumArguments, findChromium } from "../browsers/chromium.ts";
import { ensureBuilt } from "../build/ensure-built.ts";
import { closeServer, createStaticServer, listen } from "../servers/static-server.ts";
import { runCommand } from "../shared/command.ts";
import { encodeGif, type Frame } from "./gif.ts";

const root = resolve(import.meta.dirname, "../..");
const folder = resolve(root, "docs/pictures");
const SIZE = { width: 900, height: 560 };
/** Between two screenshots, and how long each is shown. */
const FRAME_MS = 120;
const LAST_FRAME_MS = 3_000;

const SCENE = ["Hello! Who are you?", "What is 17 + 25?", "What is the capital of Italy?"];

await runCommand(async () => {
  await ensureBuilt();
  await mkdir(folder, { recursive: true });
  const server = createStaticServer({ "/": resolve(root, ".build/demo") });
  const address = await listen(server, 0);
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments });
  try {
    const page = await browser.newPage({ viewport: SIZE, colorScheme: "light" });
    await page.goto(`${address}/#/chat`);
    await page.getByRole("status").getByText("Ready", { exact: true }).waitFor();
    const gif = encodeGif(await record(page));
    await writeFile(resolve(folder, "console.gif"), gif);
    console.log(`docs/pictures/console.gif: ${Math.round(gif.length / 1000)} kB`);
  } finally {
    await browser.close();
    await closeServer(server);
  }
});

/** Asks the questions of the scene and takes a picture at every step that shows a change. */
async function record(page: Page): Promise<Frame[]> {
  const frames: Frame[] = [];
  const capture = async (durationMs = FRAME_MS): Promise<void> => {
    const png = await page.screenshot();
    const last = frames.at(-1);
    if (last?.png.equals(png)) last.durationMs += durationMs;
    else frames.push({ png, durationMs });
  };
  for (const [at, question] of SCENE.entries()) {
    const box = page.getByLabel("Your message");
    for (let length = 4; length < question.length + 4; length += 4) {
      await box.fill(question.slice(0, length));
      await capture();
    }
    await page.keyboard.press("Enter");
    const isDone = async (): Promise<boolean> => (await page.locator(".stats").count()) > at;
    while (!(await isDone())) {
      await capture();
      await page.waitForTimeout(FRAME_MS);
    }
    await capture(LAST_FRAME_MS);
  }
  return frames;
}
