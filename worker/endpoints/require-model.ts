/** Resolves the `model` of a request. */

import { abortable } from "../../src/shared/abortable.ts";
import { asKind, type ChatModelRecord } from "../catalog/model-record.ts";
import { type ResolvedModel, resolveModel } from "../catalog/resolve.ts";
import { ApiError } from "../http/api-error.ts";
import { loadPart } from "../lazy/part.ts";
import { mayUseModel } from "../usage/keys/scopes.ts";
import type { RequestContext, Services } from "./endpoint.ts";
import { withPageOptions } from "./page-options.ts";

const modelNames = () => loadPart(() => import("./model-names.ts"));

/**
 * Resolves a request's `model` to the one model that the key may use.
 *
 * @throws {ApiError} as `requireOnly`; 403 `model_not_allowed` if the key may use none of the candidates
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
  const only = found.length === 1 ? found[0]! : await onlyOne(found);
  return { ...only, record: await abortable(catalog.complete(only.record), request.signal) };

  async function onlyOne(found: readonly ResolvedModel[]): Promise<ResolvedModel> {
    const { requireOnly, usableNames } = await modelNames();
    return requireOnly(found, name, () => usableNames(holder, catalog, upstream));
  }
}

/** Resolves a chat model. @throws {ApiError} as {@link requireResolved}; 404 also for other kinds */
export async function requireModel(
  context: RequestContext,
  services: Services,
  name: string,
): Promise<ResolvedModel<ChatModelRecord>> {
  const { record, ...rest } = await requireResolved(context, services, name);
  const chat = asKind(record, "chat");
  if (chat) return { ...rest, record: withPageOptions(chat, context, services) };
  throw (await modelNames()).notForChat(name, record);
}

/** The 403 for a model that exists but that the key may not use. */
export function modelNotAllowed(name: string): ApiError {
  return new ApiError(403, "model_not_allowed", `This API key may not use the model '${name}'.`, {
    type: "permission_error",
    param: "model",
  });
}
