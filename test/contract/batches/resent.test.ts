/** Requests whose response was lost with their server: the page sends them to the next one, under their id. */

import { expect, test } from "vitest";
import { copyState } from "../../../src/protocol/transfer/request-state.ts";
import { BatchWorld, type Tab, until } from "../../support/batches/batch-world.ts";
import { CHAT, chatLine, upload } from "../../support/batches/lines.ts";

/** Sends a request to one server after another, always with the same id. */
function sender(path: string, bodyOf: () => BodyInit): (tab: Tab) => Promise<Response> {
  const url = `https://app.test/v1${path}`;
  const first = new Request(url);
  return ({ app, apiKey }) => {
    const headers = { authorization: `Bearer ${apiKey}` };
    return app.fetch(copyState(first, new Request(url, { method: "POST", headers, body: bodyOf() })));
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
