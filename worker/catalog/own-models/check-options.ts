/** Validates options in lists, for which the server needs its catalogue: a part, loaded only if an app has any. */

import {
  type EmbeddingModelOption,
  isEmbeddingOption,
  type ModelOption,
} from "../../../src/protocol/options/own-models.ts";
import type { ServerOptions } from "../../../src/protocol/options/server-options.ts";
import { isHubName, parseHubId } from "../hub/hub-name.ts";
import { hubNameError, revisionError } from "../hub/hub-name-errors.ts";
import { findShapeFault } from "./check-shape.ts";

/** The first error in the options' lists: of a shape, else as {@link findOptionFault}. */
export function findListFault(options: ServerOptions, catalogueIds: readonly string[]): string | undefined {
  return findShapeFault(options) ?? findOptionFault(options, catalogueIds);
}

/**
 * @param catalogueIds ids of the models in this package
 * @returns what is wrong, for a TypeError; undefined if valid
 */
export function findOptionFault(
  { models, upstream }: Pick<ServerOptions, "models" | "upstream">,
  catalogueIds: readonly string[],
): string | undefined {
  const taken = new Set(catalogueIds);
  for (const model of models) {
    const fault = modelFault(model, taken);
    if (fault) return `models: ${fault}`;
    taken.add(model.id);
  }
  return upstream && upstreamFault(upstream);
}

function modelFault(model: ModelOption, taken: ReadonlySet<string>): string | undefined {
  const { id }: { id: unknown } = model;
  if (
    typeof id !== "string" ||
    !(/^(?!\.\.?$)[^/\s]+$/.test(id) || (isEmbeddingOption(model) && isHubName(id)))
  ) {
    return `an id must be a string without spaces or '/', not ${JSON.stringify(id)}.`;
  }
  const nameFault = hubNameError(id);
  if (nameFault !== undefined) return `${nameFault}, not ${JSON.stringify(id)}.`;
  if (taken.has(id)) return `another model already has the id '${id}'.`;
  if (isEmbeddingOption(model)) return revisionFaultOf(model);
  if (model.sha256 === undefined || /^[0-9a-f]{64}$/i.test(model.sha256)) return undefined;
  return `the sha256 of '${id}' must have 64 hexadecimal digits.`;
}

/** The revision must be unambiguous; the repository and the revision become parts of addresses. */
function revisionFaultOf({ id, hubId = id, revision, url }: EmbeddingModelOption): string | undefined {
  if (url !== undefined) return undefined;
  const where = JSON.stringify(hubId);
  if (!parseHubId(hubId)) {
    return `${where}: ${hubNameError(hubId) ?? "a model of the hub is named '<org>/<model>' or '<org>/<model>@<revision>'"}.`;
  }
  if (revision === undefined) return undefined;
  if (hubId.includes("@")) return `${where} names a revision, and so does the field 'revision'.`;
  const named = revisionError(revision);
  return named && `${where}: ${named}, not ${JSON.stringify(revision)}.`;
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
