import { expect, test } from "vitest";
import { Maintenance } from "../../worker/usage/billing/maintenance.ts";
import { createAccount } from "../../worker/usage/ledger/accounts.ts";
import { fixture, use } from "./support/world.ts";

test("an account whose month cannot be closed does not stop the others, and is tried again", async () => {
  const { world, clock, tab } = await fixture();
  const database = tab.database!;
  clock.set("2025-01-20T00:00:00Z");
  await createAccount(database, clock, { id: "team", name: "team" });
  await use(tab, 1, 1, { account: "team" });
  clock.set("2025-02-10T15:20:00Z");
  const tried: string[] = [];
  const maintenance = new Maintenance({
    database,
    clock,
    locks: world.locks.agent(),
    graceMs: 0,
    skipsClockCheck: true,
    closeDuePeriods: async (account) => {
      tried.push(account);
      if (account === "default") throw new Error("The part did not load.");
    },
  });
  await expect(maintenance.run()).rejects.toThrow("The part did not load.");
  await expect(maintenance.run()).rejects.toThrow("The part did not load.");
  expect(tried).toEqual(["default", "team", "default", "team"]);
});
