import { stateOf } from "../../../src/protocol/transfer/request-state.ts";
import type { FileRow } from "../../batch/schema.ts";
import { ApiError, badRequest } from "../../http/api-error.ts";
import { readMultipart, requireBoundary } from "../../http/body/multipart.ts";
import { requireOnce } from "../../http/query.ts";
import type { Handler, RequestContext, Services } from "../endpoint.ts";
import { ignoredQuery, listObject, parseListPage, unknownCursor } from "../params/list-params.ts";
import { receiveForm } from "./params.ts";
import { fileObject } from "./serialize.ts";

/** `POST /v1/files`: a failed or aborted upload leaves nothing stored. */
export const createFile: Handler = async ({ requestId, request, holder }, services) => {
  const boundary = requireBoundary(request.headers.get("content-type"));
  const form = await formOf(request);
  const { files } = await services.stores();
  const writer = await files.write(holder.account, requestId);
  // The body of a client that died never ends; the signal aborts it.
  const body = form.pipeThrough(new TransformStream<Uint8Array, Uint8Array>(), {
    signal: request.signal,
  });
  try {
    const { properties, headers } = await receiveForm(readMultipart(body, boundary), writer);
    request.signal.throwIfAborted();
    return Response.json(fileObject(await writer.finish(properties)), { headers });
  } catch (error) {
    // If this fails, a later server cleans up.
    await writer.discard().catch(() => {});
    throw error;
  }
};

/** `GET /v1/files` */
export const listFiles: Handler = async ({ request, holder }, services) => {
  const search = new URL(request.url).searchParams;
  const query = parseListPage(search, { defaultLimit: 10_000, maxLimit: 10_000 });
  requireOnce(search, "purpose");
  const { files } = await services.stores();
  const page = await files.list(holder.account, query, search.get("purpose") || undefined);
  if (!page) throw unknownCursor(query.after, "file");
  return Response.json(listObject(page, fileObject), { headers: ignoredQuery(search, ["purpose"]) });
};

/** `GET /v1/files/{file_id}` */
export const retrieveFile: Handler = async (context, services) =>
  Response.json(fileObject(await requireFile(context, services)));

/** `GET /v1/files/{file_id}/content`: streamed from the database at the client's pace. */
export const fileContent: Handler = async (context, services) => {
  const file = await requireFile(context, services);
  const { files } = await services.stores();
  const chunks = files.read(file);
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    },
    { highWaterMark: 0 },
  );
  const filename = encodeURIComponent(file.filename);
  return new Response(body, {
    headers: {
      "content-type": "application/octet-stream",
      "content-length": String(file.bytes),
      "content-disposition": `attachment; filename*=UTF-8''${filename}`,
    },
  });
};

/** `DELETE /v1/files/{file_id}` */
export const deleteFile: Handler = async ({ request, holder, params }, services) => {
  const id = params.file_id ?? "";
  const { files } = await services.stores();
  const deletion = await files.delete(holder.account, id);
  // A server that died before it answered may have deleted the file.
  const isResent = stateOf(request).attempt > 0;
  if (deletion === "not_found" && !isResent) throw noSuchFile(id);
  if (deletion === "in_use") {
    const message = `The file '${id}' is the input of a batch that is not finished. Cancel the batch first.`;
    throw badRequest("file_in_use", "file_id", message);
  }
  return Response.json({ id, object: "file", deleted: true });
};

/**
 * The request's form. Firefox has no `Request.prototype.body`: there, a short form that came as text is read whole.
 *
 * @throws {ApiError} 400 `invalid_multipart` if it is empty
 */
async function formOf(request: Request): Promise<ReadableStream<Uint8Array>> {
  if (request.body) return request.body;
  const whole = await request.blob();
  if (whole.size > 0) return whole.stream();
  throw badRequest("invalid_multipart", null, "The form of your request is empty.");
}

async function requireFile({ holder, params }: RequestContext, { stores }: Services): Promise<FileRow> {
  const id = params.file_id ?? "";
  const { files } = await stores();
  const file = await files.find(holder.account, id);
  if (!file) throw noSuchFile(id);
  return file;
}

/** OpenAI's message. */
function noSuchFile(id: string): ApiError {
  return new ApiError(404, "file_not_found", `No such File object: ${id}`, { param: "id" });
}
