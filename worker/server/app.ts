/** The web-standard app and its routes. Tests call it in Node, without a worker. */

import { requestIdOf, stateOf } from "../../src/protocol/transfer/request-state.ts";
import { chatCompletions } from "../endpoints/chat/handler.ts";
import type { Handler, RequestContext, Services } from "../endpoints/endpoint.ts";
import { orUpstream } from "../endpoints/upstream/or-upstream.ts";
import { ApiError } from "../http/api-error.ts";
import { authenticate } from "../http/authenticate.ts";
import { errorResponse } from "../http/error-response.ts";
import type { HandleAdmitted, LimitedRequest } from "../http/limits/rate-limit.ts";
import { Router } from "../http/router.ts";
import { loadPart } from "../lazy/part.ts";
import type { KeyRing } from "../usage/keys/key-ring.ts";
import type { Limiter } from "../usage/keys/limiter.ts";
import { hasQuota } from "../usage/keys/quotas.ts";
import { mayUseEndpoint } from "../usage/keys/scopes.ts";

/**
 * A handler whose module is imported on the first request. Chat is bundled, as most pages use it; lazy loading of
 * the other endpoints keeps the worker small.
 */
function lazy<Part, Name extends keyof Part>(load: () => Promise<Part>, name: Name): Handler {
  return async (context, services) =>
    ((await loadPart(load, context.request.signal))[name] as Handler)(context, services);
}

const batches = () => import("../endpoints/batches/handler.ts");
const billing = () => import("../endpoints/billing/handler.ts");
const completions = () => import("../endpoints/completions/handler.ts");
const embeddings = () => import("../endpoints/embeddings/handler.ts");
const files = () => import("../endpoints/files/handler.ts");
const models = () => import("../endpoints/models/handler.ts");
const render = () => import("../endpoints/render/handler.ts");
const responses = () => import("../endpoints/responses/handler.ts");

const routingErrors = () => loadPart(() => import("../http/routing-errors.ts"));

/** Path → method → handler. Order of checks: path 404, method 405, key 401, scope 403, limit 429, … */
export const ROUTES: Record<string, Record<string, Handler>> = {
  "/v1/chat/completions": { POST: orUpstream("/v1/chat/completions", chatCompletions) },
  "/v1/chat/completions/render": { POST: lazy(render, "renderChatCompletion") },
  "/v1/completions": { POST: orUpstream("/v1/completions", lazy(completions, "completions")) },
  "/v1/responses": { POST: orUpstream("/v1/responses", lazy(responses, "responses")) },
  "/v1/responses/input_tokens": { POST: lazy(render, "countInputTokens") },
  "/v1/responses/render": { POST: lazy(render, "renderResponse") },
  "/v1/billing/invoices": { GET: lazy(billing, "listInvoices") },
  "/v1/billing/invoices/current": { GET: lazy(billing, "currentInvoice") },
  "/v1/billing/invoices/breakdowns": { GET: lazy(billing, "invoiceBreakdowns") },
  "/v1/billing/invoices/:invoice_id": { GET: lazy(billing, "retrieveInvoice") },
  "/v1/embeddings": { POST: orUpstream("/v1/embeddings", lazy(embeddings, "createEmbeddings")) },
  "/v1/files": { GET: lazy(files, "listFiles"), POST: lazy(files, "createFile") },
  "/v1/files/:file_id": { GET: lazy(files, "retrieveFile"), DELETE: lazy(files, "deleteFile") },
  "/v1/files/:file_id/content": { GET: lazy(files, "fileContent") },
  "/v1/batches": { GET: lazy(batches, "listBatches"), POST: lazy(batches, "createBatch") },
  "/v1/batches/:batch_id": { GET: lazy(batches, "retrieveBatch") },
  "/v1/batches/:batch_id/cancel": { POST: lazy(batches, "cancelBatch") },
  "/v1/models": { GET: lazy(models, "listModels") },
  "/v1/models/:model{.+}": { GET: lazy(models, "retrieveModel") },
};

export interface App {
  /** Handles a request. Never rejects: failures are responses, too; all have `x-request-id`. */
  fetch(request: Request): Promise<Response>;
  /**
   * Runs one line of a batch on its endpoint, with a separate meter. The key and its per-minute limits were checked
   * when the batch was created; the key's quotas still apply. Never rejects.
   *
   * @param path an endpoint with a POST handler
   */
  dispatch(path: string, line: BatchLine): Promise<Response>;
}

/** A line of a batch, as the batch runner passes it. */
interface BatchLine {
  request: Request;
  holder: RequestContext["holder"];
  transactionId: string;
  meter: Services["meter"];
}

/** @param limiter absent if no key has limits */
export function createApp(services: Services, keys: KeyRing, limiter?: () => Promise<Limiter>): App {
  return new RoutedApp(services, keys, limiter);
}

