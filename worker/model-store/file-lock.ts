import { AwakeTimeout } from "../../src/protocol/liveness/awake-timeout.ts";
import type { StoreEnvironment } from "./environment.ts";

/** How long a holder may answer nothing. It downloads, which leaves it time. */
const SILENCE_MS = 60_000;
const ASK_MS = 5_000;

type FileMessage = "asks" | "holds";
type Locks = NonNullable<StoreEnvironment["locks"]>;

/**
 * Runs `work` while no other tab downloads the same file. The lock of a tab that answers nothing is taken from it: the
 * browser may have suspended it, as phones do in the background. Once it runs again, its work is aborted, and
 * restarts when the other tab's has ended.
 *
 * @throws the signal's reason if it aborts first
 */
export async function withFileLock<T>(
  key: string,
  { locks }: Pick<StoreEnvironment, "locks">,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (!locks) return work(signal);
  const lock = new FileLock(`infetch:file:${key}`, locks, signal, work);
  try {
    return await lock.run();
  } finally {
    lock.close();
  }
}

/** How a time with the lock ended: with that of the work, or because another tab took the lock. */
type End<T> = { result: Promise<T> } | "stolen";

class FileLock<T> {
  readonly #name: string;
  readonly #locks: Locks;
  readonly #signal: AbortSignal;
  readonly #work: (signal: AbortSignal) => Promise<T>;
  /** Between the tab that holds the lock and those that wait for it. */
  readonly #channel: BroadcastChannel;

  constructor(name: string, locks: Locks, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>) {
    this.#name = name;
    this.#locks = locks;
    this.#signal = signal;
    this.#work = work;
    this.#channel = new BroadcastChannel(name);
  }

  /** Runs the work, again each time the lock was taken from it. */
  async run(): Promise<T> {
    while (true) {
      const end = (await this.#waitAndHold()) ?? (await this.#hold({ steal: true }));
      if (end !== "stolen") return end.result;
    }
  }

  close(): void {
    this.#channel.close();
  }

  /** Waits for the lock. Undefined if its holder answers nothing. */
  async #waitAndHold(): Promise<End<T> | undefined> {
    const holder = new HolderWatch(this.#channel);
    const signal = AbortSignal.any([this.#signal, holder.silent]);
    try {
      return await this.#hold({ signal }, () => holder.end());
    } catch (error) {
      this.#signal.throwIfAborted();
      if (holder.silent.aborted) return undefined;
      throw error;
    } finally {
      holder.end();
    }
  }

  /** Runs the work with the lock. Rejects only if the lock is not granted. */
  async #hold(options: LockOptions, onGranted = (): void => {}): Promise<End<T>> {
    const lost = new AbortController();
    let result: Promise<T> | undefined;
    let hasEnded = false;
    const onLock = (): Promise<T> => {
      onGranted();
      this.#answer();
      result = this.#work(AbortSignal.any([this.#signal, lost.signal])).finally(() => {
        hasEnded = true;
      });
      return result;
    };
    try {
      await this.#locks.request(this.#name, options, onLock);
    } catch (error) {
      if (!result) throw error;
      // Otherwise the work failed, or has ended while the lock was taken.
      if (!hasEnded) {
        lost.abort(error);
        // The other tab uses the same files: a second work waits until this one has left them.
        await result.catch(() => {});
        return "stolen";
      }
    }
    return { result: result! };
  }

  /** Tells the tabs that wait, now and when they ask, that the holder of the lock runs. */
  #answer(): void {
    const answer = (): void => this.#channel.postMessage("holds" satisfies FileMessage);
    this.#channel.onmessage = ({ data }: MessageEvent<FileMessage>) => {
      if (data === "asks") answer();
    };
    answer();
  }
}

/** Asks the tab that holds the lock whether it runs, until `end()`. */
class HolderWatch {
  readonly #channel: BroadcastChannel;
  readonly #silent = new AbortController();
  readonly #asking: ReturnType<typeof setInterval>;
  #timeout = this.#newTimeout();

  constructor(channel: BroadcastChannel) {
    this.#channel = channel;
    this.#asking = setInterval(() => channel.postMessage("asks" satisfies FileMessage), ASK_MS);
    channel.onmessage = ({ data }: MessageEvent<FileMessage>) => {
      if (data !== "holds") return;
      this.#timeout.clear();
      this.#timeout = this.#newTimeout();
    };
  }

  /** Aborts if it has answered nothing for too long. */
  get silent(): AbortSignal {
    return this.#silent.signal;
  }

  end(): void {
    this.#timeout.clear();
    clearInterval(this.#asking);
    this.#channel.onmessage = null;
  }

  #newTimeout(): AwakeTimeout {
    return new AwakeTimeout(SILENCE_MS, () => this.#silent.abort());
  }
}
