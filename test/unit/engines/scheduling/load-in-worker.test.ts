import { afterEach, expect, test, vi } from "vitest";
import type { LoadProgress } from "../../../../worker/engine-api/load-progress.ts";
import { loadInWorker } from "../../../../worker/engines/scheduling/load-in-worker.ts";

afterEach(() => void vi.useRealTimers());

/** A worker whose load never ends. @param ping its answer */
function hangingWorker(ping: () => Promise<void> = async () => {}) {
  const ends: string[] = [];
  let onEnd = (_: Error): void => {};
  const lost = new Promise<never>((_, reject) => {
    onEnd = reject;
  });
  const worker = {
    call: () => lost,
    endpoint: { ping },
    end: (reason: string) => {
      ends.push(reason);
      onEnd(new Error(reason));
    },
  };
  return { worker: worker as unknown as Parameters<typeof loadInWorker>[0], ends };
}

const state = (phase: LoadProgress["phase"], totalBytes = 2): LoadProgress => ({
  phase,
  loadedBytes: 1,
  totalBytes,
  fraction: 0.5,
});

test.each([
  ["small", 2, 180_000],
  ["of 4 GiB", 2 ** 32, 660_000],
])(
  "a load that hangs after its download ends its worker; a download, and a load that moves, may take longer: a model %s",
  async (_, bytes, limitMs) => {
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
      progress!.postMessage(state(phase, bytes));
      while (seen.length === count) await new Promise((resolve) => setImmediate(resolve));
    };
    await tell("download");
    await vi.advanceTimersByTimeAsync(3_600_000);
    await tell("compile");
    vi.advanceTimersByTime(limitMs - 10_000);
    await tell("compile");
    vi.advanceTimersByTime(limitMs - 10_000);
    expect(ends).toEqual([]);
    vi.advanceTimersByTime(20_000);
    expect(ends[0]).toBe("its load did not end");
    await expect(loading).rejects.toThrow("its load did not end");
    progress!.close();
  },
);

test.each(["before it tells anything", "in its download"])(
  "a worker that hangs %s, and no longer answers, is ended",
  async (when) => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const { worker, ends } = hangingWorker(() => new Promise(() => {}));
    const seen = vi.fn();
    const loading = loadInWorker(
      worker,
      async (port) => {
        if (when === "in its download") port.postMessage(state("download"));
        return new Promise(() => {});
      },
      seen,
    );
    const failed = expect(loading).rejects.toThrow("its load did not end");
    while (when === "in its download" && seen.mock.calls.length === 0)
      await new Promise((resolve) => setImmediate(resolve));
    await vi.advanceTimersByTimeAsync(170_000);
    expect(ends).toEqual([]);
    await vi.advanceTimersByTimeAsync(20_000);
    await failed;
    expect(vi.getTimerCount()).toBe(0);
  },
);
