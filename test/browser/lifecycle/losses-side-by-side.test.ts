/** Faults while several requests of one model run: each ends with its reply or an error, and is charged once. */

import type { Page, Worker } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { chromiumArguments } from "../../../scripts/browsers/chromium.ts";
import { fc, seed } from "../../support/random.ts";
import { follow, type Sighting, streamOf, UNENDING, usageOf } from "../../tabs/support/requests.ts";
import { leads, Tabs, type TabWindow } from "../../tabs/support/tabs.ts";

type UsageEvent = import("infetch/billing").UsageEvent;
type Stats = import("infetch").StatsEvent;
type Window = TabWindow & { losses: number };

/** No other engine may take over from a failing GPU. */
const MODEL = { model: "on-gpu" };
const ask = (content: string) => [{ role: "user", content }];
const STREAMS = ["Count to ten.", "Count to twenty."].map((content) => ({
  ...streamOf(1_000),
  ...MODEL,
  messages: ask(content),
}));
/** With the streams more than run at once. */
const WHOLE = [
  { messages: ask("Hello!"), max_tokens: 60 },
  { messages: ask("Who are you?"), max_tokens: 40, n: 2 },
  { messages: ask("What is two plus two?"), max_tokens: 20 },
].map((body) => ({ ...UNENDING, ...MODEL, ...body }));

let tabs: Tabs;
let page: Page;
/** The replies of {@link WHOLE}, each alone. */
const alone: (string[] | undefined)[] = [];
const sightings = new Map<string, Sighting>();

/** A tab that notes what its requests receive. */
async function openTab(): Promise<Page> {
  const tab = await tabs.newPage();
  await tab.exposeFunction("note", (seen: Sighting) => void sightings.set(seen.name, seen));
  await tab.evaluate(`import("/package/index.js").then(async ({ createRuntime }) => {
    window.runtime = await createRuntime({ parallel: 4 });
    window.losses = 0;
    runtime.on("engine", ({ state }) => { if (state === "lost") window.losses++; });
  })`);
  return tab;
}

beforeAll(async () => {
  tabs = await Tabs.open(undefined, chromiumArguments);
  page = await openTab();
  await page.evaluate(() =>
    (window as unknown as TabWindow).runtime.deployments.create({
      name: "on-gpu",
      model: "infetch-tiny",
      engine: "webllm",
    }),
  );
  for (const body of WHOLE) alone.push((await follow(page, "alone", body)).texts);
});

afterAll(() => tabs?.close());

function workerOf(tab: Page, file: string): Worker {
  return tab.workers().find((worker) => worker.url().endsWith(`/worker/${file}.js`))!;
}

/** Sends all, and waits until both streams have told something: they run side by side. */
async function sendAll(from: Page, streams: readonly object[] = STREAMS) {
  sightings.clear();
  const told = streams.map((body, at) => follow(from, `stream ${at}`, body));
  const whole = WHOLE.map((body, at) => follow(from, `whole ${at}`, body));
  const least = () => Math.min(...streams.map((_, at) => sightings.get(`stream ${at}`)?.tokens ?? 0));
  await expect.poll(least, { interval: 5 }).toBeGreaterThan(3);
  return { streams: Promise.all(told), whole: Promise.all(whole) };
}

async function expectWhole(seen: Promise<Sighting[]>): Promise<void> {
  for (const [at, one] of (await seen).entries())
    expect(one).toMatchObject({ status: 200, end: "done", texts: alone[at]! });
}

/** The one row of each request. */
async function rowsOf(seen: readonly Sighting[], from = page): Promise<UsageEvent[]> {
  const of = (rows: UsageEvent[]) => seen.map((one) => rows.filter(({ requestId }) => requestId === one.id));
  await expect
    .poll(async () => of(await usageOf(from)).map(({ length }) => length))
    .toEqual(seen.map(() => 1));
  expect(await from.evaluate("window.runtime.billing.verify()")).toMatchObject({ ok: true });
  return of(await usageOf(from)).flat();
}

/** Nothing runs any more, and every page of the KV cache is free or kept for later prompts. */
async function expectIdle(from = page): Promise<void> {
  const stats = () =>
    from.evaluate(() => {
      const { runtime } = window as unknown as TabWindow;
      return new Promise<Stats>((resolve) => {
        const stop = runtime.on("stats", (event) => {
          stop();
          resolve(event);
        });
      });
    });
  await expect
    .poll(async () => {
      const { running, waiting, pages } = await stats();
      return [running, waiting, pages!.free + pages!.retained - pages!.total];
    })
    .toEqual([0, 0, 0]);
}

const [command] = fc.sample(fc.integer({ min: 1, max: 60 }), { seed, numRuns: 1 });
const DESTROYED = `{
  const { createCommandEncoder } = GPUDevice.prototype;
  let left = ${command};
  GPUDevice.prototype.createCommandEncoder = function (...values) {
    if (--left === 0) this.destroy();
    return createCommandEncoder.apply(this, values);
  };
}`;
const HANGING = `for (const [type, method] of [[GPUQueue, "onSubmittedWorkDone"], [GPUBuffer, "mapAsync"]])
  type.prototype[method] = () => new Promise(() => {});`;
