/** Batch validation: errors of the request itself, and errors per line after the file was read. */

import { expect, test } from "vitest";
import { checkInput } from "../../../worker/batch/lines/check-input.ts";
import { readLines } from "../../../worker/batch/lines/lines.ts";
import { BatchWorld, until } from "../../support/batches/batch-world.ts";
import { CHAT, chatLine, EMBEDDINGS, embeddingLine, submit, upload } from "../../support/batches/lines.ts";

const valid = { endpoint: CHAT, completion_window: "24h" };

test.each([
  ["no input file", { input_file_id: undefined }, "input_file_id", "missing_required_parameter"],
  ["an unknown input file", { input_file_id: "file-unknown" }, "input_file_id", "invalid_value"],
  ["no endpoint", { endpoint: undefined }, "endpoint", "missing_required_parameter"],
  ["the responses endpoint", { endpoint: "/v1/responses" }, "endpoint", "unsupported_value"],
  ["an unknown endpoint", { endpoint: "/v1/chats" }, "endpoint", "invalid_value"],
  ["no window", { completion_window: undefined }, "completion_window", "missing_required_parameter"],
  ["another window", { completion_window: "1h" }, "completion_window", "invalid_value"],
  ["metadata that is no text", { metadata: { a: 1 } }, "metadata.a", "invalid_type"],
  [
    "an expiry that is too far",
    { output_expires_after: { anchor: "created_at", seconds: 2_592_001 } },
    "output_expires_after.seconds",
    "integer_above_max_value",
  ],
])("%s is a 400 that names the parameter", async (_, over, param, code) => {
  const tab = await new BatchWorld().openTab();
  const { id } = await upload(tab, [chatLine("a")]);
  const body = JSON.stringify({ input_file_id: id, ...valid, ...over });
  const response = await tab.call("/v1/batches", { method: "POST", body });
  expect(response.status).toBe(400);
  expect((await response.json()).error).toMatchObject({ type: "invalid_request_error", param, code });
  expect((await tab.openai.batches.list()).data).toEqual([]);
});

test("a batch lists the fields that it ignores", async () => {
  const tab = await new BatchWorld().openTab();
  const { id } = await upload(tab, [chatLine("a")]);
  const body = JSON.stringify({ input_file_id: id, ...valid, priority: 1 });
  const response = await tab.call("/v1/batches", { method: "POST", body });
  expect([response.status, response.headers.get("x-infetch-ignored-parameters")]).toEqual([200, "priority"]);
});

const pairs = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, "v"]));

test.each([
  ["17 pairs", pairs(17), "object_above_max_properties"],
  ["a key of 65 characters", { ["k".repeat(65)]: "v" }, "property_name_above_max_length"],
])("metadata with %s is a 400 with the code of that limit", async (_, metadata, code) => {
  const tab = await new BatchWorld().openTab();
  const { id } = await upload(tab, [chatLine("a")]);
  const create = (given: object) => {
    const body = JSON.stringify({ input_file_id: id, ...valid, metadata: given });
    return tab.call("/v1/batches", { method: "POST", body });
  };
  const refused = await create(metadata);
  expect([refused.status, (await refused.json()).error.code]).toEqual([400, code]);
  expect((await create({ ...pairs(15), ["k".repeat(64)]: "v" })).status).toBe(200);
});

test("an output file is no input, and a body that is no JSON is a 400", async () => {
  const tab = await new BatchWorld().openTab();
  const { id } = await submit(tab, [chatLine("a")]);
  const { output_file_id } = await until(tab, id, "completed");
  const again = { input_file_id: output_file_id!, endpoint: CHAT, completion_window: "24h" } as const;
  await expect(tab.openai.batches.create(again)).rejects.toMatchObject({
    status: 400,
    param: "input_file_id",
  });
  expect((await tab.call("/v1/batches", { method: "POST", body: "{" })).status).toBe(400);
});

function deepLine(levels: number): string {
  return chatLine("deep", {}, { metadata: 0 }).replace(
    '"metadata":0',
    `"metadata":${"[".repeat(levels)}${"]".repeat(levels)}`,
  );
}

const without = (field: string): string => chatLine("x", { [field]: undefined });

test.each([
  ["no JSON", "{oops", "invalid_json_line", null],
  ["a list", "[]", "invalid_json_line", null],
  ["8,000 levels", deepLine(8_000), "invalid_json_line", null],
  ["no custom_id", without("custom_id"), "missing_required_parameter", "custom_id"],
  ["no method", without("method"), "missing_required_parameter", "method"],
  ["no url", without("url"), "missing_required_parameter", "url"],
  ["no body", without("body"), "missing_required_parameter", "body"],
  ["no model", chatLine("x", {}, { model: undefined }), "missing_required_parameter", "body.model"],
  ["a custom_id that is no text", chatLine("x", { custom_id: 7 }), "invalid_value", "custom_id"],
  ["another method", chatLine("x", { method: "GET" }), "invalid_value", "method"],
  ["another url", embeddingLine("x"), "url_mismatch", "url"],
  ["a body that is no object", chatLine("x", { body: [] }), "invalid_type", "body"],
  ["a model that is no text", chatLine("x", {}, { model: 1 }), "invalid_type", "body.model"],
  ["another model", chatLine("x", {}, { model: "plain" }), "model_mismatch", "body.model"],
  ["a custom_id of another line", chatLine("first"), "duplicate_custom_id", "custom_id"],
])("a line with %s fails the batch, named by its number, and nothing runs", async (_, line, code, param) => {
  const tab = await new BatchWorld().openTab();
  const { id } = await submit(tab, [chatLine("first"), "", line, chatLine("last")]);
  const failed = await until(tab, id, "failed");
  expect(failed.errors).toEqual({
    object: "list",
    data: [{ code, param, line: 3, message: expect.any(String) }],
  });
  expect(failed).toMatchObject({ failed_at: failed.created_at, in_progress_at: null, output_file_id: null });
  expect(failed.request_counts).toEqual({ total: 0, completed: 0, failed: 0 });
  expect(tab.engine.requests).toEqual([]);
});

