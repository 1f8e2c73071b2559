/** What every endpoint is given and what it is. */

import type { KeyHolder } from "../accounts/keys.ts";
import type { Billing } from "../billing/billing.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { CatalogRecord, EmbeddingModelRecord, ModelRecord } from "../catalog/model-record.ts";
import { type Clock, unixSeconds } from "../clock.ts";
import type { EmbeddingService } from "../engines/embedding-service.ts";
import type { EngineSupervisor } from "../engines/supervisor.ts";
import type { ChatRequest } from "../generation/chat-request.ts";
import type { ReplyMemory } from "../generation/prompt/reply-memory.ts";
import { ApiError, badRequest } from "../http/api-error.ts";
import type { Meter, RequestMeter } from "../metering/meter.ts";

/** The parts of the server that endpoints call. */
export interface Services {
  clock: Clock;
  catalog: Catalog;
  engines: EngineSupervisor;
  embeddings: EmbeddingService;
  meter: Meter;
  /** What the model really wrote, for conversations that come back. */
  recall: ReplyMemory;
  /** Whether what the spec requires must be there, where SDKs leave it out. */
  strict: boolean;
  /** Absent where the app has switched billing off. */
  billing?: Billing;
}

/** One request on its way through an endpoint. */
export interface RequestContext {
  /** A v4 UUID: `x-request-id`, and the transaction id of its usage. */
  requestId: string;
  holder: KeyHolder;
  request: Request;
  /** Path parameters, decoded. */
  params: Record<string, string>;
}

export type Handler = (context: RequestContext, services: Services) => Promise<Response>;

/** @throws {ApiError} 404 `model_not_found`, worded as OpenAI does */
export function requireRecord(catalog: Catalog, id: string): CatalogRecord {
  const model = catalog.find(id);
  if (model) return model;
  throw new ApiError(
    404,
    "model_not_found",
    `The model '${id}' does not exist or you do not have access to it.`,
    { param: "model" },
  );
}

/** A model that makes text. @throws {ApiError} 404, as {@link requireRecord}, also for one that does not */
export function requireModel(catalog: Catalog, id: string): ModelRecord {
  const model = requireRecord(catalog, id);
  if (model.kind === "chat") return model;
  throw new ApiError(
    404,
    "model_not_found",
    `The model '${id}' is not a chat model and thus not supported here. Did you mean to use v1/embeddings?`,
    { param: "model" },
  );
}

/** @throws {ApiError} 404, as {@link requireRecord}; 403 for a model that makes no embeddings, as OpenAI does */
export function requireEmbeddingModel(catalog: Catalog, id: string): EmbeddingModelRecord {
  const model = requireRecord(catalog, id);
  if (model.kind === "embedding") return model;
  throw new ApiError(
    403,
    "model_not_allowed",
    `You are not allowed to generate embeddings from this model: '${id}' is no embedding model.`,
    { param: "model" },
  );
}

/** @throws {ApiError} 400 that names `param`, where thinking is asked of a model that cannot think */
export function requireReasoning(
  { reasoning }: Pick<ChatRequest, "reasoning">,
  model: ModelRecord,
  param: string,
): void {
  if (reasoning !== "on" || model.reasoning) return;
  throw badRequest(
    "unsupported_parameter",
    param,
    `Unsupported parameter: '${param}' is not supported with '${model.id}'.`,
  );
}

/** What all objects of one answer share. */
export interface AnswerIdentity {
  id: string;
  created: number;
  model: string;
  systemFingerprint: string;
}

/** @param prefix of the id, for example `chatcmpl-` */
export function identify(prefix: string, model: ModelRecord, clock: Clock): AnswerIdentity {
  return {
    id: clock.id(prefix),
    created: unixSeconds(clock),
    model: model.id,
    systemFingerprint: `fp_${model.version}`,
  };
}

/** Begins to meter a request under its own id. */
export function beginMeter(
  { requestId, holder }: RequestContext,
  { meter }: Services,
  what: { endpoint: string; model: CatalogRecord; stream: boolean },
): RequestMeter {
  return meter.begin({
    transactionId: requestId,
    account: holder.account,
    endpoint: what.endpoint,
    tier: "serverless",
    model: what.model.id,
    stream: what.stream,
  });
}

/** `x-infetch-engine`: what serves the model, where it is loaded. The adapter's own name is not for headers. */
export function engineHeaders({ engines }: Services, model: ModelRecord): Record<string, string> {
  const facts = engines.loaded(model.id)?.facts;
  return facts ? { "x-infetch-engine": `${facts.engine}; device=${facts.device.split(":")[0]}` } : {};
}