/** Two minutes without a pass are too long for a test: the watch of the next requests looks twenty times a second. */
const IMPATIENT = `{
  const original = setInterval;
  globalThis.setInterval = (work, ms) => original(work, ms === 1000 ? 50 : ms);
  globalThis.calm = () => { globalThis.setInterval = original; };
}`;

test.each<[string, () => Promise<unknown>, boolean?]>([
  [`a GPU lost at command ${command} of the next (seed ${seed})`, () => inEngine(DESTROYED)],
  ["an engine worker that ends", () => inEngine("self.close()")],
  ["a step that never ends", () => inEngine(HANGING), true],
])(
  "%s, under several requests: begun streams fail, all others are made again, charged once",
  async (_, fail, isWatched = false) => {
    const server = workerOf(page, "server");
    if (isWatched) await server.evaluate(IMPATIENT);
    const sent = await sendAll(page);
    const losses = await page.evaluate(() => (window as unknown as Window).losses);
    await fail();
    const streams = await sent.streams;
    if (isWatched) await server.evaluate("calm()");
    for (const one of streams) expect(one).toMatchObject({ status: 200, end: "engine_lost" });
    await expectWhole(sent.whole);
    const all = [...streams, ...(await sent.whole)];
    for (const [at, row] of (await rowsOf(all)).entries()) {
      const { tokens, usage } = all[at]!;
      if (at < streams.length) expect(row).toMatchObject({ outcome: "failed", outputTokens: tokens });
      else expect(row).toMatchObject({ outcome: "completed", outputTokens: usage!.completion_tokens });
    }
    expect(await page.evaluate(() => (window as unknown as Window).losses)).toBe(losses + 1);
    await expectIdle();
  },
);

test("a reply whose sampling fails in a step that others share ends alone", async () => {
  const victim = { ...STREAMS[0]!, messages: ask("Count down."), min_p: 0.0123 };
  const long = { ...STREAMS[1]!, max_tokens: 120 };
  const losses = await page.evaluate(() => (window as unknown as Window).losses);
  const sent = await sendAll(page, [long, victim]);
  // Only the victim's row takes the logarithm of its min_p.
  await inEngine(`{
    const { log } = Math;
    Math.log = (value) => {
      if (value !== 0.0123) return log(value);
      Math.log = log;
      throw new RangeError("no logarithm");
    };
  }`);
  const [other, failed] = (await sent.streams) as [Sighting, Sighting];
  expect(failed).toMatchObject({ status: 200, end: "reply_failed" });
  expect(other).toMatchObject({ status: 200, end: "done", tokens: 120 });
  await expectWhole(sent.whole);
  const [, row, ...rows] = await rowsOf([other, failed, ...(await sent.whole)]);
  expect(row).toMatchObject({ outcome: "failed", outputTokens: failed.tokens });
  for (const one of rows) expect(one.outcome).toBe("completed");
  expect(await page.evaluate(() => (window as unknown as Window).losses)).toBe(losses);
  await expectIdle();
});

test.each<[string, (leader: Page) => Promise<unknown>]>([
  [
    "a server worker that ends",
    (leader) =>
      workerOf(leader, "server")
        .evaluate("self.close()")
        .catch(() => {}),
  ],
  ["the leader's tab, when it crashes", (leader) => tabs.kill(leader)],
])(
  "%s, under several requests of another tab: begun streams fail, all others are made again, charged once",
  async (_, fail) => {
    const leader = tabs.context.pages().find(leads)!;
    const tab = leader === page ? await openTab() : page;
    const sent = await sendAll(tab);
    await fail(leader);
    const streams = await sent.streams;
    for (const one of streams) expect(one).toMatchObject({ status: 200, end: "WorkerLostError" });
    await expectWhole(sent.whole);
    const whole = await sent.whole;
    for (const [at, row] of (await rowsOf(whole, tab)).entries())
      expect(row).toMatchObject({ outcome: "completed", outputTokens: whole[at]!.usage!.completion_tokens });
    const all = await usageOf(tab);
    for (const { id, tokens } of streams) {
      const rows = all.filter(({ requestId }) => requestId === id);
      // None before the first checkpoint.
      expect(rows.length).toBeLessThanOrEqual(1);
      for (const { outcome, outputTokens } of rows) {
        expect(outcome).toBe("interrupted");
        expect(outputTokens).toBeLessThanOrEqual(tokens);
      }
    }
    await expectIdle(tab);
    page = tab;
  },
);

/** Rejects if the worker ends. */
async function inEngine(code: string): Promise<void> {
  await workerOf(page, "webllm")
    .evaluate(code)
    .catch(() => {});
}
