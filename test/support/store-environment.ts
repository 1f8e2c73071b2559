import type { StoreEnvironment } from "../../worker/model-store/environment.ts";
import type { FakeCaches } from "../fakes/fake-caches.ts";

/** Downloads into `caches`, with waits that end at once. Those that `isTimeout` names never end: no server here stalls. */
export function storeEnvironment(
  caches: FakeCaches,
  isTimeout: (delayMs: number) => boolean,
  onWait: (delayMs: number) => void = () => {},
): StoreEnvironment {
  return {
    fetch,
    caches,
    storage: undefined,
    locks: undefined,
    origin: "https://app.test",
    timers: {
      after(delayMs, call) {
        if (isTimeout(delayMs)) return () => {};
        onWait(delayMs);
        queueMicrotask(call);
        return () => {};
      },
    },
    now: () => 1_800_000_000_000,
    random: () => 0,
  };
}
