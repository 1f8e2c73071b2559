/** Requests whose response was lost with their server: the page sends them to the next one, under their id. */

import { expect, test } from "vitest";
import { copyState, stateOf } from "../../../src/protocol/transfer/request-state.ts";
import { BatchWorld, type Tab, until } from "../../support/batches/batch-world.ts";
import { CHAT, chatLine, upload } from "../../support/batches/lines.ts";

/** Sends a request to one server after another, always with the same id. */
function sender(path: string, bodyOf?: () => BodyInit, method = "POST"): (tab: Tab) => Promise<Response> {
  const url = `https://app.test/v1${path}`;
  const first = new Request(url);
  let attempt = 0;
  return async ({ app, apiKey }) => {
    const headers = { authorization: `Bearer ${apiKey}` };
    const request = new Request(url, { method, headers, ...(bodyOf && { body: bodyOf() }) });
    stateOf(copyState(first, request)).attempt = attempt++;
    return app.fetch(request);
  };
}

test("a batch is created, run and charged once", async () => {
  const world = new BatchWorld();
  const first = await world.openTab();
  const file = await upload(first, [chatLine("one"), chatLine("two")]);
  const body = JSON.stringify({ input_file_id: file.id, endpoint: CHAT, completion_window: "24h" });
  const create = sender("/batches", () => body);
  expect((await create(first)).status).toBe(200);
  first.die();
  const next = await world.openTab();
  const answers = await Promise.all([create(next), create(next)]);
  const [made, again] = await Promise.all(answers.map((answer) => answer.json()));
  expect(again.id).toBe(made.id);
  await until(next, made.id, "completed");
  expect((await next.openai.batches.list()).data).toHaveLength(1);
  expect(await next.ledger.rpc.usage({})).toMatchObject({ ok: true, value: { length: 2 } });
});

test("another request with the same content creates another batch", async () => {
  const tab = await new BatchWorld().openTab();
  const { id: input_file_id } = await upload(tab, [chatLine("one")]);
  const body = JSON.stringify({ input_file_id, endpoint: CHAT, completion_window: "24h" });
  for (let each = 0; each < 2; each++) await tab.call("/v1/batches", { method: "POST", body });
  expect((await tab.openai.batches.list()).data).toHaveLength(2);
});

test("a file is stored once, and its second upload leaves nothing", async () => {
  const world = new BatchWorld();
  const first = await world.openTab();
  const send = sender("/files", () => {
    const form = new FormData();
    form.set("purpose", "batch");
    form.set("file", new File([chatLine("one")], "lines.jsonl"));
    return form;
  });
  const made = await (await send(first)).json();
  first.die();
  const next = await world.openTab();
  expect(await (await send(next)).json()).toEqual(made);
  expect((await next.openai.files.list()).data).toEqual([made]);
  expect(await world.rows()).toMatchObject({ files: 1, chunks: 1 });
  expect(await (await next.openai.files.content(made.id)).text()).toBe(chatLine("one"));
});

test("a file that the dead server deleted is deleted; one that is none remains a 404", async () => {
  const world = new BatchWorld();
  const first = await world.openTab();
  const { id } = await upload(first, [chatLine("one")]);
  const remove = sender(`/files/${id}`, undefined, "DELETE");
  const deleted = { id, object: "file", deleted: true };
  expect(await (await remove(first)).json()).toEqual(deleted);
  first.die();
  const next = await world.openTab();
  const again = await remove(next);
  expect(again.status).toBe(200);
  expect(await again.json()).toEqual(deleted);
  expect((await next.call(`/v1/files/${id}`, { method: "DELETE" })).status).toBe(404);
});

test("a DELETE that is resent does not tell whether the file is another account's, and leaves it", async () => {
  const world = new BatchWorld();
  const theirs = await world.openTab({ account: "other", load: () => new Promise(() => {}) });
  const used = await upload(theirs, [chatLine("one")]);
  const unused = await upload(theirs, [chatLine("two")]);
  const { openai } = theirs;
  await openai.batches.create({ input_file_id: used.id, endpoint: CHAT, completion_window: "24h" });
  const mine = await world.openTab();
  const answerTo = async (id: string): Promise<[number, string]> => {
    const remove = sender(`/files/${id}`, undefined, "DELETE");
    await remove(mine);
    const again = await remove(mine);
    return [again.status, (await again.text()).replace(id, "ID")];
  };
  const ofNone = await answerTo("file-none");
  for (const { id } of [used, unused]) {
    expect(await answerTo(id)).toEqual(ofNone);
    expect(await openai.files.retrieve(id)).toMatchObject({ id });
  }
});

test.each(["at once", "after its end"])(
  "a batch that the dead server cancelled is cancelled: %s",
  async (when) => {
    const world = new BatchWorld();
    const first = await world.openTab({ load: () => new Promise(() => {}) });
    const { id: input_file_id } = await upload(first, [chatLine("one")]);
    const batch = await first.openai.batches.create({
      input_file_id,
      endpoint: CHAT,
      completion_window: "24h",
    });
    const cancel = sender(`/batches/${batch.id}/cancel`);
    expect((await cancel(first)).status).toBe(200);
    first.die();
    const next = await world.openTab();
    if (when === "after its end") await until(next, batch.id, "cancelled");
    const again = await cancel(next);
    expect(again.status).toBe(200);
    expect((await again.json()).status).toMatch(/^cancel/);
  },
);
