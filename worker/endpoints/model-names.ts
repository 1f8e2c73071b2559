/** Names of models, and errors for those that mean no model or several: a part, as most requests name one. */

import { nearestName } from "../../src/shared/nearest-name.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { isHubName } from "../catalog/hub/hub-name.ts";
import { hubNameError } from "../catalog/hub/hub-name-errors.ts";
import type { CatalogRecord } from "../catalog/model-record.ts";
import type { ResolvedModel } from "../catalog/resolve.ts";
import { ApiError, badRequest } from "../http/api-error.ts";
import type { KeyScopes } from "../usage/keys/scopes.ts";
import { mayUseModel } from "../usage/keys/scopes.ts";

/** Names of the catalogue, deployments included. */
export function allNames(catalog: Catalog): string[] {
  return catalog.list().map(({ id }) => id);
}

/** Names of the catalogue and the upstream that a key may use. */
export function usableNames(
  holder: KeyScopes,
  catalog: Catalog,
  upstream: { names: readonly string[] } | undefined,
): string[] {
  return [...allNames(catalog), ...(upstream?.names ?? [])].filter((id) => mayUseModel(holder, id));
}

/**
 * @param found what the name means
 * @param known candidates for the suggestion
 * @throws {ApiError} unless it means one model: 404 `model_not_found`; 400 `ambiguous_model` for a hub model with
 * several deployments, `invalid_value` for a hub name that no hub has
 */
export function requireOnly(
  found: readonly ResolvedModel[],
  name: string,
  known: () => string[],
): ResolvedModel {
  if (found.length === 1) return found[0]!;
  if (found.length > 1) {
    const names = found.map(({ record }) => `'${record.id}'`).join(", ");
    throw badRequest(
      "ambiguous_model",
      "model",
      `The model '${name}' has several deployments: ${names}. Set 'model' to one of them.`,
    );
  }
  const fault = hubNameError(name);
  if (fault !== undefined) throw badRequest("invalid_value", "model", `Invalid 'model': ${fault}.`);
  if (isHubName(name)) {
    throw notFound(
      `The model '${name}' has no deployment here. Create one with runtime.deployments.create({ name, model: '${name}' }), or use it in a batch.`,
    );
  }
  throw unknownModel(name, known());
}

/** The 404 for an unknown name, with OpenAI's message and the nearest of `known`. */
export function unknownModel(name: string, known: readonly string[]): ApiError {
  const nearest = nearestName(name, known);
  const hint = nearest === undefined ? "GET /v1/models lists the models." : `Did you mean '${nearest}'?`;
  return notFound(`The model '${name}' does not exist or you do not have access to it. ${hint}`);
}

/** The 404 for a model that is no chat model. */
export function notForChat(name: string, { deployment }: CatalogRecord): ApiError {
  if (isHubName(name) && !deployment) {
    return notFound(
      `No chat model '${name}' can run here. From the hub, infetch runs MLC builds for which web-llm has a library ('mlc-ai/…-MLC'), and GGUF files through a deployment.`,
    );
  }
  return notFound(
    `The model '${name}' is not a chat model and thus not supported here. Did you mean to use v1/embeddings?`,
  );
}

/** The 404 of OpenAI for a model. */
function notFound(message: string): ApiError {
  return new ApiError(404, "model_not_found", message, { param: "model" });
}
