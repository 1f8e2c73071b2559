import type { Connection } from "./port/connection.ts";
import type { Deployment, DeploymentRequest } from "./protocol/deployments.ts";
import { createRpcClient } from "./rpc-client.ts";

/** Models under your own names and settings. Failed calls reject with an {@link InfetchError}; see its `code`. */
export interface Deployments {
  /**
   * Creates one. Rejects with `deployment_exists`, `model_not_found`, `unsupported_engine`, or the code of an invalid
   * value.
   */
  create(request: DeploymentRequest): Promise<Deployment>;
  /** Lists all, oldest first. */
  list(): Promise<Deployment[]>;
  /** Returns one. Rejects with `deployment_not_found`. */
  get(name: string): Promise<Deployment>;
  /**
   * Removes the name at once, and resolves when its requests have ended and its memory is free. Rejects with
   * `deployment_not_found`.
   */
  delete(name: string): Promise<void>;
}

export const createDeployments = (connect: () => Promise<Connection>): Deployments =>
  createRpcClient(connect, "deployments");
