/** Files of the suite `node` share a process, for speed: each finds the globals of Node, IndexedDB and nothing stored. */

import { IDBFactory } from "fake-indexeddb";
import "fake-indexeddb/auto";
import { afterAll, beforeAll, vi } from "vitest";

beforeAll(() => {
  globalThis.indexedDB = new IDBFactory();
});

afterAll(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.useRealTimers();
  vi.restoreAllMocks();
});
