/** `/v1/files` through the real SDK. */

import { toFile } from "openai";
import { expect, test } from "vitest";
import { BatchWorld } from "../../support/batches/batch-world.ts";
import { chatLine, submit, upload } from "../../support/batches/lines.ts";

const DAY_S = 24 * 3600;

test("a file is created, retrieved, listed, read and deleted", async () => {
  const world = new BatchWorld();
  const { openai } = await world.openTab();
  const text = `${chatLine("a")}\n${chatLine("ü🙂")}\n`;
  const file = await openai.files.create({
    file: await toFile(Buffer.from(text), "my file.jsonl"),
    purpose: "batch",
  });
  const createdAt = Math.floor(world.clock.now() / 1000);
  expect(file).toEqual({
    id: expect.stringMatching(/^file-\w{22}$/),
    object: "file",
    bytes: Buffer.byteLength(text),
    created_at: createdAt,
    expires_at: createdAt + 30 * DAY_S,
    filename: "my file.jsonl",
    purpose: "batch",
    status: "processed",
    status_details: null,
  });
  expect(await openai.files.retrieve(file.id)).toEqual(file);
  expect((await openai.files.list()).data).toEqual([file]);
  const content = await openai.files.content(file.id);
  expect(content.headers.get("content-type")).toBe("application/octet-stream");
  expect(content.headers.get("content-length")).toBe(String(file.bytes));
  expect(await content.text()).toBe(text);
  expect(await openai.files.delete(file.id)).toEqual({ id: file.id, object: "file", deleted: true });
  await expect(openai.files.retrieve(file.id)).rejects.toMatchObject({ status: 404, code: "file_not_found" });
  await expect(openai.files.delete(file.id)).rejects.toMatchObject({ status: 404 });
  expect(await world.rows()).toMatchObject({ files: 0, chunks: 0 });
});

test("a file of several chunks comes back byte for byte", async () => {
  const world = new BatchWorld();
  const { openai } = await world.openTab();
  const bytes = Uint8Array.from({ length: 2_500_000 }, (_, at) => (at * 7) % 251);
  const file = await openai.files.create({ file: await toFile(bytes, "x.jsonl"), purpose: "batch" });
  expect(await world.rows()).toMatchObject({ files: 1, chunks: 3 });
  const back = new Uint8Array(await (await openai.files.content(file.id)).arrayBuffer());
  expect(Buffer.compare(back, bytes)).toBe(0);
});

test("a form that came as a short text is read where requests have no `body`, as in Firefox", async () => {
  const { app, openai } = await new BatchWorld().openTab();
  const send = (body: string) => {
    const headers = {
      authorization: `Bearer ${openai.apiKey}`,
      "content-type": "multipart/form-data; boundary=b",
    };
    const request = new Request("https://app.test/v1/files", { method: "POST", headers, body });
    return app.fetch(Object.defineProperty(request, "body", { value: undefined }));
  };
  const part = (head: string, text: string) =>
    `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}\r\n`;
  const form = `${part('name="purpose"', "batch")}${part('name="file"; filename="ü.jsonl"', chatLine("ü"))}--b--`;
  const response = await send(form);
  expect(response.status).toBe(200);
  const file = await response.json();
  expect(file.filename).toBe("ü.jsonl");
  expect(await (await openai.files.content(file.id)).text()).toBe(chatLine("ü"));
  const empty = await send("");
  expect(empty.status).toBe(400);
  const error = { code: "invalid_multipart", message: "The form of your request is empty." };
  expect((await empty.json()).error).toMatchObject(error);
});

test("lists are cut by cursors, in both orders and by purpose", async () => {
  const world = new BatchWorld();
  const tab = await world.openTab();
  const ids: string[] = [];
  for (let at = 0; at < 5; at++) {
    ids.push((await upload(tab, chatLine(`line ${at}`))).id);
    world.clock.advance(1000);
  }
  const walk = async (query: { order?: "asc" | "desc"; limit?: number }) => {
    const found: string[] = [];
    for await (const file of tab.openai.files.list(query)) found.push(file.id);
    return found;
  };
  expect(await walk({ order: "asc", limit: 2 })).toEqual(ids);
  expect(await walk({ limit: 2 })).toEqual(ids.toReversed());
  const page = await (await tab.call("/v1/files?order=asc&limit=2")).json();
  expect(page).toMatchObject({ object: "list", first_id: ids[0], last_id: ids[1], has_more: true });
  const last = await (await tab.call(`/v1/files?order=asc&limit=3&after=${ids[1]}`)).json();
  expect(last).toMatchObject({ first_id: ids[2], last_id: ids[4], has_more: false });
  const outputs = await (await tab.call("/v1/files?purpose=batch_output")).json();
  expect(outputs).toEqual({ object: "list", data: [], first_id: null, last_id: null, has_more: false });
});

