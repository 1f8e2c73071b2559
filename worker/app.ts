/** The web-standard app: one line per endpoint. Tests call it in Node, without any worker. */

import { Hono } from "hono";
import { requestIdOf } from "../src/protocol/transfer.ts";
import type { KeyRing } from "./accounts/keys.ts";
import type { Limiter } from "./accounts/limiter.ts";
import { mayUseEndpoint } from "./accounts/scopes.ts";
import { cancelBatch, createBatch, listBatches, retrieveBatch } from "./endpoints/batches/handler.ts";
import {
  currentInvoice,
  invoiceBreakdowns,
  listInvoices,
  retrieveInvoice,
} from "./endpoints/billing/handler.ts";
import { chatCompletions } from "./endpoints/chat/handler.ts";
import { completions } from "./endpoints/completions/handler.ts";
import { createEmbeddings } from "./endpoints/embeddings/handler.ts";
import type { Handler, RequestContext, Services } from "./endpoints/endpoint.ts";
import { createFile, deleteFile, fileContent, listFiles, retrieveFile } from "./endpoints/files/handler.ts";
import { listModels, retrieveModel } from "./endpoints/models/handler.ts";
import { responses } from "./endpoints/responses/handler.ts";
import { orUpstream } from "./endpoints/upstream/forward.ts";
import { ApiError } from "./http/api-error.ts";
import { authenticate } from "./http/authenticate.ts";
import { errorResponse } from "./http/error-response.ts";
import { withinLimits } from "./http/rate-limit.ts";

/** Path → method → handler. The order of answers is the design's: path 404, method 405, key 401, scope 403, limit 429, … */
const ROUTES: Record<string, Record<string, Handler>> = {
  "/v1/chat/completions": { POST: orUpstream("/v1/chat/completions", chatCompletions) },
  "/v1/completions": { POST: orUpstream("/v1/completions", completions) },
  "/v1/responses": { POST: orUpstream("/v1/responses", responses) },
  "/v1/billing/invoices": { GET: listInvoices },
  "/v1/billing/invoices/current": { GET: currentInvoice },
  "/v1/billing/invoices/breakdowns": { GET: invoiceBreakdowns },
  "/v1/billing/invoices/:invoice_id": { GET: retrieveInvoice },
  "/v1/embeddings": { POST: orUpstream("/v1/embeddings", createEmbeddings) },
  "/v1/files": { GET: listFiles, POST: createFile },
  "/v1/files/:file_id": { GET: retrieveFile, DELETE: deleteFile },
  "/v1/files/:file_id/content": { GET: fileContent },
  "/v1/batches": { GET: listBatches, POST: createBatch },
  "/v1/batches/:batch_id": { GET: retrieveBatch },
  "/v1/batches/:batch_id/cancel": { POST: cancelBatch },
  "/v1/models": { GET: listModels },
  "/v1/models/:model{.+}": { GET: retrieveModel },
};

export interface App {
  /** Answers every request. Never rejects: every failure is a Response with `x-request-id`. */
  fetch(request: Request): Promise<Response>;
  /**
   * Answers one line of a batch as its endpoint does, metered by a meter of its own. The key was asked when the
   * batch was created and may be gone by now; of its limits only the quotas hold. Never rejects.
   *
   * @param path one of the endpoints that take a POST
   */
  dispatch(path: string, line: BatchLine): Promise<Response>;
}

/** What the runner of batches knows of a line. */
export interface BatchLine {
  request: Request;
  holder: RequestContext["holder"];
  transactionId: string;
  meter: Services["meter"];
}

/** @param limiter absent where no key has limits */
export function createApp(services: Services, keys: KeyRing, limiter?: Limiter): App {
  const app = new Hono();
  for (const [path, methods] of Object.entries(ROUTES)) {
    app.all(path, async ({ req }) => {
      const handler = methods[req.method];
      if (!handler) throw methodNotAllowed(req.method, req.path, Object.keys(methods));
      const holder = await authenticate(req.raw, keys);
      if (!mayUseEndpoint(holder, path)) throw endpointNotAllowed(req.path);
      const context = { requestId: requestIdOf(req.raw), holder, params: req.param() };
      return withinLimits(limiter, { holder, request: req.raw, path, isBatch: false }, (request, admission) =>
        handler({ ...context, request, ...(admission ? { admission } : {}) }, services),
      );
    });
  }
  app.notFound(({ req }) =>
    errorResponse(
      new ApiError(
        404,
        "unknown_url",
        `Unknown request URL: ${req.method} ${req.path}. Please check the URL for typos.`,
      ),
    ),
  );
  app.onError((error) => errorResponse(error));
  return {
    async fetch(request) {
      const response = await app.fetch(request);
      response.headers.set("x-request-id", requestIdOf(request));
      return response;
    },
    async dispatch(path, { request, holder, transactionId, meter }) {
      const context = { requestId: requestIdOf(request), holder, params: {}, batch: { transactionId } };
      try {
        return await withinLimits(limiter, { holder, request, path, isBatch: true }, (request, admission) =>
          ROUTES[path]!.POST!(
            { ...context, request, ...(admission ? { admission } : {}) },
            { ...services, meter },
          ),
        );
      } catch (error) {
        return errorResponse(error);
      }
    },
  };
}

function endpointNotAllowed(path: string): ApiError {
  return new ApiError(403, "endpoint_not_allowed", `This API key may not call ${path}.`, {
    type: "permission_error",
  });
}

function methodNotAllowed(method: string, path: string, allowed: string[]): ApiError {
  const allow = allowed.join(", ");
  return new ApiError(405, "method_not_allowed", `Not allowed to ${method} on ${path}. Use ${allow}.`, {
    headers: { allow },
  });
}
