import { AwakeTimeout } from "../../src/protocol/awake-timeout.ts";
import type { StoreEnvironment } from "./environment.ts";

/** How long a holder may answer nothing. It downloads, which leaves it time. */
const SILENCE_MS = 60_000;
const ASK_MS = 5_000;

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
  const name = `infetch:file:${key}`;
  const channel = new BroadcastChannel(name);
  try {
    for (let steal = false; ; ) {
      const lost = new AbortController();
      let running: Promise<T> | undefined;
      let hasEnded = false;
      const waiting = steal ? undefined : waitFor(channel, signal);
      const hold = (): Promise<T> => {
        waiting?.end();
        channel.onmessage = ({ data }) => data === "asks" && channel.postMessage("holds");
        channel.postMessage("holds");
        running = work(AbortSignal.any([signal, lost.signal])).finally(() => {
          hasEnded = true;
        });
        return running;
      };
      try {
        const options = waiting ? { signal: waiting.signal } : { steal };
        return (await locks.request(name, options, hold)) as T;
      } catch (error) {
        if (hasEnded) throw error;
        signal.throwIfAborted();
        if (!running && !waiting?.isSilent) throw error;
        // Stolen: another tab runs the same work.
        lost.abort(error);
        await running?.catch(() => {});
        steal = !running;
      } finally {
        waiting?.end();
      }
    }
  } finally {
    channel.close();
  }
}

/** Asks the holder until `end`; its signal aborts with the given one, or if no holder answers. */
function waitFor(channel: BroadcastChannel, given: AbortSignal) {
  const silent = new AbortController();
  const newWatch = () => new AwakeTimeout(SILENCE_MS, () => silent.abort());
  let watch = newWatch();
  const asking = setInterval(() => channel.postMessage("asks"), ASK_MS);
  channel.onmessage = ({ data }) => {
    if (data !== "holds") return;
    watch.clear();
    watch = newWatch();
  };
  return {
    signal: AbortSignal.any([given, silent.signal]),
    get isSilent() {
      return silent.signal.aborted;
    },
    end(): void {
      watch.clear();
      clearInterval(asking);
    },
  };
}
