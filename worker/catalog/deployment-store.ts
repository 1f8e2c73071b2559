/** Stores deployments in a database of their own. */

import type { DBSchema } from "idb";
import { EngineError } from "../engines/api/engine-error.ts";
import { loadPart } from "../lazy/part.ts";
import { Database } from "../storage/database.ts";
import type { DeploymentStore, StoredDeployment } from "./stored-deployment.ts";

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
