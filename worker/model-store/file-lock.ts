import { AwakeTimeout } from "../../src/protocol/awake-timeout.ts";
import type { StoreEnvironment } from "./environment.ts";

/** How long a holder may answer nothing. It downloads, which leaves it time. */
const SILENCE_MS = 60_000;
const ASK_MS = 5_000;

/**
 * Runs `work` while no other tab downloads the same file. The lock of a tab that answers nothing is taken from it: the
 * browser may have suspended it, as phones do in the background.
 *
 * @throws the signal's reason if it aborts first
 */
export async function withFileLock<T>(
  key: string,
  { locks }: Pick<StoreEnvironment, "locks">,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  if (!locks) return work();
  const name = `infetch:file:${key}`;
  const channel = new BroadcastChannel(name);
  const holding = (): Promise<T> => {
    watch.clear();
    clearInterval(asking);
    channel.onmessage = ({ data }) => data === "asks" && channel.postMessage("holds");
    return work();
  };
  const silent = new AbortController();
  const newWatch = () => new AwakeTimeout(SILENCE_MS, () => silent.abort());
  let watch = newWatch();
  const asking = setInterval(() => channel.postMessage("asks"), ASK_MS);
  channel.onmessage = ({ data }) => {
    if (data !== "holds") return;
    watch.clear();
    watch = newWatch();
  };
  try {
    return (await locks.request(name, { signal: AbortSignal.any([signal, silent.signal]) }, holding)) as T;
  } catch (error) {
    if (error !== silent.signal.reason) throw error;
    return (await locks.request(name, { steal: true }, holding)) as T;
  } finally {
    watch.clear();
    clearInterval(asking);
    channel.close();
  }
}
