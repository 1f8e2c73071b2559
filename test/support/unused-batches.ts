import type { Catalog } from "../../worker/catalog/catalog.ts";
import type { Clock } from "../../worker/clock.ts";
import { openBatches } from "../../worker/server/batches.ts";
import { FakeLockManager } from "../fakes/fake-locks.ts";

/** Files and batches for tests that use neither. Databases open on first use, so none is opened. */
export function unusedBatches(clock: Clock, catalog: Catalog) {
  const stores = openBatches({
    name: "unused",
    clock,
    locks: new FakeLockManager().agent(),
    catalog,
    record: async () => {},
    backgroundPlaces: () => 1,
    isOnline: () => true,
    onEvent: () => {},
    wakeOthers: () => {},
  });
  return { stores: async () => stores };
}
