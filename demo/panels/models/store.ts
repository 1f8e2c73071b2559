/** What is sought in the catalogue, what is being loaded, and the deployments. */

import { type Signal, signal } from "@preact/signals";
import type { Deployment, DeploymentRequest } from "infetch";
import { Resource, reasonOf } from "../../store/loadable.ts";
import { models } from "../../store/models.ts";
import { begin, forgetLoad, runtime } from "../../store/runtime.ts";

export type Kind = "all" | "chat" | "embedding";

export const sought = signal("");
export const kind: Signal<Kind> = signal("all");
export const fitsOnly = signal(false);
/** Why the last load of a model failed. */
export const failures: Signal<Readonly<Record<string, string>>> = signal({});
/** Loads that were asked for here. */
export const loading: Signal<ReadonlySet<string>> = signal(new Set());

export const deployments = new Resource((): Promise<Deployment[]> => runtime().deployments.list());

export async function loadModel(id: string): Promise<void> {
  const end = begin(`Loading ${id}`);
  loading.value = new Set([...loading.value, id]);
  note(id, "");
  try {
    await runtime().load(id);
  } catch (error) {
    note(id, reasonOf(error));
  } finally {
    forgetLoad(id);
    loading.value = new Set([...loading.value].filter((one) => one !== id));
    end();
  }
}

export async function unloadModel(id: string): Promise<void> {
  await runtime()
    .unload(id)
    .then(
      () => note(id, ""),
      (error: unknown) => note(id, reasonOf(error)),
    );
}

/** @throws with what is wrong with the request */
export async function createDeployment(request: DeploymentRequest): Promise<void> {
  await runtime().deployments.create(request);
  await Promise.all([deployments.refresh(), models.refresh()]);
}

/** @throws when it is gone already */
export async function deleteDeployment(name: string): Promise<void> {
  await runtime().deployments.delete(name);
  await Promise.all([deployments.refresh(), models.refresh()]);
}

function note(id: string, reason: string): void {
  failures.value = { ...failures.value, [id]: reason };
}
