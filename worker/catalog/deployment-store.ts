/** Stores deployments in a database of their own, or in memory if the browser denies one. */

import type { DBSchema } from "idb";
import type { Deployment } from "../../src/protocol/deployments.ts";
import { EngineError } from "../engines/api/engine-error.ts";
import { Database } from "../storage/database.ts";

/** A deployment as stored. */
export interface StoredDeployment extends Omit<Deployment, "createdAt"> {
  /** Unix seconds. */
  created: number;
}

export interface DeploymentStore {
  all(): Promise<StoredDeployment[]>;
  put(deployment: StoredDeployment): Promise<void>;
  delete(name: string): Promise<void>;
  /** Calls back when another server of the origin changes something. */
  watch(onChange: () => void): void;
}

interface DeploymentSchema extends DBSchema {
  deployments: { key: string; value: StoredDeployment };
}

const STORE = ["deployments"] as const;
const UNAVAILABLE = "Deployments cannot be stored: the browser's database failed. Try again.";

/** @param name of the runtime's ledger: the database is named `<name>-deployments` */
export async function openDeploymentStore(name: string): Promise<DeploymentStore> {
  const unavailable = (cause?: unknown) => new EngineError("engine_failed", UNAVAILABLE, { cause });
  const database = new Database<DeploymentSchema>({
    name: `${name}-deployments`,
    migrations: [(transaction) => void transaction.db.createObjectStore("deployments", { keyPath: "name" })],
    errors: { unavailable, blocked: unavailable },
  });
  const all = () => database.read(STORE, (transaction) => transaction.objectStore("deployments").getAll());
  try {
    await all();
  } catch {
    return memoryStore();
  }
  const channel = new BroadcastChannel(`${name}-deployments`);
  return {
    all,
    watch(onChange) {
      channel.onmessage = onChange;
    },
    async put(deployment) {
      await database.write(STORE, (transaction) => transaction.objectStore("deployments").put(deployment));
      channel.postMessage(null);
    },
    async delete(deleted) {
      await database.write(STORE, (transaction) => transaction.objectStore("deployments").delete(deleted));
      channel.postMessage(null);
    },
  };
}

/** Lost with the worker. */
export function memoryStore(): DeploymentStore {
  const kept = new Map<string, StoredDeployment>();
  return {
    all: async () => [...kept.values()],
    put: async (deployment) => void kept.set(deployment.name, deployment),
    delete: async (deleted) => void kept.delete(deleted),
    watch: () => {},
  };
}
