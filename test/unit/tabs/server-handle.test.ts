/** A page's connection to the server, over the ends of servers. */

import { afterEach, expect, test, vi } from "vitest";
import type { Runtime } from "../../../src/runtime.ts";
import { fakeOrigin, listModels } from "./support/fake-origin.ts";

const open: Runtime[] = [];
afterEach(() => {
  for (const runtime of open.splice(0)) runtime.close();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

async function openPages(count: number) {
  const origin = await fakeOrigin();
  for (let page = 0; page < count; page++) open.push(await origin.openPage());
  return { ...origin, pages: [...open] as [Runtime, Runtime, Runtime] };
}

test("a page that only listens hears of the next leader's requests, and its key is known there", async () => {
  const { servers, pages } = await openPages(3);
  const [leader, next, listener] = pages;
  const heard = vi.fn();
  listener.on("request", heard);
  await listModels(next);
  await expect.poll(() => heard.mock.calls.length).toBe(1);
  leader.close();
  await expect.poll(() => servers.length).toBe(2);
  await expect.poll(() => servers[1]!.keys.verify(listener.apiKey)).toBeDefined();
  await listModels(next);
  await expect.poll(() => heard.mock.calls.length).toBe(2);
});

test("also where the server of the leading page dies; one that dies again at once is not started in a loop", async () => {
  const { servers, pages } = await openPages(2);
  servers[0]!.crash();
  await expect.poll(() => servers.length).toBe(2);
  for (const { apiKey } of pages) await expect.poll(() => servers[1]!.keys.verify(apiKey)).toBeDefined();
  servers[1]!.crash();
  await new Promise((over) => setTimeout(over, 500));
  expect(servers).toHaveLength(2);
  expect(await Promise.all(pages.map(listModels))).toEqual([200, 200]);
  expect(servers).toHaveLength(3);
  const timers = vi.spyOn(globalThis, "setTimeout");
  servers[2]!.crash();
  // Five seconds after the second server, then ten.
  const isLonger = (ms = 0) => ms > 10_000 && ms <= 15_000;
  await expect.poll(() => timers.mock.calls.filter(([, ms]) => isLonger(ms)).length).toBe(pages.length);
  timers.mockRestore();
});

test("a page that a service worker called joins the next server at once, also when it learns of the end of its own later", async () => {
  const { servers, pages, callPages } = await openPages(2);
  servers[0]!.crash();
  await expect.poll(() => servers.length).toBe(2);
  for (const { apiKey } of pages) await expect.poll(() => servers[1]!.keys.verify(apiKey)).toBeDefined();
  await callPages();
  const timers = vi.spyOn(globalThis, "setTimeout");
  servers[1]!.crash();
  await expect.poll(() => servers.length).toBe(3);
  for (const { apiKey } of pages) await expect.poll(() => servers[2]!.keys.verify(apiKey)).toBeDefined();
  const pauses = timers.mock.calls.map(([, ms = 0]) => ms).filter((ms) => ms > 1_000 && ms <= 5_000);
  timers.mockRestore();
  expect(pauses).toEqual([]);
});

test("a closed runtime and a private server that died wait for the next request", async () => {
  const origin = await fakeOrigin();
  const runtime = await origin.openPage({ shared: false });
  open.push(runtime);
  origin.servers[0]!.crash();
  await new Promise((over) => setTimeout(over, 200));
  expect(origin.servers).toHaveLength(1);
  expect(await listModels(runtime)).toBe(200);
  runtime.close();
  await new Promise((over) => setTimeout(over, 200));
  expect(origin.servers).toHaveLength(2);
});

/** Lets so many seconds of the timers pass that tick, and messages be handled in between. */
async function tick(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    vi.advanceTimersByTime(1_000);
    // The fakes send each message in a timer's turn.
    for (let turn = 0; turn < 5; turn++) await new Promise((resume) => setTimeout(resume));
  }
}

/** Lets time pass until `promise` settles: modules of a page that opens load in real time. */
async function tickUntil<T>(promise: Promise<T>): Promise<T> {
  let isSettled = false;
  const settle = (): void => {
    isSettled = true;
  };
  promise.then(settle, settle);
  while (!isSettled) await tick(1);
  return promise;
}

test("a leader that answers nothing loses the lead to a page that waits for it, and follows once it runs again", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const origin = await fakeOrigin();
  const [leader, follower] = [await origin.openPage(), await origin.openPage()];
  expect(await listModels(follower)).toBe(200);
  const resume = origin.servers[0]!.suspend();
  // Nothing waits: nothing is taken for silence.
  await tick(120);
  expect(origin.servers).toHaveLength(1);
  const waiting = listModels(follower);
  await tick(60);
  expect(await waiting).toBe(200);
  expect(origin.servers).toHaveLength(2);
  const late = origin.openPage().then(listModels);
  expect(await tickUntil(late)).toBe(200);
  resume();
  expect(await listModels(leader)).toBe(200);
  expect(origin.servers).toHaveLength(2);
});

