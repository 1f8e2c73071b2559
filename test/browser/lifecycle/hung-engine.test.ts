/** An engine's worker in an endless loop: it answers nothing, and takes no abort. */

import type { Page, Worker } from "playwright";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ends } from "../../faults/support/watchdog.ts";
import { follow, type Sighting, streamOf, UNENDING, usageOf } from "../../tabs/support/requests.ts";
import { Tabs } from "../../tabs/support/tabs.ts";

const ANSWER = { ...UNENDING, max_tokens: 4 };
/** Two minutes are too long for a test: the server counts twenty seconds in one. */
const IMPATIENT = `{
  const original = setInterval;
  globalThis.setInterval = (work, ms) => original(work, ms === 1000 ? 50 : ms);
}`;

let tabs: Tabs;
let page: Page;
let tokens: number;

beforeEach(async () => {
  tabs = await Tabs.open();
  page = await tabs.newTab();
  tokens = 0;
  await page.exposeFunction("note", (seen: Sighting) => {
    if (seen.name === "stream") tokens = seen.tokens;
  });
  expect(await follow(page, "first", ANSWER)).toMatchObject({ end: "done" });
  await workerOf("server").evaluate(IMPATIENT);
});
afterEach(() => tabs?.close());

function workerOf(file: string): Worker {
  return page.workers().find((worker) => worker.url().endsWith(`/worker/${file}.js`))!;
}

/** In a task of its own, so that the call returns. */
const hang = () => workerOf("llamacpp").evaluate("void setTimeout(() => { for (;;); })");

/** Outcomes and tokens of all requests, each once. */
async function expectCharged(charges: [string, number][]): Promise<void> {
  await expect
    .poll(async () =>
      (await usageOf(page)).map(({ outcome, outputTokens }) => [outcome, outputTokens]).sort(),
    )
    .toEqual([["completed", 4], ...charges].sort());
}

test("in the middle of a stream: the stream ends with an error, what waits is answered by another engine", async () => {
  const stream = follow(page, "stream", streamOf(900));
  await expect.poll(() => tokens, { interval: 5 }).toBeGreaterThan(3);
  await hang();
  const waiting = [follow(page, "whole", ANSWER), follow(page, "next", streamOf(5))];
  const cut = await ends("the stream", stream);
  expect(cut).toMatchObject({ status: 200, end: "engine_lost" });
  for (const one of await ends("the others", Promise.all(waiting)))
    expect(one).toMatchObject({ status: 200, end: "done" });
  await expectCharged([
    ["failed", cut.tokens],
    ["completed", 4],
    ["completed", 5],
  ]);
});

test("while nothing runs: the next requests are answered by another engine, not refused for their prompts", async () => {
  await hang();
  const sent = [follow(page, "whole", ANSWER), follow(page, "stream", streamOf(5))];
  for (const one of await ends("the requests", Promise.all(sent)))
    expect(one).toMatchObject({ status: 200, end: "done" });
  await expectCharged([
    ["completed", 4],
    ["completed", 5],
  ]);
});
