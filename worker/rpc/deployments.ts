/** `runtime.deployments`: deployment calls reserved to the page. Errors are returned as data. */

import type { CreatedDeployment, Deployment, DeploymentsEndpoint } from "../../src/protocol/deployments.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Deployments } from "../catalog/deployments.ts";
import type { CatalogRecord } from "../catalog/model-record.ts";
import type { StoredDeployment } from "../catalog/stored-deployment.ts";
import { type Clock, unixSeconds } from "../clock.ts";
import { ApiError, badRequest } from "../http/api-error.ts";
import { toApiError } from "../http/error-response.ts";
import { formatTimestamp } from "../usage/billing/timestamps.ts";
import { parseDeployment, requireFitting } from "./deployment-request.ts";
import { resultsWith } from "./result.ts";

const asResult = resultsWith("InfetchError", toApiError);

interface PageDeploymentsServices {
  deployments: Deployments;
  catalog: Catalog;
  clock: Clock;
  /** Whether a name is taken outside of the catalogue and the deployments. */
  isTaken(name: string): boolean;
  /** Preloads a deployment with `keepLoaded`. */
  load(name: string): void;
  /** Frees the memory of a deleted deployment once its pending requests end. */
  release(record: CatalogRecord): Promise<void>;
}

export function deploymentsRpc(services: PageDeploymentsServices): DeploymentsEndpoint {
  const { deployments, catalog, clock } = services;
  /** Deleted names whose engine still runs: a new deployment of that name would use the old engine. */
  const leaving = new Set<string>();

  function requireFree(name: string): void {
    if (!catalog.find(name) && !deployments.get(name) && !leaving.has(name) && !services.isTaken(name))
      return;
    const message = `A model or deployment named '${name}' already exists. Choose another name.`;
    throw new ApiError(409, "deployment_exists", message, { param: "name" });
  }

  function requireDeployment(name: string): StoredDeployment {
    const deployment = deployments.get(name);
    if (deployment) return deployment;
    const message = `The deployment '${name}' does not exist. See runtime.deployments.list().`;
    throw new ApiError(404, "deployment_not_found", message, { param: "name" });
  }

  return {
    create: (request) =>
      asResult(async () => {
        const deployment = await parseDeployment(request, unixSeconds(clock));
        await deployments.retry();
        requireFree(deployment.name);
        const base = catalog.base(deployment.model, deployment.file ?? undefined);
        if (!base) throw unknownModel(deployment.model);
        requireFitting(deployment, await catalog.complete(base));
        // Another call may have taken the name during the await.
        requireFree(deployment.name);
        const isStored = await deployments.add(deployment);
        if (deployment.keepLoaded) services.load(deployment.name);
        return toCreated(deployment, isStored);
      }),
    list: () =>
      asResult(async () => {
        await deployments.retry();
        return deployments.list().map(toDeployment);
      }),
    get: (name) =>
      asResult(async () => {
        await deployments.retry();
        return toDeployment(requireDeployment(name));
      }),
    delete: (name) =>
      asResult(async () => {
        await deployments.retry();
        const deployment = requireDeployment(name);
        leaving.add(name);
        try {
          const record = await deployments.remove(deployment);
          if (record) await services.release(record);
        } finally {
          leaving.delete(name);
        }
      }),
  };
}

function toCreated(deployment: StoredDeployment, isStored: boolean): CreatedDeployment {
  if (isStored) return toDeployment(deployment);
  const message =
    "IndexedDB cannot be read: the deployment is in memory, and is stored as soon as it can. Until then it ends with the server: when the last page of this site closes, or the server dies.";
  return { ...toDeployment(deployment), warning: { code: "deployment_not_stored", message } };
}

function toDeployment({ created, ...deployment }: StoredDeployment): Deployment {
  return { ...deployment, createdAt: formatTimestamp(created * 1000) };
}

function unknownModel(model: string): ApiError {
  return badRequest(
    "model_not_found",
    "model",
    `No engine can run '${model}'. Use a model of the catalogue (GET /v1/models) or, as '<org>/<model>', an MLC build for which web-llm has a library, a GGUF repository with a 'file', or an ONNX embedding model.`,
  );
}
