/** A page's connection to the server, over the ends of servers. */

import { afterEach, expect, test, vi } from "vitest";
import type { Runtime } from "../../../src/runtime.ts";
import { fakeOrigin, listModels } from "./support/fake-origin.ts";

const open: Runtime[] = [];
afterEach(() => {
  for (const runtime of open.splice(0)) runtime.close();
  vi.unstubAllGlobals();
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