class RoutedApp implements App {
  readonly #services: Services;
  readonly #keys: KeyRing;
  readonly #limiter: (() => Promise<Limiter>) | undefined;
  readonly #router = new Router<[path: string, methods: Record<string, Handler>]>();
  #arrivals = 0;

  constructor(services: Services, keys: KeyRing, limiter: (() => Promise<Limiter>) | undefined) {
    this.#services = services;
    this.#keys = keys;
    this.#limiter = limiter;
    for (const route of Object.entries(ROUTES)) this.#router.add(route[0], route);
  }

  async fetch(request: Request): Promise<Response> {
    const response = await delivered(request, await this.#handle(request).catch(errorResponse));
    response.headers.set("x-request-id", requestIdOf(request));
    return request.method === "HEAD" ? new Response(null, response) : response;
  }

  async dispatch(path: string, { request, holder, transactionId, meter }: BatchLine): Promise<Response> {
    const requestId = requestIdOf(request);
    const batch = { transactionId };
    const context = { requestId, arrival: ++this.#arrivals, holder, params: {}, batch };
    try {
      // Scopes are those at the batch's creation; limits are the current ones.
      const key = holder.limited ? withLimitsOf(holder, await this.#keys.find(holder.accessKey)) : holder;
      const limited = { holder: key, request, path, isBatch: true };
      return await withinLimits(this.#limiter, limited, (inner, admission) =>
        ROUTES[path]!.POST!(
          { ...context, request: inner, ...(admission ? { admission } : {}) },
          { ...this.#services, meter },
        ),
      );
    } catch (error) {
      return errorResponse(error);
    }
  }

  async #handle(raw: Request): Promise<Response> {
    const arrival = ++this.#arrivals;
    const { pathname } = new URL(raw.url);
    const { path, handler, params } = await this.#route(raw.method, pathname);
    const holder = await authenticate(raw, this.#keys);
    if (!mayUseEndpoint(holder, path)) throw endpointNotAllowed(pathname);
    // Else the error would be about JSON.
    if (!/^(identity)?$/i.test(raw.headers.get("content-encoding") ?? ""))
      throw (await routingErrors()).unsupportedEncoding(raw.headers.get("content-encoding")!);
    const context = { requestId: requestIdOf(raw), arrival, holder, params };
    const limited = { holder, request: raw, path, isBatch: false };
    return withinLimits(this.#limiter, limited, (request, admission) =>
      handler({ ...context, request, ...(admission ? { admission } : {}) }, this.#services),
    );
  }

  /** @throws {ApiError} 404 for an unknown path, 405 for another method */
  async #route(method: string, pathname: string) {
    const matched = this.#router.match(pathname);
    if (!matched) throw (await routingErrors()).unknownURL(method, pathname, Object.keys(ROUTES));
    const [path, methods] = matched.route;
    // RFC 9110: HEAD is supported wherever GET is, without the content.
    const name = method === "HEAD" ? "GET" : method;
    const handler = Object.hasOwn(methods, name) ? methods[name] : undefined;
    if (!handler) throw (await routingErrors()).methodNotAllowed(method, pathname, Object.keys(methods));
    return { path, handler, params: matched.params };
  }
}

/** Billing reads do not count against limits: they have no 429. */
const UNLIMITED = "/v1/billing/";

/** Handles a request within the limits of its key, if it has any. */
async function withinLimits(
  limiter: (() => Promise<Limiter>) | undefined,
  limited: LimitedRequest,
  handle: HandleAdmitted,
): Promise<Response> {
  const { holder, path, request } = limited;
  if (!limiter || !holder.limited || path.startsWith(UNLIMITED)) return handle(request);
  const part = await loadPart(() => import("../http/limits/rate-limit.ts"));
  return part.withinLimits(await limiter(), limited, handle);
}

/** Batches of a revoked key continue, unless it had a quota: its counters are deleted, so the limiter refuses. */
function withLimitsOf(holder: RequestContext["holder"], now: RequestContext["holder"] | undefined) {
  const { limited, ...unlimited } = holder;
  if (now?.limited) return { ...unlimited, limited: now.limited };
  return limited && hasQuota(limited.limits) ? holder : unlimited;
}

/** Aborted requests are free: usage that was recorded during the abort is reversed. */
async function delivered(request: Request, response: Response): Promise<Response> {
  const { metered } = stateOf(request);
  if (!request.signal.aborted || (response.ok && metered?.stream)) return response;
  if (metered?.recorded) await metered.reverseUsage();
  return errorResponse(new ApiError(499, "request_aborted", "The request was aborted by its caller."));
}

function endpointNotAllowed(path: string): ApiError {
  return new ApiError(403, "endpoint_not_allowed", `This API key may not call ${path}.`, {
    type: "permission_error",
  });
}