test("every problem of a file is listed", async () => {
  const tab = await new BatchWorld().openTab();
  const { id } = await submit(tab, ["oops", chatLine("a"), chatLine("a", {}, { model: "plain" })]);
  const { errors } = await until(tab, id, "failed");
  expect(errors?.data?.map((one) => [one.line, one.code])).toEqual([
    [1, "invalid_json_line"],
    [3, "duplicate_custom_id"],
    [3, "model_mismatch"],
  ]);
});

test("a model that nobody knows fails the batch once, not line by line", async () => {
  const tab = await new BatchWorld().openTab();
  const lines = [chatLine("a", {}, { model: "gpt-9" }), chatLine("b", {}, { model: "gpt-9" })];
  const { id } = await submit(tab, lines);
  const { errors } = await until(tab, id, "failed");
  expect(errors?.data).toMatchObject([{ code: "model_not_found", line: 1, param: "body.model" }]);
});

test("a file of blank lines has no requests", async () => {
  const tab = await new BatchWorld().openTab();
  const { id } = await submit(tab, "\n \r\n\n");
  const { errors } = await until(tab, id, "failed");
  expect(errors?.data).toMatchObject([{ code: "empty_file", line: null, param: null }]);
});

const knowsModel = () => true;
async function* bytesOf(lines: string[]) {
  yield new TextEncoder().encode(lines.join("\n"));
}
const check = (lines: string[], options: { endpoint: string; maxRequests?: number }) =>
  checkInput(readLines(bytesOf(lines)), { knowsModel, ...options });

test("a file may have so many requests, embeddings so many inputs, and no more", async () => {
  const lines = Array.from({ length: 5 }, (_, at) => chatLine(`line ${at}`));
  expect(await check(lines, { endpoint: CHAT, maxRequests: 5 })).toMatchObject({ errors: [], total: 5 });
  const tooMany = await check(lines, { endpoint: CHAT, maxRequests: 4 });
  expect(tooMany.errors).toMatchObject([{ code: "too_many_tasks", line: null }]);
  const input = Array(10_000).fill("x");
  const texts = Array.from({ length: 6 }, (_, at) => embeddingLine(`line ${at}`, { input }));
  expect((await check(texts.slice(0, 5), { endpoint: EMBEDDINGS })).errors).toEqual([]);
  expect((await check(texts, { endpoint: EMBEDDINGS })).errors).toMatchObject([{ code: "too_many_tasks" }]);
});

test("a hundred errors are enough", async () => {
  const { errors } = await check(Array(500).fill("oops"), { endpoint: CHAT });
  expect(errors).toHaveLength(100);
});

test("batches belong to the account of the key, and are listed by cursors", async () => {
  const world = new BatchWorld();
  const [mine, theirs] = [await world.openTab(), await world.openTab({ account: "other" })];
  const ids: string[] = [];
  for (let at = 0; at < 3; at++) {
    ids.push((await submit(mine, [chatLine("a")])).id);
    world.clock.advance(1000);
  }
  const found: string[] = [];
  for await (const batch of mine.openai.batches.list({ limit: 2 })) found.push(batch.id);
  expect(found).toEqual(ids.toReversed());
  expect((await mine.call("/v1/batches?limit=101")).status).toBe(400);
  expect((await mine.call("/v1/batches?after=batch_unknown")).status).toBe(400);
  const { batches } = theirs.openai;
  expect((await batches.list()).data).toEqual([]);
  for (const call of [batches.retrieve(ids[0]!), batches.cancel(ids[0]!)]) {
    await expect(call).rejects.toMatchObject({ status: 404, code: "batch_not_found" });
  }
});

test("unknown paths, methods and keys are answered as everywhere", async () => {
  const tab = await new BatchWorld().openTab();
  expect((await tab.call("/v1/batches", { method: "DELETE" })).status).toBe(405);
  expect((await tab.call("/v1/files/x/content", { method: "POST" })).status).toBe(405);
  expect((await tab.call("/v1/batches/x/stop", { method: "POST" })).status).toBe(404);
  const headers = { authorization: "Bearer wrong" };
  for (const path of ["/v1/files", "/v1/batches", "/v1/files/x/content"]) {
    expect((await tab.call(path, { headers })).status).toBe(401);
  }
});
