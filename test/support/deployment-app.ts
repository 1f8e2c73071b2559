/** The app on a fake engine, with the deployments RPC of a page. */

import type { DeploymentsEndpoint } from "../../src/protocol/rpc/deployments.ts";
import type { PrebuiltManifest } from "../../worker/catalog/chat/prebuilt.ts";
import { Deployments } from "../../worker/catalog/deployments/deployments.ts";
import type { DeploymentStore } from "../../worker/catalog/deployments/stored-deployment.ts";
import { hubRecord } from "../../worker/catalog/hub.ts";
import { deploymentsRpc } from "../../worker/rpc/deployments.ts";
import type { FakeBehaviour } from "../fakes/fake-engine.ts";
import { memoryStore } from "../fakes/memory-deployments.ts";
import { type TestApp, testApp } from "./test-app.ts";

const HUB = "https://hub.test/";
/** The prebuilt models as the build writes them, reduced to one. */
const prebuilt: PrebuiltManifest = {
  libraries: "https://libraries.test/base/",
  models: { "Qwen3-0.6B": { memoryMB: { q4f16_1: 1403 } } },
};
export const HUB_CHAT = "mlc-ai/Qwen3-0.6B-q4f16_1-MLC";

export interface DeploymentApp extends TestApp {
  page: DeploymentsEndpoint;
  store: DeploymentStore;
  /** Names of the models that were preloaded. */
  loadedAhead: string[];
}

export async function deploymentApp(
  behaviour: Partial<FakeBehaviour> = {},
  store: DeploymentStore = memoryStore(),
  { hubURL, manifest } = { hubURL: HUB, manifest: prebuilt },
): Promise<DeploymentApp> {
  let deployments: Deployments | undefined;
  const sources = {
    deployments: () => deployments?.records() ?? [],
    retry: async () => deployments?.retry(),
    fromHub: (name: string, file?: string) => hubRecord(name, hubURL, file, manifest),
  };
  const app = await testApp(behaviour, { sources });
  const { catalog, clock, engines, embeddings } = app.services;
  deployments = await Deployments.open(store, (model, file) => catalog.base(model, file));
  const loadedAhead: string[] = [];
  const page = deploymentsRpc({
    deployments,
    catalog,
    clock,
    isTaken: (name) => name === "forwarded",
    load: (name) => void loadedAhead.push(name),
    release: ({ id, kind }) => (kind === "embedding" ? embeddings : engines).retire(id),
  });
  return { ...app, page, store, loadedAhead };
}
