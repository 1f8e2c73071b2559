/** Pauses of a load whose server limits the rate of requests. */

import { beforeEach, describe, expect, test } from "vitest";
import type { HubSource } from "../../../worker/engine-api/model-files.ts";
import { MAX_WAIT_MS, RateLimits } from "../../../worker/model-store/download/rate-limits.ts";
import type { StoreEnvironment } from "../../../worker/model-store/environment.ts";
import { fetchText } from "../../../worker/model-store/fetch-text.ts";

const FILE = "https://hub.test/org/model/resolve/main/params_shard_0.bin?sign=secret";
const HUB: HubSource = { url: "https://hub.test/", repository: "org/model", revision: "main" };
const NEVER = new AbortController().signal;

let nowMs: number;
let timers: { atMs: number; call: () => void }[];
let waits: number[];
let random: number;
let limits: RateLimits;

beforeEach(() => {
  [nowMs, timers, waits, random] = [1_000_000, [], [], 1];
  limits = new RateLimits(
    {
      now: () => nowMs,
      random: () => random,
      origin: "https://app.test",
      timers: {
        after(delayMs, call) {
          timers.push({ atMs: nowMs + delayMs, call });
          return () => {};
        },
      },
    },
    (untilMs) => waits.push(untilMs - nowMs),
  );
});

/** Lets time pass, and everything that follows from it happen. */
async function pass(ms: number): Promise<void> {
  const endMs = nowMs + ms;
  for (;;) {
    await new Promise((settled) => setImmediate(settled));
    const next = timers.filter(({ atMs }) => atMs <= endMs).sort((a, b) => a.atMs - b.atMs)[0];
    if (!next) break;
    timers.splice(timers.indexOf(next), 1);
    nowMs = Math.max(nowMs, next.atMs);
    next.call();
  }
  nowMs = endMs;
}

/** Whether a request to the address would wait. */
async function isPaused(url = FILE): Promise<boolean> {
  let isOver = false;
  void limits.ready(url, NEVER).then(() => {
    isOver = true;
  });
  await new Promise((settled) => setImmediate(settled));
  return !isOver;
}

test("a pause is as long as the server says, for all files of that origin and no other", async () => {
  limits.note(FILE, 7_000, HUB);
  expect([
    await isPaused(),
    await isPaused("https://hub.test/x"),
    await isPaused("https://cdn.test/x"),
  ]).toEqual([true, true, false]);
  await pass(6_999);
  expect(await isPaused()).toBe(true);
  await pass(1);
  expect([await isPaused(), waits]).toEqual([false, [7_000]]);
});

test("files that are refused meanwhile join the pause, and make it longer where the server says so", async () => {
  limits.note(FILE, 10_000, HUB);
  for (let file = 0; file < 6; file++) limits.note(FILE, undefined, HUB);
  await pass(4_000);
  limits.note(FILE, 3_000, HUB);
  expect(waits).toEqual([10_000]);
  limits.note(FILE, 9_000, HUB);
  expect(waits).toEqual([10_000, 9_000]);
  await pass(8_999);
  expect(await isPaused()).toBe(true);
  await pass(1);
  expect(await isPaused()).toBe(false);
});

test("a clock that is set ahead during a pause does not use up what the load may wait", async () => {
  limits.note(FILE, 10_000, HUB);
  expect(await isPaused()).toBe(true);
  nowMs += 24 * 3_600_000;
  limits.note(FILE, 9_000, HUB);
  expect(waits).toEqual([10_000, 9_000]);
  // The first pause was over by the new clock.
  await pass(9_000);
  expect(await isPaused()).toBe(false);
});

describe.each([0, 0.5, 1])("without retry-after, with the jitter %d", (jitter) => {
  test("pauses become longer and add up to five minutes; then the load fails", async () => {
    random = jitter;
    let failure: unknown;
    while (failure === undefined && waits.length < 100) {
      try {
        limits.note(FILE, undefined, HUB);
        await pass(waits.at(-1)!);
      } catch (error) {
        failure = error;
      }
    }
    const upToLast = waits.slice(0, -1);
    expect(upToLast).toEqual([...upToLast].sort((a, b) => a - b));
    expect(waits.reduce((sum, ms) => sum + ms, 0)).toBe(MAX_WAIT_MS);
    expect(waits.length).toBeLessThan(20);
    expect(failure).toMatchObject({
      code: "rate_limited",
      message: expect.stringMatching(
        /params_shard_0\.bin limits .* five minutes in all.*set hub\.token.*hub\.url to a mirror/,
      ),
    });
    expect(String(failure)).not.toContain("secret");
  });
});

test("five minutes are waited, more are not", async () => {
  limits.note(FILE, MAX_WAIT_MS, HUB);
  await pass(MAX_WAIT_MS);
  expect(() => limits.note(FILE, 1_000, HUB)).toThrow(/ends in 1 s/);
  expect(await isPaused()).toBe(false);
});

test("a server that wants more than five minutes is not waited for at all", () => {
  expect(() => limits.note(FILE, MAX_WAIT_MS + 1, HUB)).toThrow(/ends in 301 s/);
  expect(waits).toEqual([]);
});

test("a server that always answers 'retry now' is asked once a second, for five minutes", async () => {
  let asked = 0;
  const storm = async (): Promise<never> => {
    for (;;) {
      limits.note(FILE, 0, { ...HUB, token: "hf_x" });
      asked++;
      await pass(1_000);
    }
  };
  await expect(storm()).rejects.toThrow(/or set hub\.url to a mirror\.$/);
  expect(asked).toBe(300);
});

test("a manifest that the server refuses is not waited for", async () => {
  const environment: StoreEnvironment = {
    fetch: async () => new Response(null, { status: 429, headers: { "retry-after": "200" } }),
    caches: undefined,
    storage: undefined,
    locks: undefined,
    origin: "https://app.test",
    timers: {
      after(delayMs, call) {
        waits.push(delayMs);
        if (delayMs === 200_000) queueMicrotask(call);
        return () => {};
      },
    },
    now: () => nowMs,
    random: () => random,
  };
  const reading = fetchText("https://app.test/m/infetch-model.json", "ab".repeat(32), environment);
  await expect(reading).rejects.toMatchObject({
    code: "rate_limited",
    message: expect.stringMatching(
      /infetch-model\.json limits the rate of requests \(429\)\. Its limit ends in 200 s/,
    ),
  });
  // The limit of one answer.
  expect(waits).toEqual([60_000]);
});

test("an abort ends the wait at once", async () => {
  limits.note(FILE, 100_000, HUB);
  const abort = new AbortController();
  const wait = limits.ready(FILE, abort.signal);
  abort.abort(new Error("Enough."));
  await expect(wait).rejects.toThrow("Enough.");
});
