/** A server worker that dies before it holds a lock, so no release signals its death, or that hangs as it starts. */

import type { Page } from "playwright";
import { afterEach, beforeEach, expect, test } from "vitest";
import { version } from "../../package.json" with { type: "json" };
import { listModels } from "./support/requests.ts";
import { startRuntime, Tabs, workersOf } from "./support/tabs.ts";

let tabs: Tabs;

beforeEach(async () => {
  tabs = await Tabs.open();
});

afterEach(() => tabs?.close());

/** A page whose first `deaths` server workers are terminated `afterMs` after they start. */
async function fragilePage(afterMs: number, deaths: number): Promise<Page> {
  const page = await tabs.newPage();
  await page.evaluate(
    ({ afterMs, deaths }) => {
      let left = deaths;
      window.Worker = class extends Worker {
        constructor(url: string | URL, options?: WorkerOptions) {
          super(url, options);
          if (!String(url).endsWith("server.js") || left-- <= 0) return;
          if (afterMs === 0) this.terminate();
          else setTimeout(() => this.terminate(), afterMs);
        }
      };
    },
    { afterMs, deaths },
  );
  return page;
}

test.each([0, 5, 20, 60])("one that dies after %i ms is started again", async (afterMs) => {
  const page = await fragilePage(afterMs, 1);
  await startRuntime(page);
  expect(await listModels(page)).toBe(200);
  expect(workersOf(page)).toEqual(["server.js"]);
});

test("also without sharing, and for a page that waits for the leader's", async () => {
  const alone = await fragilePage(0, 1);
  await startRuntime(alone, { shared: false });
  expect(await listModels(alone)).toBe(200);
  const leader = await fragilePage(0, 1);
  const leading = startRuntime(leader);
  const follower = await tabs.newTab();
  await leading;
  expect(await Promise.all([leader, follower].map(listModels))).toEqual([200, 200]);
});

test("where every one dies, the call rejects with a code, and a later one may succeed", async () => {
  const page = await fragilePage(0, 3);
  const outcome = await page.evaluate(
    `import("/package/index.js").then(({ createRuntime }) => createRuntime()).catch(({ code, message }) => [code, message])`,
  );
  expect(outcome).toEqual(["worker_lost", expect.stringContaining("3 times")]);
  await startRuntime(page);
  expect(await listModels(page)).toBe(200);
});

/** A worker that has started, and does nothing more. */
const HANGING = `
  const workerLock = crypto.randomUUID();
  navigator.locks.request(workerLock, () => {
    postMessage({ type: "started", workerLock, version: "${version}" });
    return new Promise(() => {});
  });`;
/** Minutes are too long for a test: the page counts fifty seconds in one. */
const IMPATIENT = `{
  const original = setInterval;
  globalThis.setInterval = (work, ms) => original(work, ms === 1000 ? 20 : ms);
}`;

test("one that hangs as it starts is replaced; after three of them the call rejects, and a later one succeeds", async () => {
  let hangs = 1;
  await tabs.context.addInitScript(IMPATIENT);
  await tabs.context.route("**/worker/server.js", (route) =>
    hangs-- > 0 ? route.fulfill({ contentType: "text/javascript", body: HANGING }) : route.continue(),
  );
  const page = await tabs.newTab();
  expect(await listModels(page)).toBe(200);
  expect(workersOf(page)).toEqual(["server.js"]);
  await page.close();
  hangs = 3;
  const other = await tabs.newPage();
  const code = await other.evaluate(
    `import("/package/index.js").then(({ createRuntime }) => createRuntime()).catch(({ code }) => code)`,
  );
  expect(code).toBe("worker_lost");
  await startRuntime(other);
  expect(await listModels(other)).toBe(200);
});
