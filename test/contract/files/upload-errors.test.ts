/** Invalid uploads return an error and leave nothing stored. */

import { deleteDB } from "idb";
import { expect, test } from "vitest";
import { FilesDatabase } from "../../../worker/batch/schema.ts";
import { receiveForm } from "../../../worker/endpoints/files/params.ts";
import { readMultipart } from "../../../worker/http/body/multipart.ts";
import { BatchWorld, type Tab, turn } from "../../support/batches/batch-world.ts";

const line = new Blob(['{"custom_id":"a"}']);

function form(fields: Record<string, string>, ...files: [Blob, string][]): FormData {
  const data = new FormData();
  for (const [blob, name] of files) data.append("file", blob, name);
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  return data;
}

const good: [Blob, string] = [line, "a.jsonl"];
const expiring = (anchor: string, seconds: string) =>
  form({ purpose: "batch", "expires_after[anchor]": anchor, "expires_after[seconds]": seconds }, good);

test.each([
  ["no file", form({ purpose: "batch" }), "file", "missing_required_parameter"],
  ["no purpose", form({}, good), "purpose", "missing_required_parameter"],
  ["a purpose of output files", form({ purpose: "batch_output" }, good), "purpose", "invalid_value"],
  ["a purpose that nothing here reads", form({ purpose: "fine-tune" }, good), "purpose", "unsupported_value"],
  ["another extension", form({ purpose: "batch" }, [line, "a.txt"]), "file", "invalid_file_format"],
  ["an empty file", form({ purpose: "batch" }, [new Blob(), "a.jsonl"]), "file", "empty_file"],
  ["two files", form({ purpose: "batch" }, good, good), "file", "invalid_value"],
  ["a text field for a file", form({ purpose: "batch", file: "text" }), "file", "invalid_value"],
  [
    "an expiry that is too soon",
    expiring("created_at", "60"),
    "expires_after.seconds",
    "integer_below_min_value",
  ],
  ["an expiry that is no number", expiring("created_at", "soon"), "expires_after.seconds", "invalid_type"],
  ["an expiry from elsewhere", expiring("now", "3600"), "expires_after.anchor", "invalid_value"],
])("%s is a 400 that names the field", async (_, body, param, code) => {
  const world = new BatchWorld();
  const { call } = await world.openTab();
  const response = await call("/v1/files", { method: "POST", body });
  expect(response.status).toBe(400);
  expect((await response.json()).error).toMatchObject({ type: "invalid_request_error", param, code });
  expect(await world.rows()).toMatchObject({ files: 0, chunks: 0 });
});

test("an upload names the fields that it ignores", async () => {
  const { call } = await new BatchWorld().openTab();
  const send = async (fields: Record<string, string>) => {
    const response = await call("/v1/files", { method: "POST", body: form(fields, good) });
    return [response.status, response.headers.get("x-infetch-ignored-parameters")];
  };
  const policy = { "expires_after[anchor]": "created_at", "expires_after[seconds]": "3600" };
  expect(await send({ purpose: "batch", ...policy })).toEqual([200, null]);
  const asJson = JSON.stringify({ anchor: "created_at", seconds: 3600 });
  expect(await send({ purpose: "batch", expires_after: asJson, tag: "x" })).toEqual([
    200,
    "expires_after, tag",
  ]);
});

test.each([
  ["JSON", { "content-type": "application/json" }, "{}", "invalid_content_type"],
  [
    "a form that breaks off",
    { "content-type": "multipart/form-data; boundary=b" },
    "--b\r\n",
    "invalid_multipart",
  ],
  ["no body", { "content-type": "multipart/form-data; boundary=b" }, null, "invalid_multipart"],
])("%s is a 400", async (_, headers, body, code) => {
  const world = new BatchWorld();
  const { call } = await world.openTab();
  const response = await call("/v1/files", { method: "POST", headers, body });
  expect(response.status).toBe(400);
  expect((await response.json()).error).toMatchObject({ code });
});

test("a file that is larger than a batch may have is a 413, told before it is read to its end", async () => {
  const world = new BatchWorld();
  await world.openTab();
  let sent = 0;
  const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.jsonl"\r\n\r\n';
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(head)),
    pull(controller) {
      sent += 1000;
      controller.enqueue(new Uint8Array(1000));
    },
  });
  const written = {
    bytes: 0,
    async write(piece: Uint8Array) {
      this.bytes += piece.length;
    },
  };
  const received = receiveForm(readMultipart(stream, "b"), written, 10_000);
  await expect(received).rejects.toMatchObject({ status: 413, code: "file_too_large", param: "file" });
  expect(sent).toBeLessThan(20_000);
});

/** Begins an upload that has sent three million bytes of its file and goes on through `body`. */
function beginUpload(call: Tab["call"], init: RequestInit = {}) {
  let body!: ReadableStreamDefaultController<Uint8Array>;
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      body = controller;
      const send = (text: string) => controller.enqueue(new TextEncoder().encode(text));
      send('--b\r\nContent-Disposition: form-data; name="purpose"\r\n\r\nbatch\r\n');
      send('--b\r\nContent-Disposition: form-data; name="file"; filename="a.jsonl"\r\n\r\n');
      controller.enqueue(new Uint8Array(3_000_000));
    },
  });
  const answer = call("/v1/files", {
    method: "POST",
    headers: { "content-type": "multipart/form-data; boundary=b" },
    body: stream,
    duplex: "half",
    ...init,
  } as RequestInit);
  return { body, answer };
}

test.each(["the sender aborts", "the body fails"])("where %s in the middle, nothing stays", async (how) => {
  const world = new BatchWorld();
  const { call } = await world.openTab();
  const abort = new AbortController();
  const { body, answer } = beginUpload(call, { signal: abort.signal });
  while ((await world.rows()).chunks !== 2) await turn();
  if (how === "the sender aborts") abort.abort();
  else body.error(new Error("disk"));
  await answer;
  expect(await world.rows()).toMatchObject({ files: 0, chunks: 0 });
});

test("where the storage is cleared in the middle, the upload is a 503", async () => {
  const world = new BatchWorld();
  const { call } = await world.openTab();
  const { body, answer } = beginUpload(call);
  while ((await world.rows()).chunks !== 2) await turn();
  await deleteDB(`${world.name}-files`);
  body.enqueue(new TextEncoder().encode("\r\n--b--\r\n"));
  body.close();
  const response = await answer;
  expect(response.status).toBe(503);
  expect((await response.json()).error).toMatchObject({ code: "storage_unavailable" });
});

test("what a tab that died was uploading is tidied away by the next one, and nobody saw it", async () => {
  const world = new BatchWorld();
  const dying = await world.openTab();
  void beginUpload(dying.call);
  while ((await world.rows()).chunks !== 2) await turn();
  dying.wake();
  await turn();
  expect(await world.rows()).toMatchObject({ files: 1, chunks: 2 });
  dying.die();
  const next = await world.openTab();
  expect((await next.openai.files.list()).data).toEqual([]);
  await expect.poll(() => world.rows()).toMatchObject({ files: 0, chunks: 0 });
});

test("a full disk is a 413 that says so, a locked database a 503", async () => {
  const full = new DOMException("full", "QuotaExceededError");
  const database = new FilesDatabase("failing");
  const failing = (cause: unknown) =>
    database.write(["files"], async () => {
      throw cause;
    });
  await expect(failing(full)).rejects.toMatchObject({ status: 413, code: "storage_quota_exceeded" });
  const other = new DOMException("no", "UnknownError");
  await expect(failing(other)).rejects.toMatchObject({ status: 503, code: "storage_unavailable" });
});
