import { expect, test } from "vitest";
import type { StatsEvent } from "../../../src/protocol/events.ts";
import { Pages } from "../../../worker/server/pages.ts";

const event: StatsEvent = {
  type: "stats",
  model: "m",
  running: 1,
  waiting: 0,
  tokensPerSecond: 9,
  cacheHitRate: null,
  pages: null,
};

/** Messages are delivered in order, so an answer to the last one follows all before it. */
function connect(pages: Pages) {
  const { port1, port2 } = new MessageChannel();
  const told: unknown[] = [];
  port1.onmessage = ({ data }) => told.push(data);
  pages.add(port2);
  return { port: port1, server: port2, told };
}

test("only pages that listen get stats, until they no longer do or are gone", async () => {
  const pages = new Pages();
  const one = connect(pages);
  const other = connect(pages);
  let begun = 0;
  pages.onWatch = () => begun++;
  expect(pages.isWatched).toBe(false);
  one.port.postMessage({ watchStats: true });
  await expect.poll(() => pages.isWatched).toBe(true);
  pages.broadcastStats(event);
  await expect.poll(() => one.told).toEqual([event]);
  expect(other.told).toEqual([]);
  other.port.postMessage({ watchStats: true });
  await expect.poll(() => begun).toBe(2);
  one.port.postMessage({ watchStats: false });
  pages.delete(other.server);
  await expect.poll(() => pages.isWatched).toBe(false);
  one.port.close();
});
