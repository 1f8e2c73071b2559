import type { BatchRow } from "../../batch/schema.ts";
import { ApiError, badRequest } from "../../http/api-error.ts";
import { readJsonObject } from "../../http/body/json-body.ts";
import { mayUseEndpoint } from "../../usage/keys/scopes.ts";
import type { Handler, RequestContext, Services } from "../endpoint.ts";
import { pageOptionsOf } from "../page-options.ts";
import { ignoredQuery, listObject, parseListPage, unknownCursor } from "../params/list-params.ts";
import { parseBatchParams } from "./params.ts";
import { batchObject } from "./serialize.ts";

/** `POST /v1/batches` */
export const createBatch: Handler = async (context, services) => {
  const { requestId, request, holder } = context;
  const { batch: wanted, headers } = await parseBatchParams(await readJsonObject(request));
  const { endpoint, input_file_id: input } = wanted;
  if (!mayUseEndpoint(holder, endpoint)) {
    const message = `This API key may not call ${endpoint}, and therefore cannot create a batch for it.`;
    throw new ApiError(403, "endpoint_not_allowed", message, { type: "permission_error", param: "endpoint" });
  }
  const { batches } = await services.stores();
  const page_options = pageOptionsOf(context, services);
  const batch = await batches.create(holder, { ...wanted, page_options }, requestId);
  if (batch) return Response.json(batchObject(batch), { headers });
  throw badRequest(
    "invalid_value",
    "input_file_id",
    `Invalid 'input_file_id': no file '${input}' with the purpose 'batch'.`,
  );
};

/** `GET /v1/batches` */
export const listBatches: Handler = async ({ request, holder }, { stores }) => {
  const search = new URL(request.url).searchParams;
  const query = parseListPage(search, { defaultLimit: 20, maxLimit: 100 });
  const { batches } = await stores();
  const page = await batches.list(holder.account, query);
  if (!page) throw unknownCursor(query.after, "batch");
  return Response.json(listObject(page, batchObject), { headers: ignoredQuery(search) });
};

/** `GET /v1/batches/{batch_id}` */
export const retrieveBatch: Handler = async (context, services) =>
  Response.json(batchObject(await requireBatch(context, services)));

/** `POST /v1/batches/{batch_id}/cancel`: results of completed lines are kept in the output files. */
export const cancelBatch: Handler = async (context, services) => {
  const batch = await requireBatch(context, services);
  const { batches } = await services.stores();
  const cancelled = await batches.cancel(batch);
  if (cancelled) return Response.json(batchObject(cancelled));
  const { status } = await requireBatch(context, services);
  // OpenAI's status and message; SDKs repeat requests that end so.
  throw new ApiError(409, "batch_not_cancellable", `Cannot cancel a batch with status '${status}'.`, {
    param: "batch_id",
    headers: { "x-should-retry": "false" },
  });
};

async function requireBatch({ holder, params }: RequestContext, { stores }: Services): Promise<BatchRow> {
  const id = params.batch_id ?? "";
  const { batches } = await stores();
  const batch = await batches.find(holder.account, id);
  if (batch) return batch;
  throw new ApiError(404, "batch_not_found", `No batch found with id '${id}'.`, { param: "batch_id" });
}
