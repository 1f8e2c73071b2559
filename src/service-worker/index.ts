/**
 * `infetch/service-worker`: serves same-origin `/v1` requests for all pages of the origin, including plain `fetch`
 * calls in pages without a runtime, by forwarding them to the leader page's server.
 *
 * @example
 * // sw.js, beside the app's own precaching
 * import { answerRequests } from "infetch/service-worker";
 * answerRequests();
 *
 * @module
 */

import { InfetchError, isInfetchError } from "../errors.ts";
import { normalizeBasePath } from "../port/base-path.ts";
import { buildRequest } from "../protocol/transfer/request-body.ts";
import { requestIdOf } from "../protocol/transfer/request-state.ts";
import { abortable } from "../shared/abortable.ts";
import { type ScopedMessage, scopePrefix } from "../tabs/messages.ts";
import { retryOnServerLoss } from "../tabs/retry-on-server-loss.ts";
import { isJsonOrEmpty, isSentByOwnScript } from "./csrf.ts";
import { type ClientMessageEvent, globalScope, isServiceWorker } from "./global-scope.ts";
import { lentKey } from "./key-store.ts";
import { callLeader } from "./leader.ts";
import { LeaderConnection, NoPageError } from "./leader-connection.ts";

export { lendKey } from "./key-store.ts";

/** Options of {@link answerRequests}. */
export interface ServiceWorkerOptions {
  /**
   * Path prefix to serve on this origin, from its first `/`. Must be the path of the runtime's `baseURL`, and not the
   * root, which is also the pages' own.
   *
   * @default "/v1"
   */
  basePath?: string;

  /**
   * Selects the server: that of the pages with the same `storageName`.
   *
   * @default "infetch"
   */
  storageName?: string;
}

/**
 * Serves requests under `basePath`. Call it during the initial run of the service worker's script, when its listeners
 * must be registered. A request without `Authorization` gets the key set by {@link lendKey} if a script of this
 * origin sends it and its body, if any, is JSON; otherwise the response is 401. Requests to other paths are not
 * intercepted.
 *
 * @throws {InfetchError} `not_in_a_service_worker` in any other context
 * @throws {TypeError} for the root as `basePath`
 */
export function answerRequests({
  basePath = "/v1",
  storageName = "infetch",
}: ServiceWorkerOptions = {}): void {
  if (!isServiceWorker) {
    throw new InfetchError(
      "not_in_a_service_worker",
      "answerRequests() works only in a service worker: call it in the script that the page registers.",
    );
  }
  const base = normalizeBasePath(basePath);
  if (base === "") throw new TypeError(ROOT_BASE);
  const server = new LeaderConnection(scopePrefix(storageName), base);
  globalScope.addEventListener("fetch", (event) => {
    const { origin, pathname } = new URL(event.request.url);
    if (origin !== location.origin || !`${pathname}/`.startsWith(`${base}/`)) return;
    event.respondWith(answer(event.request, server));
  });
  // Relays calls between pages without SharedWorker.
  globalScope.addEventListener("message", (event) => {
    const { data, source } = event as ClientMessageEvent;
    const message = data as Partial<ScopedMessage> | undefined;
    if (typeof message?.infetch !== "string" || message.type !== "call") return;
    const { port, infetch } = message as Extract<ScopedMessage, { type: "call" }>;
    const callerId = (source as { id?: string } | null)?.id;
    const passedOn = callLeader(infetch, { exceptId: callerId, isServiceWorker: false }).then((found) =>
      port.postMessage(null, [found]),
    );
    (event as ClientMessageEvent).waitUntil(passedOn);
  });
}

/**
 * Time limit for a response to start: slightly below Chromium's limit for a service worker event. Total duration is
 * unlimited.
 */
const BEGIN_LIMIT_MS = 295_000;

/** Never rejects: `fetch` would then fail without a reason. */
async function answer(request: Request, server: LeaderConnection): Promise<Response> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), BEGIN_LIMIT_MS);
  let sent = request;
  const refuse = (...why: Refusal): Response => refusal(requestIdOf(sent), ...why);
  try {
    const signal = AbortSignal.any([request.signal, late.signal]);
    signal.throwIfAborted();
    const respond = async (): Promise<Response> => {
      const own = await asOwn(request, signal);
      if (!own) return refuse(401, "missing_api_key", NOT_LENT);
      sent = own;
      return retryOnServerLoss(own, () => server.connection());
    };
    // Reading the key, finding the leader and its server may each take too long.
    return await abortable(respond(), signal);
  } catch (error) {
    if (request.signal.aborted) return Response.error();
    if (late.signal.aborted) return refuse(504, "answer_too_late", TOO_LATE);
    if (error instanceof NoPageError) return refuse(503, "no_open_page", NO_PAGE);
    if (isInfetchError(error)) return refuse(503, error.code, error.message);
    return refuse(503, "request_failed", `The request could not be read (${error}). Send it again.`);
  } finally {
    clearTimeout(timer);
  }
}

const ROOT_BASE =
  "basePath must not be the root: the service worker would answer for the site's own pages. Use a path such as /v1, also in the runtime's baseURL.";
const NO_PAGE = "No open page of this site runs infetch. Open one, then send the request again.";
const TOO_LATE =
  "The response did not start within 295 seconds; browsers end a service worker's event after 300. Stream it, or send the request with runtime.fetch.";

const NOT_LENT =
  "This request has no Authorization header. The service worker adds this site's key only to requests of the site's own scripts, and with a body only if its content-type is application/json. Send an Authorization header, or change the request.";
const NO_KEY =
  "Try again; if it fails again, allow this site to store data in the browser, or send an Authorization header.";

type Refusal = [status: 401 | 503 | 504, code: string, message: string];

/** Error response in the server's format. Only 503 is retryable, as `x-should-retry` tells SDKs. */
function refusal(requestId: string, ...[status, code, message]: Refusal): Response {
  const type = status === 401 ? "authentication_error" : "server_error";
  const headers = {
    "x-request-id": requestId,
    "x-should-retry": String(status === 503),
    ...(status === 401 ? { "www-authenticate": "Bearer" } : { "retry-after": "1" }),
  };
  return Response.json({ error: { message, type, param: null, code } }, { status, headers });
}

/**
 * Copies a page's request, buffering the body so that it can be retried. Undefined if it has no key and is not
 * eligible for the lent one.
 *
 * @throws {InfetchError} `keys_unavailable`
 */
async function asOwn(request: Request, signal: AbortSignal): Promise<Request | undefined> {
  const { url, method } = request;
  const headers = new Headers(request.headers);
  const bringsKey = headers.has("authorization");
  if (!bringsKey && !isSentByOwnScript(request)) return undefined;
  const hasBody = method !== "GET" && method !== "HEAD";
  const body = hasBody ? await request.blob() : undefined;
  if (!bringsKey) {
    if (!isJsonOrEmpty(request, body)) return undefined;
    const apiKey = await lentKey().catch((cause) => {
      throw new InfetchError("keys_unavailable", `The lent key could not be read (${cause}). ${NO_KEY}`, {
        cause,
      });
    });
    if (apiKey !== undefined) headers.set("authorization", `Bearer ${apiKey}`);
  }
  return buildRequest(url, { method, headers, signal, ...(body && { body }) });
}
