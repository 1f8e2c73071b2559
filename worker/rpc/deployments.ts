/** `runtime.deployments`: deployment calls reserved to the page. Errors are returned as data. */

import type {
  CreatedDeployment,
  Deployment,
  DeploymentRequest,
  DeploymentsEndpoint,
} from "../../src/protocol/rpc/deployments.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Deployments } from "../catalog/deployments/deployments.ts";
import type { StoredDeployment } from "../catalog/deployments/stored-deployment.ts";
import type { CatalogRecord } from "../catalog/model-record.ts";
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
  const calls = new DeploymentCalls(services);
  return {
    create: (request) => asResult(() => calls.create(request)),
    list: () => asResult(() => calls.list()),
    get: (name) => asResult(() => calls.get(name)),
    delete: (name) => asResult(() => calls.delete(name)),
  };
}

class DeploymentCalls {
  readonly #services: PageDeploymentsServices;
  readonly #deployments: Deployments;
  /** Deleted names whose engine still runs: a new deployment of that name would use the old engine. */
  readonly #leaving = new Set<string>();

  constructor(services: PageDeploymentsServices) {
    this.#services = services;
    this.#deployments = services.deployments;
  }

  async create(request: DeploymentRequest): Promise<CreatedDeployment> {
    const { catalog, clock } = this.#services;
    const deployment = await parseDeployment(request, unixSeconds(clock));
    await this.#deployments.retry();
    this.#requireFree(deployment.name);
    const base = catalog.base(deployment.model, deployment.file ?? undefined);
    if (!base) throw unknownModel(deployment.model);
    requireFitting(deployment, await catalog.complete(base));
    // Another call may have taken the name during the await.
    this.#requireFree(deployment.name);
    const isStored = await this.#deployments.add(deployment);
    if (deployment.keepLoaded) this.#services.load(deployment.name);
    return toCreated(deployment, isStored);
  }

  async list(): Promise<Deployment[]> {
    await this.#deployments.retry();
    return this.#deployments.list().map(toDeployment);
  }

  async get(name: string): Promise<Deployment> {
    return toDeployment(await this.#require(name));
  }

  async delete(name: string): Promise<void> {
    const deployment = await this.#require(name);
    this.#leaving.add(name);
    try {
      const record = await this.#deployments.remove(deployment);
      if (record) await this.#services.release(record);
    } finally {
      this.#leaving.delete(name);
    }
  }

  #requireFree(name: string): void {
    const isModel = this.#services.catalog.find(name) || this.#services.isTaken(name);
    if (!isModel && !this.#deployments.get(name) && !this.#leaving.has(name)) return;
    const message = `A model or deployment named '${name}' already exists. Choose another name.`;
    throw new ApiError(409, "deployment_exists", message, { param: "name" });
  }

  async #require(name: string): Promise<StoredDeployment> {
    await this.#deployments.retry();
    const deployment = this.#deployments.get(name);
    if (deployment) return deployment;
    const message = `The deployment '${name}' does not exist. See runtime.deployments.list().`;
    throw new ApiError(404, "deployment_not_found", message, { param: "name" });
  }
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
