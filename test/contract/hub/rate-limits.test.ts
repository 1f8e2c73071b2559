/** A hub that limits the rate of requests: loads wait as long as its window, and say so. */

import { afterEach, beforeEach, expect, test } from "vitest";
import type { HubFault } from "../../../scripts/hub/send-file.ts";
import { type HubApp, hubApp } from "../../support/hub-app.ts";

let tested: HubApp;
beforeEach(async () => {
  tested = await hubApp();
});
afterEach(() => tested.hub.close());

const limited = (headers?: Record<string, string>): HubFault => ({
  type: "status",
  status: 429,
  ...(headers ? { headers } : {}),
});
const waitEvents = () =>
  tested.events.flatMap((event) => (event.type === "progress" && event.waitsUntil ? [event.waitsUntil] : []));
const now = () => tested.environment.now();

test.each([
  ["retry-after in seconds", { "retry-after": "240" }, 240_000],
  ["retry-after as a date", { "retry-after": new Date(1_800_000_200_000).toUTCString() }, 200_000],
  ["the hub's own header", { ratelimit: '"resolvers";r=0;t=55' }, 55_000],
])("a file that is refused with %s is waited for, and an event says until when", async (_, headers, wait) => {
  tested.hub.faults.set("shard_2.bin", [limited(headers)]);
  expect(await tested.chat()).toMatchObject({ status: 200 });
  expect(tested.waits).toEqual([wait]);
  expect(waitEvents()).toEqual([now() + wait]);
  expect(tested.events.at(-1)).not.toHaveProperty("waitsUntil");
});

test("six files that are refused at once wait together, and none is asked for meanwhile", async () => {
  for (let at = 0; at < 6; at++) tested.hub.faults.set(`shard_${at}.bin`, [limited({ "retry-after": "40" })]);
  let isPaused = false;
  let askedInPause = 0;
  const { after } = tested.environment.timers;
  tested.environment.timers = {
    after(delayMs, call) {
      if (delayMs !== 40_000) return after(delayMs, call);
      isPaused = true;
      // Long enough for a request that does not wait.
      setTimeout(() => {
        isPaused = false;
        call();
      }, 50);
      return () => {};
    },
  };
  tested.environment.fetch = async (address, init) => {
    if (isPaused) askedInPause++;
    return fetch(address, init);
  };
  expect(await tested.chat()).toMatchObject({ status: 200 });
  expect(askedInPause).toBe(0);
});

test("a hub that goes on refusing files without retry-after is a 503 rate_limited after five minutes", async () => {
  tested.hub.faults.set(
    ".bin",
    Array.from({ length: 500 }, () => limited()),
  );
  const { status, error } = await tested.chat();
  expect([status, error?.code]).toEqual([503, "rate_limited"]);
  expect(error?.message).toMatch(/params_shard_\d\.bin limits .* Try again later, or set hub\.token/);
  expect(tested.waits.reduce((sum, ms) => sum + ms, 0)).toBe(300_000);
  const asked = tested.files().filter((path) => path.endsWith(".bin")).length;
  expect(asked).toBeLessThanOrEqual(4 * (tested.waits.length + 1));
  tested.hub.faults.clear();
  expect(await tested.chat()).toMatchObject({ status: 200 });
});

test("a hub that asks for more than five minutes is a 503 rate_limited at once", async () => {
  tested.hub.faults.set("shard_0.bin", [limited({ "retry-after": "3600" })]);
  const { status, error } = await tested.chat();
  expect([status, error?.code, tested.waits]).toEqual([503, "rate_limited", []]);
  expect(error?.message).toMatch(/Its limit ends in 3600 s/);
});

test("an API that goes on refusing is a 503 rate_limited, and no file is asked for", async () => {
  tested.hub.faults.set(
    "/revision/main",
    Array.from({ length: 500 }, () => limited()),
  );
  const { status, error } = await tested.chat();
  expect([status, error?.code]).toEqual([503, "rate_limited"]);
  expect(error?.message).toContain("/api/models/");
  expect(tested.files()).toEqual([]);
});

test("the check of a GGUF file waits, too, so that it still comes before the download", async () => {
  tested.hub.repositories.get("acme/tiny-GGUF")!.commit({ "big.gguf": new Uint8Array(17 * 2 ** 20) });
  tested.hub.faults.set("big.gguf", [limited({ "retry-after": "9" })]);
  expect((await tested.chat("acme/tiny-GGUF", "big.gguf")).error?.message).toMatch(/GGUF/);
  expect(tested.waits).toEqual([9_000]);
  expect(tested.files()).toHaveLength(2);
});
