import { holdLock } from "../../../src/protocol/liveness/liveness.ts";

/** The Web Locks features that the ledger uses. The browser releases a lock when its holder dies. */
export interface LedgerLocks {
  /** Holds the lock for the lifetime of this worker. */
  hold(name: string): Promise<void>;
  /** Runs `work` under the lock; resolves with undefined if the lock is taken. */
  ifFree<T>(name: string, work: () => Promise<T>): Promise<T | undefined>;
  /** Waits for the lock, then runs `work`. */
  exclusive<T>(name: string, work: () => Promise<T>): Promise<T>;
}

export const webLocks: LedgerLocks = {
  hold: (name) => holdLock(name),
  ifFree: (name, work) =>
    navigator.locks.request(name, { ifAvailable: true }, (lock) => (lock ? work() : undefined)),
  exclusive: (name, work) => navigator.locks.request(name, work),
};

/** The Web Lock that a worker holds for life; once it is free, its in-flight rows are orphans. */
export function ownerLock(ownerId: string): string {
  return `infetch:ledger-owner:${ownerId}`;
}
