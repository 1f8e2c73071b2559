/** The handler interface of endpoints, and what they share. */

import { abortable } from "../../src/protocol/abortable.ts";
import { factsOf, type MeteredUse } from "../../src/protocol/request-facts.ts";
import type { BatchStore } from "../batch/batch-store.ts";
import type { FileStore } from "../batch/file-store.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { isHubName } from "../catalog/hub-name.ts";
import type { CatalogRecord, EmbeddingModelRecord, ModelRecord } from "../catalog/model-record.ts";
import { type ResolvedModel, resolveModel } from "../catalog/resolve.ts";
import { type Clock, unixSeconds } from "../clock.ts";
import type { ChatModelFacts } from "../engines/api/types.ts";
import type { EmbeddingService } from "../engines/embeddings/embedding-service.ts";
import type { Place } from "../engines/scheduling/model-queue.ts";
import type { EngineSupervisor } from "../engines/scheduling/supervisor.ts";
import type { ReadImage } from "../generation/images/read-image.ts";
import { ApiError } from "../http/api-error.ts";
import type { ReplyCaches } from "../prompt/reply-cache.ts";
import type { Admission } from "../usage/accounts/admission-handle.ts";
import type { KeyHolder } from "../usage/accounts/keys.ts";
import { mayUseModel } from "../usage/accounts/scopes.ts";
import type { Billing } from "../usage/billing/billing.ts";
import type { Meter, MeteredRequest, RequestMeter } from "../usage/metering/meter.ts";
import { limitedMeter } from "./limited-meter.ts";
import { allNames, notFound, requireOnly, unknownModel, usableNames } from "./model-names.ts";
import { notedMeter } from "./noted-meter.ts";
import { withPageOptions } from "./page-options.ts";
import type { ItemMemory } from "./responses/item-memory.ts";
import { engineOf, gpuTypeOf } from "./served-by.ts";
import type { Upstream } from "./upstream/upstream.ts";

/** Server components that endpoints use. */
export interface Services {
  clock: Clock;
  catalog: Catalog;
  engines: EngineSupervisor;
  embeddings: EmbeddingService;
  meter: Meter;
  /** Raw replies of the model, for follow-up requests of a conversation. */
  replyCaches: ReplyCaches;
  /** Output items of recent responses, for `item_reference`. */
  items: ItemMemory;
  /** Whether fields that the spec requires, but SDKs omit, are mandatory, unless the page's options say otherwise. */
  strict: boolean;
  /** Whose sampling defaults apply, unless the model or the page's options say otherwise. @default "api" */
  samplingDefaults?: "api" | "model";
  /** Likewise, whether special tokens in messages are read as such. @default true */
  parseSpecialTokens?: boolean;
  /** Reads an image of a request. */
  readImage: ReadImage;
  /** Whether images are downloaded. @default false */
  remoteImages?: boolean;
  /** Opened on the first use of either. */
  stores(): Promise<{ files: FileStore; batches: BatchStore }>;
  /** Absent if nothing is forwarded. */
  upstream?: Upstream;
  /** Absent if billing is off. */
  billing?: Billing;
}

/** A request and its metadata. */
export interface RequestContext {
  /** UUID v4: the `x-request-id` header and the transaction id of its usage. */
  requestId: string;
  /** Sequence number of the request on this server. */
  arrival: number;
  holder: KeyHolder;
  request: Request;
  /** Path parameters, decoded. */
  params: Record<string, string>;
  /** Set by the batch runner for batch lines; the id under which usage is metered. */
  batch?: { transactionId: string };
  /** Present for keys with limits; the meter of the request takes it over and finishes it. */
  admission?: Admission;
}

export type Handler = (context: RequestContext, services: Services) => Promise<Response>;

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
  const all = resolveModel(catalog, name, batch !== undefined);
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
): Promise<ResolvedModel<ModelRecord>> {
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

/** Fields that all objects of a response share. */
export interface AnswerIdentity {
  id: string;
  created: number;
  model: string;
  /** Set by `onEngine`; empty before. */
  systemFingerprint: string;
}

/** @param prefix id prefix, for example `chatcmpl-` */
export function identify(prefix: string, { name }: ResolvedModel<ModelRecord>, clock: Clock): AnswerIdentity {
  return { id: clock.id(prefix), created: unixSeconds(clock), model: name, systemFingerprint: "" };
}

/** The `onEngine` callback that sets the fingerprint of later objects. */
export function namesEngine(identity: AnswerIdentity): { onEngine: (facts: ChatModelFacts) => void } {
  return {
    onEngine: ({ fingerprint }) => {
      identity.systemFingerprint = `fp_${fingerprint}`;
    },
  };
}

/** Batch lines run only when no interactive request waits. */
export function placeOf({ batch, arrival }: RequestContext): Place {
  return { priority: batch ? "background" : "interactive", arrival };
}

/** Checks a counted prompt against the limits of the request's key. */
export function promptCounter({ admission }: RequestContext): (promptTokens: number) => Promise<void> {
  return async (promptTokens) => admission?.countPrompt(promptTokens);
}

/** Starts the meter of a request that a local model serves. */
export function beginMeter(
  context: RequestContext,
  services: Services,
  what: { endpoint: string; model: ResolvedModel; stream: boolean },
): RequestMeter {
  const { record, tier } = what.model;
  const metered = {
    endpoint: what.endpoint,
    tier,
    model: record.deployment?.model ?? record.id,
    stream: what.stream,
    ...(tier === "dedicated" ? { deploymentName: record.id, gpuType: gpuTypeOf(record, services) } : {}),
  };
  return openMeter(context, services, metered, engineOf(record, services));
}

/**
 * Starts the meter of a request, under its own id or that of its batch line; also updates the limits of its key.
 *
 * @param engine returns the name of the engine, once known
 */
export function openMeter(
  { request: sent, requestId, holder, batch, admission }: RequestContext,
  services: Services,
  what: Omit<MeteredRequest, "transactionId" | "account">,
  engine: MeteredUse["engine"],
): RequestMeter {
  const transactionId = batch?.transactionId ?? requestId;
  const request = { ...what, transactionId, account: holder.account };
  const meter = services.meter.begin(request);
  const limited = admission ? limitedMeter(meter, request, admission.take(), batch !== undefined) : meter;
  return notedMeter(limited, request, factsOf(sent), engine);
}

/** `x-infetch-engine`: the engine of a loaded model and its device, without the adapter name. */
export function engineHeaders({ engines }: Services, model: ModelRecord): Record<string, string> {
  const facts = engines.loaded(model.id)?.facts;
  return facts ? { "x-infetch-engine": `${facts.engine}; device=${facts.device.split(":")[0]}` } : {};
}
