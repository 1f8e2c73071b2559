/** The server worker is killed whenever it runs one line; the batch ends without it. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { chatLines, longLines } from "./support/batch.ts";
import {
  type BatchPage,
  get,
  openPage,
  openRuntime,
  outputOf,
  type RuntimeWindow,
  submitIn,
} from "./support/page.ts";

const LEDGER = "batch-deaths";
const DEADLY_LINE = 2;
/** After these the line must not run again; the server notes it as running once more, only to fail it. */
const MAX_DEATHS = 2;

let opened: BatchPage;

beforeAll(async () => {
  opened = await openPage();
});
afterAll(() => opened?.close());

test("a line over which the server died twice gets an error, all others an answer", async () => {
  const { page } = opened;
  await page.evaluate(watchWorkers);
  await openRuntime(page, LEDGER);
  const [one, three] = chatLines(2);
  const id = await submitIn(page, [one!, ...longLines(1), three!], "/v1/chat/completions");
  let kills = 0;
  const isOver = async (): Promise<boolean> => {
    const { running, deaths } = await page.evaluate(noted, { id, database: `${LEDGER}-files` });
    // Kill only a server that has read all earlier deaths.
    const isReady = running?.includes(DEADLY_LINE) && (deaths?.[DEADLY_LINE] ?? 0) === kills;
    if (isReady && kills < MAX_DEATHS) {
      await page.evaluate(killServer);
      kills++;
    }
    return (await get(page, `/batches/${id}`)).status === "completed";
  };
  await expect.poll(isOver, { timeout: 120_000, interval: 20 }).toBe(true);
  expect(kills).toBe(MAX_DEATHS);

  const batch = await get(page, `/batches/${id}`);
  expect(batch.request_counts).toEqual({ total: 3, completed: 2, failed: 1 });
  const replies = await outputOf(page, batch.output_file_id);
  expect(replies.map((line) => line.custom_id)).toEqual(["chat 0", "chat 1"]);
  const errors = await outputOf(page, batch.error_file_id);
  expect(errors).toMatchObject([
    { custom_id: "long 0", response: null, error: { code: "line_crashed_server" } },
  ]);
  const usage = await page.evaluate(() => (window as never as RuntimeWindow).runtime.usage.list());
  expect(usage.map((event) => event.transactionId).toSorted()).toEqual([`${id}:1`, `${id}:3`]);
});

interface Noted {
  running?: number[];
  deaths?: Record<number, number>;
}

interface WatchedWindow {
  serverWorkers: Worker[];
}

/** Runs in the page. */
function watchWorkers(): void {
  const servers: Worker[] = [];
  const RealWorker = Worker;
  window.Worker = class extends RealWorker {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, options);
      if (options?.name === "infetch-server") servers.push(this);
    }
  };
  (window as never as WatchedWindow).serverWorkers = servers;
}

/** Runs in the page. */
function killServer(): void {
  (window as never as WatchedWindow).serverWorkers.at(-1)!.terminate();
}

/** Runs in the page: the batch's row. */
async function noted({ id, database }: { id: string; database: string }): Promise<Noted> {
  const settled = <T>(request: IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const connection = await settled(indexedDB.open(database));
  try {
    return await settled(connection.transaction("batches").objectStore("batches").get(id));
  } finally {
    connection.close();
  }
}