test("files may be deleted while they are listed page by page", async () => {
  const tab = await new BatchWorld().openTab();
  for (let at = 0; at < 5; at++) await upload(tab, chatLine(`line ${at}`));
  let deleted = 0;
  for await (const { id } of tab.openai.files.list({ limit: 2 })) {
    await tab.openai.files.delete(id);
    deleted++;
  }
  expect(deleted).toBe(5);
  expect((await tab.openai.files.list()).data).toEqual([]);
});

test("empty parameters of a list are absent", async () => {
  const tab = await new BatchWorld().openTab();
  const { id } = await upload(tab, chatLine("a"));
  const response = await tab.call("/v1/files?purpose=&limit=&order=&after=");
  expect([response.status, (await response.json()).data]).toMatchObject([200, [{ id }]]);
  expect(response.headers.get("x-infetch-ignored-parameters")).toBeNull();
});

test("a list names the parameters that it ignores", async () => {
  const tab = await new BatchWorld().openTab();
  const ignored = async (path: string) => (await tab.call(path)).headers.get("x-infetch-ignored-parameters");
  expect(await ignored("/v1/files?before=file-a&limit=2&purpose=batch")).toBe("before");
  expect(await ignored("/v1/batches?before=batch_a&purpose=batch&order=asc")).toBe("before, purpose");
});

test.each([
  ["limit=0", "limit", "integer_below_min_value"],
  ["limit=10001", "limit", "integer_above_max_value"],
  ["limit=many", "limit", "invalid_type"],
  ["order=up", "order", "invalid_value"],
  ["after=file-unknown", "after", "invalid_value"],
  ["limit=1&limit=2", "limit", "repeated_parameter"],
  ["purpose=batch&purpose=batch_output", "purpose", "repeated_parameter"],
])("a list with %s is a 400", async (query, param, code) => {
  const { call } = await new BatchWorld().openTab();
  const response = await call(`/v1/files?${query}`);
  expect(response.status).toBe(400);
  expect((await response.json()).error).toMatchObject({ param, code });
});

test("files belong to the account of the key", async () => {
  const world = new BatchWorld();
  const [mine, theirs] = [await world.openTab(), await world.openTab({ account: "other" })];
  const { id } = await upload(mine, chatLine("a"));
  const { files } = theirs.openai;
  for (const call of [() => files.retrieve(id), () => files.content(id), () => files.delete(id)]) {
    await expect(call()).rejects.toMatchObject({ status: 404, code: "file_not_found" });
  }
  expect((await files.list()).data).toEqual([]);
  expect((await theirs.call(`/v1/files?after=${id}`)).status).toBe(400);
  const batch = { input_file_id: id, endpoint: "/v1/chat/completions", completion_window: "24h" } as const;
  await expect(theirs.openai.batches.create(batch)).rejects.toMatchObject({ param: "input_file_id" });
});

test("a file expires when it was told to, and its space is freed", async () => {
  const world = new BatchWorld();
  const tab = await world.openTab();
  const file = await tab.openai.files.create({
    file: await toFile(Buffer.from(chatLine("a")), "a.jsonl"),
    purpose: "batch",
    expires_after: { anchor: "created_at", seconds: 3600 },
  });
  expect(file.expires_at).toBe(file.created_at + 3600);
  world.clock.advance(3_599_000);
  expect((await tab.openai.files.list()).data).toHaveLength(1);
  world.clock.advance(1_000);
  expect((await tab.openai.files.list()).data).toHaveLength(0);
  await expect(tab.openai.files.content(file.id)).rejects.toMatchObject({ status: 404 });
  tab.wake();
  await expect.poll(() => world.rows()).toMatchObject({ files: 0, chunks: 0 });
});

test("the input of an unfinished batch cannot be deleted", async () => {
  const world = new BatchWorld();
  const tab = await world.openTab({ behaviour: { gate: () => new Promise(() => {}) } });
  const batch = await submit(tab, [chatLine("a")]);
  const deletion = tab.openai.files.delete(batch.input_file_id);
  await expect(deletion).rejects.toMatchObject({ status: 400, code: "file_in_use" });
});
