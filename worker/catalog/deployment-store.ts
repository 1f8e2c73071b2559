/** Where deployments outlive a reload: a small database of their own, or memory where the browser denies one. */

import { openDB } from "idb";
import type { Deployment } from "../../src/protocol/deployments.ts";

export interface DeploymentStore {
  all(): Promise<Deployment[]>;
  put(deployment: Deployment): Promise<void>;
  delete(name: string): Promise<void>;
}

const STORE = "deployments";
/** An open takes milliseconds. One that hangs must not keep the server from starting. */
const OPEN_LIMIT_MS = 5_000;

/** @param name of the runtime's books: the database is called `<name>-deployments` */
export async function openDeploymentStore(name: string): Promise<DeploymentStore> {
  try {
    const database = await withinLimit(
      openDB(`${name}-deployments`, 1, {
        upgrade: (fresh) => void fresh.createObjectStore(STORE, { keyPath: "name" }),
        // Another tab wants to delete it: never stand in its way.
        blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
      }),
    );
    return {
      all: () => database.getAll(STORE),
      put: async (deployment) => void (await database.put(STORE, deployment)),
      delete: (deleted) => database.delete(STORE, deleted),
    };
  } catch {
    return memoryStore();
  }
}

/** Forgets with its worker. */
export function memoryStore(): DeploymentStore {
  const kept = new Map<string, Deployment>();
  return {
    all: async () => [...kept.values()],
    put: async (deployment) => void kept.set(deployment.name, deployment),
    delete: async (deleted) => void kept.delete(deleted),
  };
}

function withinLimit<T>(opening: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("The database did not open in time.")), OPEN_LIMIT_MS);
    opening.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