test("a page that opens while the leader answers nothing takes the lead", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const origin = await fakeOrigin();
  await origin.openPage();
  origin.servers[0]!.suspend();
  const late = origin.openPage().then(listModels);
  expect(await tickUntil(late)).toBe(200);
  expect(origin.servers).toHaveLength(2);
});

test("a server that hangs is replaced by its own page", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const origin = await fakeOrigin();
  const page = await origin.openPage();
  expect(await listModels(page)).toBe(200);
  origin.servers[0]!.suspend();
  const waiting = listModels(page);
  await tick(60);
  expect(await waiting).toBe(200);
  expect(origin.servers).toHaveLength(2);
  const alone = await origin.openPage({ shared: false });
  origin.servers[2]!.suspend();
  const failed = listModels(alone).catch(({ code }) => code);
  await tick(60);
  expect(await failed).toBe("worker_lost");
  expect(await listModels(alone)).toBe(200);
});

test("a server that hangs as it starts is replaced; after three of them the call rejects, and the next one starts another", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const origin = await fakeOrigin();
  origin.hangStarts(2);
  const page = await tickUntil(origin.openPage());
  expect(await listModels(page)).toBe(200);
  expect(origin.servers).toHaveLength(3);
  page.close();
  origin.hangStarts(3);
  const failed = origin.openPage().catch(({ code }) => code);
  expect(await tickUntil(failed)).toBe("worker_lost");
  expect(await tickUntil(origin.openPage().then(listModels))).toBe(200);
});

test("a broker that is slow to load costs no page the lead", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const origin = await fakeOrigin();
  const leader = await origin.openPage();
  const load = origin.delayBroker();
  const late = origin.openPage().then(listModels);
  await tick(90);
  expect(await listModels(leader)).toBe(200);
  expect(origin.servers).toHaveLength(1);
  load();
  expect(await tickUntil(late)).toBe(200);
  expect(origin.servers).toHaveLength(1);
});

test("a server that hangs on a page that waits for nothing is replaced for the pages that wait for it", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const origin = await fakeOrigin();
  const [, follower] = [await origin.openPage(), await origin.openPage()];
  expect(await listModels(follower)).toBe(200);
  origin.servers[0]!.hang();
  // Its own page waits for nothing: nothing is taken for silence.
  await tick(120);
  expect(origin.servers).toHaveLength(1);
  const waiting = listModels(follower);
  // Half a minute until its own connection ends, as long until that of the leading page does.
  await tick(75);
  expect(origin.servers).toHaveLength(2);
  expect(await waiting).toBe(200);
});

test("a server that answers keeps its page's connection, however many pages open", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const origin = await fakeOrigin();
  const leader = await origin.openPage();
  for (let page = 0; page < 3; page++) await tickUntil(origin.openPage().then(listModels));
  await tick(90);
  expect(await listModels(leader)).toBe(200);
  expect(origin.servers).toHaveLength(1);
});

test("a page whose broker fails keeps its own server when the one that it used before hangs", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const origin = await fakeOrigin();
  const brokers: { onerror?: () => void }[] = [];
  const open = SharedWorker as unknown as () => object;
  vi.stubGlobal("SharedWorker", function Broker() {
    const broker = open();
    brokers.push(broker);
    return broker;
  });
  const [, follower] = [await origin.openPage(), await origin.openPage()];
  expect(await listModels(follower)).toBe(200);
  origin.servers[0]!.hang();
  brokers[1]!.onerror!();
  // In the same page: it starts a server of its own.
  const { createRuntime } = await import("../../../src/runtime.ts");
  const other = await tickUntil(createRuntime());
  expect(await tickUntil(listModels(other))).toBe(200);
  expect(origin.servers).toHaveLength(2);
  const requests = [listModels(follower), tick(90)];
  expect((await Promise.all(requests))[0]).toBe(200);
  expect(origin.servers).toHaveLength(2);
});
