/** Deployments of one server while another server of the origin changes them. */

import { beforeEach, expect, test, vi } from "vitest";
import { Deployments } from "../../../worker/catalog/deployments/deployments.ts";
import type {
  DeploymentStore,
  StoredDeployment,
} from "../../../worker/catalog/deployments/stored-deployment.ts";
import type { CatalogRecord } from "../../../worker/catalog/model-record.ts";

const deployment = (model: string): StoredDeployment => ({
  name: "bot",
  model,
  file: null,
  projector: null,
  contextWindow: null,
  engine: null,
  keepLoaded: false,
  tools: null,
  samplingDefaults: null,
  parseSpecialTokens: null,
  parallel: null,
  created: 1,
});
const base = (id: string) => ({ id, kind: "chat", builds: {}, contextWindow: 1 }) as unknown as CatalogRecord;

/** What IndexedDB holds; reads and deletions take turns. */
let stored: StoredDeployment[];
let changed: () => unknown;
const store: DeploymentStore = {
  all: async () => {
    const rows = [...stored];
    await Promise.resolve();
    return rows;
  },
  put: async () => true,
  delete: async () => {
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    stored = [];
  },
  watch: (onChange) => {
    changed = onChange;
  },
};

beforeEach(() => {
  stored = [deployment("one")];
});

test("a deployment that another server replaced gives up its engine; an unchanged one keeps it", async () => {
  const onGone = vi.fn();
  const deployments = await Deployments.open(store, base, onGone);
  await changed();
  expect(onGone).not.toHaveBeenCalled();
  stored = [deployment("two")];
  await changed();
  expect(onGone.mock.calls).toMatchObject([[{ id: "bot", deployment: { model: "one" } }]]);
  expect(deployments.get("bot")!.model).toBe("two");
});

test("a deployment that is deleted while another server's change is read stays deleted", async () => {
  const deployments = await Deployments.open(store, base);
  changed();
  await deployments.remove(deployments.get("bot")!);
  expect(deployments.list()).toEqual([]);
});
