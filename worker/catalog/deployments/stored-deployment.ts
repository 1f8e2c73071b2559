/** Deployments as they are stored, and what stores them. */

import type { Deployment } from "../../../src/protocol/rpc/deployments.ts";

/** A deployment as stored. */
export interface StoredDeployment extends Omit<Deployment, "createdAt"> {
  /** Unix seconds. */
  created: number;
}

export interface DeploymentStore {
  all(): Promise<StoredDeployment[]>;
  /** False if it is kept in memory, until the database can be written. */
  put(deployment: StoredDeployment): Promise<boolean>;
  delete(name: string): Promise<void>;
  /** Calls back when another server of the origin changes something. */
  watch(onChange: () => void): void;
  /** True while the database could not be read yet. @default false */
  readonly isUnread?: boolean;
}
