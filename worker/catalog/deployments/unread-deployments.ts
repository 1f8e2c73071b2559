/** Deployments whose database could not be read at start: a part, as it is rarely needed. */

import { systemTimers, type Timers } from "../../clock.ts";
import type { DeploymentStore, StoredDeployment } from "./stored-deployment.ts";

/** Pause before the next attempt to read; doubles with each that fails. */
const MIN_PAUSE_MS = 2_000;
const MAX_PAUSE_MS = 300_000;

/**
 * Keeps new deployments in memory until the database can be read, and then stores them: one of a name that the database
 * has replaces it.
 */
export class UnreadDeployments implements DeploymentStore {
  isUnread = true;
  readonly #database: DeploymentStore;
  readonly #timers: Pick<Timers, "after">;
  readonly #kept = new Map<string, StoredDeployment>();
  #onChange = (): void => {};
  #pauseMs = MIN_PAUSE_MS;
  #isWaiting = false;

  constructor(database: DeploymentStore, timers: Pick<Timers, "after"> = systemTimers) {
    this.#database = database;
    this.#timers = timers;
    this.#waitAndRetry();
  }

  async all(): Promise<StoredDeployment[]> {
    if (!this.isUnread) return this.#database.all();
    try {
      await this.#storeKept();
      const rows = await this.#database.all();
      this.isUnread = false;
      return rows;
    } catch {
      this.#waitAndRetry();
      return [...this.#kept.values()];
    }
  }

  async put(deployment: StoredDeployment): Promise<boolean> {
    if (!this.isUnread) return this.#database.put(deployment);
    this.#kept.set(deployment.name, deployment);
    return false;
  }

  async delete(name: string): Promise<void> {
    if (!this.isUnread) return this.#database.delete(name);
    this.#kept.delete(name);
  }

  watch(onChange: () => void): void {
    this.#onChange = onChange;
    this.#database.watch(onChange);
  }

  /** What watches the store reads it again after a pause. */
  #waitAndRetry(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.#timers.after(this.#pauseMs, () => {
      this.#isWaiting = false;
      if (this.isUnread) this.#onChange();
    });
    this.#pauseMs = Math.min(2 * this.#pauseMs, MAX_PAUSE_MS);
  }

  async #storeKept(): Promise<void> {
    for (const deployment of this.#kept.values()) {
      await this.#database.put(deployment);
      // Unless it was deleted, or replaced, meanwhile.
      if (this.#kept.get(deployment.name) === deployment) this.#kept.delete(deployment.name);
    }
  }
}
