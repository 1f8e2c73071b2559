/** What the server does besides its answers. */

import type { Catalog } from "../catalog/catalog.ts";
import { requireRecord } from "../endpoints/endpoint.ts";
import { NEVER } from "../engines/api/abortable.ts";
import type { Billing } from "../usage/billing/billing.ts";
import type { ServerEngines } from "./engines.ts";
import type { LazyBatches } from "./lazy-batches.ts";

const MAINTENANCE_MS = 3_600_000;

/** Loads a model before it is asked for. The first request for it reports why that failed. */
export async function loadAhead(
  id: string,
  catalog: Catalog,
  engines: Pick<ServerEngines, "load">,
): Promise<void> {
  try {
    const model = await catalog.complete(requireRecord(catalog, id));
    await engines.load(model, NEVER);
  } catch {}
}

/** Runs at start-up and every hour. Failures are retried by the next billing read or run. */
export function runMaintenance(billing: Billing | undefined, batches: LazyBatches): void {
  const tidy = (): void => {
    billing?.runMaintenance().catch(() => {});
    void batches.wake();
  };
  // Resume batches whose model could not be downloaded offline.
  self.addEventListener("online", () => void batches.wake());
  tidy();
  setInterval(tidy, MAINTENANCE_MS);
}
