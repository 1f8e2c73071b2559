/** Resolves the `model` of a request. */

import { abortable } from "../../src/protocol/abortable.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { isHubName } from "../catalog/hub-name.ts";
import type { CatalogRecord, ChatModelRecord, EmbeddingModelRecord } from "../catalog/model-record.ts";
import { type ResolvedModel, resolveModel } from "../catalog/resolve.ts";
import { ApiError } from "../http/api-error.ts";
import { mayUseModel } from "../usage/keys/scopes.ts";
import type { RequestContext, Services } from "./endpoint.ts";
import { allNames, notFound, requireOnly, unknownModel, usableNames } from "./model-names.ts";
import { withPageOptions } from "./page-options.ts";

/** @throws {ApiError} 404 `model_not_found`, with OpenAI's message and the nearest name */
export function requireRecord(catalog: Catalog, id: string): CatalogRecord {
  const model = catalog.find(id);
  if (model) return model;
  throw unknownModel(id, allNames(catalog));
}

/**
 * Resolves a request's `model` to the one model that the key may use.
 *
 * @throws {ApiError} as {@link requireOnly}; 403 `model_not_allowed` if the key may use none of the candidates
 * @throws {EngineError} if the manifest of a custom model cannot be read
 */
export async function requireResolved(
  { batch, holder, request }: RequestContext,
  { catalog, upstream }: Services,
  name: string,
): Promise<ResolvedModel> {
  const resolve = () => resolveModel(catalog, name, batch !== undefined);
  let all = resolve();
  if (all.length === 0) {
    await abortable(catalog.retry(), request.signal);
    all = resolve();
  }
  const found = all.filter(({ record }) => mayUseModel(holder, record.id));
  if (all.length > 0 && found.length === 0) throw modelNotAllowed(name);
  const only = requireOnly(found, name, () => usableNames(holder, catalog, upstream));
  return { ...only, record: await abortable(catalog.complete(only.record), request.signal) };
}

/** Resolves a chat model. @throws {ApiError} as {@link requireResolved}; 404 also for other kinds */
export async function requireModel(
  context: RequestContext,
  services: Services,
  name: string,
): Promise<ResolvedModel<ChatModelRecord>> {
  const { record, ...rest } = await requireResolved(context, services, name);
  if (record.kind === "chat") return { ...rest, record: withPageOptions(record, context, services) };
  if (isHubName(name) && !record.deployment) {
    throw notFound(
      `No chat model '${name}' can run here. From the hub, infetch runs MLC builds for which web-llm has a library ('mlc-ai/…-MLC'), and GGUF files through a deployment.`,
    );
  }
  throw notFound(
    `The model '${name}' is not a chat model and thus not supported here. Did you mean to use v1/embeddings?`,
  );
}

/** @throws {ApiError} as {@link requireResolved}; 403 for other kinds of models, as at OpenAI */
export async function requireEmbeddingModel(
  context: RequestContext,
  services: Services,
  name: string,
): Promise<ResolvedModel<EmbeddingModelRecord>> {
  const { record, ...rest } = await requireResolved(context, services, name);
  if (record.kind === "embedding") return { ...rest, record };
  throw new ApiError(
    403,
    "model_not_allowed",
    `You are not allowed to generate embeddings from this model: '${name}' is not an embedding model.`,
    { param: "model" },
  );
}

/** The 403 for a model that exists but that the key may not use. */
export function modelNotAllowed(name: string): ApiError {
  return new ApiError(403, "model_not_allowed", `This API key may not use the model '${name}'.`, {
    type: "permission_error",
    param: "model",
  });
}
