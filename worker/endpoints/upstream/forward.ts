/** Forwards requests to the upstream, or to the local endpoint. */

import { stateOf } from "../../../src/protocol/transfer/request-state.ts";
import { readText } from "../../../src/shared/read-text.ts";
import { ApiError } from "../../http/api-error.ts";
import { readJsonObject } from "../../http/body/json-body.ts";
import { SSE_HEADERS, sseBody } from "../../http/sse/sse.ts";
import { mayUseModel } from "../../usage/keys/scopes.ts";
import { NO_TOKENS } from "../../usage/metering/meter.ts";
import type { Handler, RequestContext, Services } from "../endpoint.ts";
import { openMeter } from "../metering/begin-meter.ts";
import { Delivery } from "../metering/delivery.ts";
import { isStrict } from "../page-options.ts";
import { modelNotAllowed } from "../require-model.ts";
import { withoutOwnEncryptedContent } from "../responses/encrypted-content.ts";
import { refuseStored } from "../responses/refusals.ts";
import { invalidResponse, upstreamError } from "./errors.ts";
import { relayStream } from "./relay.ts";
import { ResponseItems } from "./response-items.ts";
import type { Upstream } from "./upstream.ts";
import { countsOf } from "./usage.ts";

const HEADERS = { "x-infetch-engine": "upstream" };

interface Forwarding {
  path: string;
  /** The local endpoint of the path. */
  here: Handler;
  upstream: Upstream;
}

/**
 * Forwards a request to the upstream, or handles it locally if this device serves its model.
 *
 * @throws {ApiError} 400 for the body, 403 `model_not_allowed`, the upstream's error, or 502; and as `here` does
 */
export async function forwardOr(
  { path, here, upstream }: Forwarding,
  context: RequestContext,
  services: Services,
): Promise<Response> {
  // Clone: a local endpoint reads the body again.
  const body = await readJsonObject(context.request.clone());
  const name = typeof body.model === "string" ? body.model : "";
  const isBatch = context.batch !== undefined;
  const model = await upstream.nameOf(name, services.catalog, isBatch);
  if (model === undefined) return here(context, services);
  await context.request.body?.cancel();
  if (!mayUseModel(context.holder, name)) throw modelNotAllowed(name);
  return forward({ path, body, name, model, upstream }, context, services);
}

interface Forwarded {
  path: string;
  body: Record<string, unknown>;
  /** The client's name of the model; `model` is the upstream's. */
  name: string;
  model: string;
  upstream: Upstream;
}

async function forward(
  { path, body, name, model, upstream }: Forwarded,
  context: RequestContext,
  services: Services,
): Promise<Response> {
  const { account } = context.holder;
  const isResponse = path === "/v1/responses";
  if (isResponse) refuseStored(body, isStrict(context, services));
  const stream = body.stream === true;
  const cancel = new AbortController();
  const signal = AbortSignal.any([context.request.signal, cancel.signal]);
  const cache = isResponse ? await services.items() : undefined;
  const sent = cache
    ? { ...body, input: withoutOwnEncryptedContent(cache.resolveKnown(account, body.input)) }
    : body;
  const response = await upstream.send(path, toSent(sent, model, isResponse), signal);
  const answer = await requireAnswer(response, upstream, stream, cancel);
  const tier = context.batch ? "batch" : "upstream";
  const meter = openMeter(context, services, { endpoint: path, tier, model: name, stream }, () => "upstream");
  const items = new ResponseItems();
  const onEnd = (): void => cache && items.rememberIn(cache, account);
  if (stream) {
    const events = relayStream({
      body: answer,
      delivery: new Delivery(stateOf(context.request), meter, signal),
      name,
      isResponse,
      includeUsage: asksForUsage(body),
      shown: (text) => upstream.withoutKey(text),
      signal,
      onEvent: (event) => items.note(event),
      onEnd,
    });
    const relayed = sseBody(events, () => cancel.abort());
    return new Response(relayed, { headers: { ...SSE_HEADERS, ...HEADERS } });
  }
  const result = await readResult(response, { path, upstream, signal });
  await meter.settle("completed", countsOf(result.usage) ?? NO_TOKENS);
  if (isResponse) items.noteAll(result.output);
  onEnd();
  return Response.json({ ...result, model: name }, { headers: HEADERS });
}

/** @throws {ApiError} the upstream's error; 502 for a stream that was not requested, or for none where one was */
async function requireAnswer(
  response: Response,
  upstream: Upstream,
  stream: boolean,
  cancel: AbortController,
): Promise<NonNullable<Response["body"]>> {
  if (!response.ok) throw await upstreamError(response, (text) => upstream.withoutKey(text));
  if (stream === isEventStream(response) && response.body) return response.body;
  // Otherwise the upstream continues, and bills for tokens that are not read.
  cancel.abort();
  throw invalidResponse();
}

function isEventStream({ headers }: Response): boolean {
  // Media types have no case (RFC 9110, section 8.3.1).
  return /^text\/event-stream\b/i.test(headers.get("content-type") ?? "");
}

function asksForUsage(body: Record<string, unknown>): boolean {
  const options = body.stream_options as { include_usage?: unknown } | null | undefined;
  return options?.include_usage === true;
}

/** The client's body with the upstream's name of the model, and with usage in streams. */
function toSent(body: Record<string, unknown>, model: string, isResponse: boolean): object {
  // OpenAI stores responses by default.
  if (isResponse) return { ...body, model, store: false };
  if (body.stream !== true) return { ...body, model };
  return { ...body, model, stream_options: { ...(body.stream_options as object), include_usage: true } };
}

/** The array that every response of an endpoint has; default: `choices`. */
const RESULTS: Record<string, string> = { "/v1/embeddings": "data", "/v1/responses": "output" };

/** Of a response that is no stream: more than 2,048 embeddings in JSON. */
const MAX_BYTES = 256 * 2 ** 20;

/** @throws {ApiError} 502; the signal's reason */
async function readResult(
  response: Response,
  { path, upstream, signal }: Pick<Forwarded, "path" | "upstream"> & { signal: AbortSignal },
): Promise<Record<string, unknown>> {
  try {
    const read = await readText(response.body, MAX_BYTES);
    if (!read) throw invalidResponse(`is longer than ${MAX_BYTES / 2 ** 20} MiB`);
    const result = JSON.parse(upstream.withoutKey(read.text)) as Record<string, unknown> | null;
    if (Array.isArray(result?.[RESULTS[path] ?? "choices"])) return result!;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ApiError) throw error;
  }
  throw invalidResponse();
}
