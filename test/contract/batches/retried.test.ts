/** A batch that cannot go on is tried again soon, without any change that wakes it. */

import { afterEach, expect, test, vi } from "vitest";
import { BatchStore } from "../../../worker/batch/batch-store.ts";
import { BatchWorld, type Tab, turn, until } from "../../support/batches/batch-world.ts";
import { chatLine, recordedBy, submit, upload } from "../../support/batches/lines.ts";

afterEach(() => vi.restoreAllMocks());

const lines = ["a", "b", "c"].map((name) => chatLine(name));

/** Timers that end when a test says so. */
class Pauses {
  /** Those that have begun, in milliseconds. */
  readonly begun: number[] = [];
  readonly #running = new Set<() => void>();

  readonly after = (ms: number, call: () => void): (() => void) => {
    this.begun.push(ms);
    this.#running.add(call);
    return () => this.#running.delete(call);
  };

  get running(): number {
    return this.#running.size;
  }

  end(): void {
    const ended = [...this.#running];
    this.#running.clear();
    for (const call of ended) call();
  }
}

/** Refuses rows of a store, as many as `times`, after the first ones. */
function refuse(store: string, times: number, first = 0): void {
  const put = IDBObjectStore.prototype.put;
  vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(function (this: IDBObjectStore, ...row) {
    if (this.name !== store || first-- > 0 || times-- <= 0) return put.apply(this, row);
    throw new DOMException("full", "QuotaExceededError");
  });
}

const paused = ({ events }: Tab): number => events.filter(({ code }) => code !== undefined).length;

test("after one commit that fails, each line has one result and one charge", async () => {
  const pauses = new Pauses();
  const tab = await new BatchWorld().openTab({ timers: pauses });
  refuse("results", 1);
  const { id } = await submit(tab, lines);
  await expect.poll(() => pauses.begun).toEqual([5_000]);
  expect(tab.events.at(-1)).toMatchObject({ id, status: "in_progress", code: "storage_quota_exceeded" });
  pauses.end();
  const { request_counts } = await until(tab, id, "completed");
  expect(request_counts).toEqual({ total: 3, completed: 3, failed: 0 });
  expect(await recordedBy(tab)).toHaveLength(3);
  expect(pauses.running).toBe(0);
});

test("pauses grow to a quarter of an hour, and a change ends them", async () => {
  const pauses = new Pauses();
  const tab = await new BatchWorld().openTab({ timers: pauses });
  const unneeded = await upload(tab, lines);
  refuse("results", Number.POSITIVE_INFINITY);
  const { id } = await submit(tab, lines);
  for (let retries = 1; retries <= 10; retries++) {
    await expect.poll(() => paused(tab)).toBe(retries);
    await expect.poll(() => pauses.running).toBe(1);
    if (retries < 10) pauses.end();
  }
  const seconds = [5, 10, 20, 40, 80, 160, 320, 640, 900, 900];
  expect(pauses.begun).toEqual(seconds.map((one) => one * 1_000));
  vi.restoreAllMocks();
  await tab.openai.files.delete(unneeded.id);
  await until(tab, id, "completed");
  await turn();
  expect({ begun: pauses.begun.length, running: pauses.running }).toEqual({ begun: 10, running: 0 });
});

test("a batch that went on for a line pauses shortly again", async () => {
  const pauses = new Pauses();
  const tab = await new BatchWorld().openTab({ timers: pauses });
  refuse("results", Number.POSITIVE_INFINITY);
  const { id } = await submit(tab, lines);
  for (let retries = 1; retries <= 4; retries++) {
    await expect.poll(() => paused(tab)).toBe(retries);
    await expect.poll(() => pauses.running).toBe(1);
    vi.restoreAllMocks();
    // The fourth retry stores one line.
    refuse("results", Number.POSITIVE_INFINITY, retries === 4 ? 1 : 0);
    pauses.end();
  }
  await expect.poll(() => paused(tab)).toBe(5);
  const { request_counts } = await tab.openai.batches.retrieve(id);
  expect(request_counts).toMatchObject({ completed: 1 });
  await expect.poll(() => pauses.begun).toEqual([5_000, 10_000, 20_000, 40_000, 5_000]);
  expect(pauses.running).toBe(1);
});

test("a batch starts although the batches could not be read when it was created", async () => {
  const pauses = new Pauses();
  const tab = await new BatchWorld().openTab({ timers: pauses });
  const read = vi
    .spyOn(BatchStore.prototype, "open")
    .mockRejectedValue(new Error("The connection was lost."));
  const { id } = await submit(tab, lines);
  await expect.poll(() => pauses.running).toBe(1);
  read.mockRestore();
  pauses.end();
  await until(tab, id, "completed");
});

test("charges that the ledger has refused until a batch ended are recorded soon", async () => {
  const pauses = new Pauses();
  let isRefused = true;
  const tab = await new BatchWorld().openTab({
    timers: pauses,
    record: (record) => async (events) => {
      if (isRefused) throw new Error("The ledger cannot be written.");
      await record(events);
    },
  });
  const { id } = await submit(tab, lines);
  await until(tab, id, "completed");
  expect(await recordedBy(tab)).toEqual([]);
  isRefused = false;
  await expect.poll(() => pauses.running).toBe(1);
  pauses.end();
  await expect.poll(() => recordedBy(tab)).toHaveLength(3);
});

test("a line whose result finds no room is not said to crash servers that end meanwhile", async () => {
  const world = new BatchWorld();
  refuse("results", Number.POSITIVE_INFINITY);
  let tab = await world.openTab({ timers: new Pauses() });
  const { id } = await submit(tab, lines.slice(0, 1));
  for (let ended = 0; ended < 2; ended++) {
    await expect.poll(() => paused(tab)).toBe(1);
    await turn();
    tab.die();
    tab = await world.openTab({ timers: new Pauses() });
  }
  await expect.poll(() => paused(tab)).toBe(1);
  vi.restoreAllMocks();
  const last = await world.openTab();
  tab.die();
  const { request_counts } = await until(last, id, "completed");
  expect(request_counts).toEqual({ total: 1, completed: 1, failed: 0 });
});
