import type {
  DeploymentStore,
  StoredDeployment,
} from "../../worker/catalog/deployments/stored-deployment.ts";

/** A store that always works, of one server. */
export function memoryStore(): DeploymentStore {
  const kept = new Map<string, StoredDeployment>();
  return {
    all: async () => [...kept.values()],
    put: async (deployment) => kept.set(deployment.name, deployment) !== undefined,
    delete: async (deleted) => void kept.delete(deleted),
    watch: () => {},
  };
}
