/** State of the models panel: filters, loaded and stored models, deployments. */

import { computed, type Signal, signal } from "@preact/signals";
import type { CachedModel, Deployment, DeploymentRequest, ModelVerification } from "infetch/models";
import { count } from "../../format/format.ts";
import { noteEngine } from "../../store/engines.ts";
import { Resource, reasonOf } from "../../store/loadable.ts";
import { type Model, models } from "../../store/models.ts";
import { oneAtATime } from "../../store/one-at-a-time.ts";
import { begin, forgetLoad, openai, runtime } from "../../store/runtime.ts";
import { storage } from "../../store/storage.ts";

export type Kind = "all" | "chat" | "embedding";

export const sought = signal("");
export const kind: Signal<Kind> = signal("all");
export const fitsOnly = signal(false);

/** Result of the last action on a model. */
interface Outcome {
  isProblem: boolean;
  words: string;
  /** Does the same again; only of a problem. */
  retry?: () => Promise<void>;
}

export const outcomes: Signal<Readonly<Record<string, Outcome | undefined>>> = signal({});
/** Loads started in this panel, with their abort controllers. */
const loading: Signal<ReadonlyMap<string, AbortController>> = signal(new Map());

export const isLoading = (id: string): boolean => loading.value.has(id);

/** Stored files by model. */
export const kept = computed<ReadonlyMap<string, CachedModel>>(
  () => new Map((storage.value?.models ?? []).map((model) => [model.model, model])),
);

export const deployments = new Resource((): Promise<Deployment[]> => runtime().deployments.list());

/** Downloads missing files of a model and loads it. */
export async function loadModel(id: string): Promise<void> {
  const end = begin(`Loading ${id}`);
  const own = new AbortController();
  loading.value = new Map(loading.value).set(id, own);
  note(id, undefined);
  try {
    await runtime().models.load(id, { signal: own.signal });
  } catch (error) {
    const words = own.signal.aborted ? "Stopped. Downloaded data is kept." : reasonOf(error);
    note(id, { isProblem: !own.signal.aborted, words, retry: () => loadModel(id) });
  } finally {
    forgetLoad(id);
    loading.value = new Map([...loading.value].filter(([one]) => one !== id));
    end();
    await storage.refresh();
  }
}

/** Also cancels a load started by another panel or tab. */
export async function cancelLoad(id: string): Promise<void> {
  const own = loading.value.get(id);
  if (own) own.abort();
  else await attempt(id, () => runtime().models.cancel(id));
}

export function unloadModel(id: string): Promise<void> {
  return attempt(id, () => runtime().models.unload(id));
}

export function deleteModel(id: string): Promise<void> {
  return attempt(id, () => runtime().models.delete(id), "Deleted from this device.");
}

export function verifyModel(id: string): Promise<void> {
  return attempt(id, async () => describe(await runtime().models.verify(id)));
}

/** Reads what is stored, now and whenever any panel or tab loads a model. Returns a function that stops it. */
export function watchStorage(): () => void {
  void storage.refresh().then(findLoaded);
  return runtime().on("engine", () => void storage.refresh());
}

/** Finds models loaded by other tabs before this page opened; the API reports this only per model. */
async function findLoaded(): Promise<void> {
  const client = await openai();
  for (const id of kept.value.keys()) {
    const model: Model | undefined = await client.models.retrieve(id).catch(() => undefined);
    if (model?.infetch?.device) noteEngine({ type: "engine", model: id, state: "loaded" });
  }
}

/** @throws an error that describes what is wrong with the request */
export const createDeployment = oneAtATime(async (request: DeploymentRequest): Promise<void> => {
  await runtime().deployments.create(request);
  await Promise.all([deployments.refresh(), models.refresh()]);
});

/** @throws if it was deleted already, for example in another tab: the list then no longer has it */
export async function deleteDeployment(name: string): Promise<void> {
  try {
    await runtime().deployments.delete(name);
  } finally {
    await Promise.all([deployments.refresh(), models.refresh()]);
  }
}

/** Shows the result: `words`, or the text returned by the work. */
async function attempt(id: string, work: () => Promise<unknown>, words = ""): Promise<void> {
  note(id, undefined);
  try {
    const result = await work();
    const outcome = typeof result === "string" ? result : words;
    if (outcome !== "") note(id, { isProblem: false, words: outcome });
  } catch (error) {
    note(id, { isProblem: true, words: reasonOf(error), retry: () => attempt(id, work, words) });
  }
  await storage.refresh();
}

function describe({ files, broken }: ModelVerification): string {
  if (broken.length === 0) return `Verified: ${count(files, "file")} ${files === 1 ? "is" : "are"} intact.`;
  return `Corrupt files were removed: ${broken.join(", ")}. The next load downloads them again.`;
}

function note(id: string, outcome: Outcome | undefined): void {
  outcomes.value = { ...outcomes.value, [id]: outcome };
}
