/** Deployments whose database could not be read at start: a part, as it is rarely needed. */

import { systemTimers, type Timers } from "../clock.ts";
import type { DeploymentStore, StoredDeployment } from "./stored-deployment.ts";

/** Pause before the next attempt to read; doubles with each that fails. */
const MIN_PAUSE_MS = 2_000;
const MAX_PAUSE_MS = 300_000;

/**
 * Keeps new deployments in memory until the database can be read, and then stores them: one of a name that the database
 * has replaces it.
 */
export function unreadDeployments(
  database: DeploymentStore,
  timers: Pick<Timers, "after"> = systemTimers,
): DeploymentStore {
  const kept = new Map<string, StoredDeployment>();
  let isUnread = true;
  let onChange = (): void => {};
  let pauseMs = MIN_PAUSE_MS;
  let isWaiting = false;
  const waitAndRetry = (): void => {
    if (isWaiting) return;
    isWaiting = true;
    timers.after(pauseMs, () => {
      isWaiting = false;
      if (isUnread) onChange();
    });
    pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
  };
  const storeKept = async (): Promise<void> => {
    for (const deployment of kept.values()) {
      await database.put(deployment);
      // Unless it was deleted, or replaced, meanwhile.
      if (kept.get(deployment.name) === deployment) kept.delete(deployment.name);
    }
  };
  waitAndRetry();
  return {
    get isUnread() {
      return isUnread;
    },
    async all() {
      if (!isUnread) return database.all();
      try {
        await storeKept();
        const rows = await database.all();
        isUnread = false;
        return rows;
      } catch {
        waitAndRetry();
        return [...kept.values()];
      }
    },
    async put(deployment) {
      if (!isUnread) return database.put(deployment);
      kept.set(deployment.name, deployment);
      return false;
    },
    async delete(name) {
      if (!isUnread) return database.delete(name);
      kept.delete(name);
    },
    watch(callback) {
      onChange = callback;
      database.watch(callback);
    },
  };
}
