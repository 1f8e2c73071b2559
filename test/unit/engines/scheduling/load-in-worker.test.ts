import { afterEach, expect, test, vi } from "vitest";
import type { LoadProgress } from "../../../../worker/engines/api/load-progress.ts";
import { loadInWorker } from "../../../../worker/engines/scheduling/load-in-worker.ts";

afterEach(() => void vi.useRealTimers());

/** A worker whose load never ends, as one that hangs in native code. */
function hangingWorker() {
  const ends: string[] = [];
  let onEnd = (_: Error): void => {};
  const lost = new Promise<never>((_, reject) => {
    onEnd = reject;
  });
  const worker = {
    call: () => lost,
    end: (reason: string) => {
      ends.push(reason);
      onEnd(new Error(reason));
    },
  };
  return { worker: worker as unknown as Parameters<typeof loadInWorker>[0], ends };
}

const state = (phase: LoadProgress["phase"]): LoadProgress => ({
  phase,
  loadedBytes: 1,
  totalBytes: 2,
  fraction: 0.5,
});

test("a load that hangs after its download ends its worker; a download, and a load that moves, may take longer", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const { worker, ends } = hangingWorker();
  let progress: MessagePort | undefined;
  const seen: string[] = [];
  const loading = loadInWorker(
    worker,
    async (port) => {
      progress = port;
      return new Promise(() => {});
    },
    ({ phase }) => seen.push(phase),
  );
  loading.catch(() => {});
  const tell = async (phase: LoadProgress["phase"]): Promise<void> => {
    const count = seen.length;
    progress!.postMessage(state(phase));
    while (seen.length === count) await new Promise((resolve) => setImmediate(resolve));
  };
  await tell("download");
  vi.advanceTimersByTime(3_600_000);
  await tell("compile");
  vi.advanceTimersByTime(590_000);
  await tell("compile");
  vi.advanceTimersByTime(590_000);
  expect(ends).toEqual([]);
  vi.advanceTimersByTime(20_000);
  expect(ends[0]).toBe("its load did not end");
  await expect(loading).rejects.toThrow("its load did not end");
  progress!.close();
});
