/** One download of a file at a time, over all tabs, of which the browser may suspend one. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { withFileLock } from "../../../worker/model-store/file-lock.ts";
import { FakeWebLocks } from "../../fakes/fake-web-locks.ts";

const NEVER = new AbortController().signal;

let locks: LockManager;
beforeEach(() => {
  locks = new FakeWebLocks() as unknown as LockManager;
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
});
afterEach(() => void vi.useRealTimers());

/** Lets so many seconds pass, and messages between tabs arrive in between. */
async function pass(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    vi.advanceTimersByTime(1_000);
    for (let turn = 0; turn < 10; turn++) await new Promise((resume) => setImmediate(resume));
  }
}

/** A download that ends when the test says so. */
function downloading(signal = NEVER) {
  let end!: (file: string) => void;
  const file = new Promise<string>((resolve) => {
    end = resolve;
  });
  const work = vi.fn(() => file);
  return { work, end, done: withFileLock("model.gguf", { locks }, signal, work) };
}

test("a download waits for that of another tab, however long it takes", async () => {
  const first = downloading();
  const second = downloading();
  await pass(600);
  expect(second.work).not.toHaveBeenCalled();
  first.end("first");
  expect(await first.done).toBe("first");
  await expect.poll(() => second.work.mock.calls.length).toBe(1);
  second.end("second");
  expect(await second.done).toBe("second");
  expect(vi.getTimerCount()).toBe(0);
});

test("the lock of a tab that answers nothing is taken after a minute", async () => {
  // Holds the lock, and handles no message.
  const suspended = locks.request("infetch:file:model.gguf", () => new Promise(() => {}));
  const stolen = suspended.catch(({ name }) => name);
  const next = downloading();
  await pass(55);
  expect(next.work).not.toHaveBeenCalled();
  await pass(10);
  expect(next.work).toHaveBeenCalledOnce();
  expect(await stolen).toBe("AbortError");
  next.end("next");
  expect(await next.done).toBe("next");
  expect(vi.getTimerCount()).toBe(0);
});

test("an abort ends the wait", async () => {
  const first = downloading();
  const abort = new AbortController();
  const second = downloading(abort.signal);
  second.done.catch(() => {});
  await pass(1);
  abort.abort("left");
  await expect(second.done).rejects.toBe("left");
  expect(second.work).not.toHaveBeenCalled();
  first.end("first");
  await first.done;
  expect(vi.getTimerCount()).toBe(0);
});

test("a tab whose lock was taken stops its download, and goes on after that of the other tab", async () => {
  const attempts: AbortSignal[] = [];
  const resumed = withFileLock("model.gguf", { locks }, NEVER, async (signal) => {
    attempts.push(signal);
    if (attempts.length > 1) return "whole";
    return new Promise<string>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  });
  let end!: () => void;
  await pass(1);
  void locks.request(
    "infetch:file:model.gguf",
    { steal: true },
    () => new Promise<void>((over) => (end = over)),
  );
  await pass(1);
  expect(attempts.map(({ aborted }) => aborted)).toEqual([true]);
  end();
  expect(await resumed).toBe("whole");
  expect(vi.getTimerCount()).toBe(0);
});

test("of two tabs that wait for one that answers nothing, one downloads at a time, and neither fails", async () => {
  void locks.request("infetch:file:model.gguf", () => new Promise(() => {})).catch(() => {});
  const running = new Set<() => void>();
  const download = () =>
    withFileLock("model.gguf", { locks }, NEVER, (signal) => {
      let end!: () => void;
      const whole = new Promise<string>((resolve, reject) => {
        end = () => resolve("whole");
        signal.addEventListener("abort", () => reject(signal.reason));
      });
      running.add(end);
      return whole.finally(() => running.delete(end));
    });
  const both = Promise.all([download(), download()]);
  for (let left = 2; left > 0; left--) {
    await pass(100);
    expect(running.size).toBe(1);
    for (const end of running) end();
  }
  expect(await both).toEqual(["whole", "whole"]);
});

test("a download that has ended when its lock is taken is not repeated, nor fails", async () => {
  const takenLate = {
    request: async (_name: string, _options: LockOptions, hold: () => Promise<unknown>) => {
      await hold();
      throw new DOMException("The lock was stolen.", "AbortError");
    },
  } as unknown as LockManager;
  const work = vi.fn(async () => "whole");
  expect(await withFileLock("model.gguf", { locks: takenLate }, NEVER, work)).toBe("whole");
  expect(work).toHaveBeenCalledOnce();
  const failed = withFileLock("model.gguf", { locks: takenLate }, NEVER, () => Promise.reject("no space"));
  await expect(failed).rejects.toBe("no space");
});
