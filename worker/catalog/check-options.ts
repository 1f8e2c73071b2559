/** Validates options that only the server can check, because they depend on the catalogue. */

import type { EmbeddingModelOption, ServerOptions } from "../../src/protocol/wire.ts";
import { loadPart } from "../lazy/part.ts";
import { hubNameFault, isHubName, parseHubId, revisionFault } from "./hub-name.ts";

/** The first shape error in the options' lists. The check is loaded only if there are any. */
export async function shapeFaultOf(options: ServerOptions): Promise<string | undefined> {
  const { models, upstream, embeddings } = options;
  if (models.length + embeddings.models.length === 0 && !upstream) return undefined;
  const part = await loadPart(() => import("./check-shape.ts"));
  return part.findShapeFault(options);
}

/** Options without lists: the server can start and report the error to its pages. */
export function withoutLists({ upstream: _, ...options }: ServerOptions): ServerOptions {
  return { ...options, models: [], embeddings: { ...options.embeddings, models: [] } };
}

/**
 * @param catalogueIds ids of the models in this package
 * @returns what is wrong, for a TypeError; undefined if valid
 */
export function findOptionFault(
  { models, embeddings, upstream }: CheckedOptions,
  catalogueIds: readonly string[],
): string | undefined {
  const taken = new Set(catalogueIds);
  return (
    idsFault("embeddings.models", embeddings?.models ?? [], taken, isHubName) ??
    (embeddings?.models ?? []).map(revisionFaultOf).find((fault) => fault !== undefined) ??
    idsFault("models", models, taken) ??
    sealsFault(models) ??
    (upstream && upstreamFault(upstream))
  );
}

type CheckedOptions = Pick<ServerOptions, "models" | "upstream"> &
  Partial<{ embeddings: Pick<ServerOptions["embeddings"], "models"> }>;

/** @param taken ids in use; those of the list are added */
function idsFault(
  option: string,
  models: readonly { id: unknown }[],
  taken: Set<string>,
  isAlsoValid: (id: string) => boolean = () => false,
): string | undefined {
  for (const { id } of models) {
    if (typeof id !== "string" || !(/^[^/\s]+$/.test(id) || isAlsoValid(id))) {
      return `${option}: an id must be a string without spaces or '/', not ${JSON.stringify(id)}.`;
    }
    const fault = hubNameFault(id);
    if (fault !== undefined) return `${option}: ${fault}, not ${JSON.stringify(id)}.`;
    if (taken.has(id)) return `${option}: another model already has the id '${id}'.`;
    taken.add(id);
  }
  return undefined;
}

/** Which revision a model has must be clear, and its name and repository become parts of addresses. */
function revisionFaultOf({ id, hubId = id, revision, sourceURL }: EmbeddingModelOption): string | undefined {
  if (sourceURL !== undefined) return undefined;
  const where = `embeddings.models: ${JSON.stringify(hubId)}`;
  if (!parseHubId(hubId)) {
    return `${where}: ${hubNameFault(hubId) ?? "a model of the hub is named '<org>/<model>' or '<org>/<model>@<revision>'"}.`;
  }
  if (revision === undefined) return undefined;
  if (hubId.includes("@")) return `${where} names a revision, and so does the option 'revision'.`;
  const named = revisionFault(revision);
  return named && `${where}: ${named}, not ${JSON.stringify(revision)}.`;
}

function sealsFault(models: ServerOptions["models"]): string | undefined {
  const broken = models.find(({ sha256 }) => sha256 !== undefined && !/^[0-9a-f]{64}$/i.test(sha256));
  return broken && `models: the sha256 of '${broken.id}' must have 64 hexadecimal digits.`;
}

function upstreamFault({
  baseURL,
  apiKey,
  models,
}: NonNullable<ServerOptions["upstream"]>): string | undefined {
  if (!/^https?:/.test(String(baseURL))) return "upstream.baseURL must be an http or https URL.";
  if (typeof apiKey !== "string" || /[^\x21-\x7e]/.test(apiKey) || apiKey === "") {
    return "upstream.apiKey must be the API key of the upstream server.";
  }
  const names = [models]
    .flat()
    .map((model: unknown) => (typeof model === "string" ? model : (model as { id?: unknown } | null)?.id));
  if (names.length === 0 || names.some((name) => typeof name !== "string" || name === "")) {
    return `upstream.models must be an array of model names to forward, or "*" for all that are not available here.`;
  }
  return undefined;
}
