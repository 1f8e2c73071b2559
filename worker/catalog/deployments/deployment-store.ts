/** Stores deployments in a database of their own. */

import type { DBSchema } from "idb";
import { loadPart } from "../../lazy/part.ts";
import { Database, STORAGE_REMEDY } from "../../storage/database.ts";
import { StorageError } from "../../storage/storage-error.ts";
import type { DeploymentStore, StoredDeployment } from "./stored-deployment.ts";

interface DeploymentSchema extends DBSchema {
  deployments: { key: string; value: StoredDeployment };
}

const STORE = ["deployments"] as const;

/** @param name of the runtime's ledger: the database is named `<name>-deployments` */
export async function openDeploymentStore(name: string): Promise<DeploymentStore> {
  const database = new Database<DeploymentSchema>({
    name: `${name}-deployments`,
    migrations: [(transaction) => void transaction.db.createObjectStore("deployments", { keyPath: "name" })],
    errors: { unavailable, blocked },
  });
  const all = () => database.read(STORE, (transaction) => transaction.objectStore("deployments").getAll());
  const channel = new BroadcastChannel(`${name}-deployments`);
  const stored: DeploymentStore = {
    all,
    watch(onChange) {
      channel.onmessage = onChange;
    },
    async put(deployment) {
      await database.write(STORE, (transaction) => transaction.objectStore("deployments").put(deployment));
      channel.postMessage(null);
      return true;
    },
    async delete(deleted) {
      await database.write(STORE, (transaction) => transaction.objectStore("deployments").delete(deleted));
      channel.postMessage(null);
    },
  };
  try {
    await all();
    return stored;
  } catch {
    const part = await loadPart(() => import("./unread-deployments.ts"));
    return new part.UnreadDeployments(stored);
  }
}

function unavailable(cause: unknown): StorageError {
  if (cause instanceof Error && cause.name === "QuotaExceededError") {
    const message = "This site's storage is full: the deployment is not stored. Free space on the device.";
    return new StorageError("storage_quota_exceeded", message, { cause });
  }
  const message = `The database of deployments is unavailable. ${STORAGE_REMEDY}`;
  return new StorageError("storage_unavailable", message, { cause });
}

function blocked(): StorageError {
  const message =
    "Another tab blocks the database of deployments. Close or reload the other tabs of this site.";
  return new StorageError("storage_unavailable", message);
}
