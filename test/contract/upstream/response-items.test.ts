/** References to items of forwarded responses: the upstream stores none, so it gets the items themselves. */

import { afterEach, expect, test } from "vitest";
import { toEncryptedContent } from "../../../worker/endpoints/responses/encrypted-content.ts";
import type { ItemCache } from "../../../worker/endpoints/responses/item-cache.ts";
import { ResponseItems } from "../../../worker/endpoints/upstream/response-items.ts";
import { closeUpstream, NAME, setUp } from "../../support/upstream-app.ts";
import { answerAll, sendEvents } from "../../support/upstream-server.ts";

afterEach(closeUpstream);

const reference = (id: string) => [
  { role: "user" as const, content: "Hi" },
  { type: "item_reference" as const, id },
  { role: "user" as const, content: "Go on" },
];

test.each([false, true])(
  "items of its responses can be referred to (stream: %s): it gets them whole",
  async (stream) => {
    const { send, server } = await setUp();
    const ask = async (input: unknown) =>
      (await send("/v1/responses", { model: NAME, input, stream })).text();
    await ask("Hi");
    await ask(reference("msg_1"));
    const [, item] = server.seen.at(-1)!.body.input as unknown[];
    expect(item).toMatchObject({ type: "message", role: "assistant", content: [{ text: "Far away." }] });
    await ask(reference("msg_unknown"));
    expect(server.seen.at(-1)!.body.input).toEqual(reference("msg_unknown"));
  },
);

test("thoughts of replies of this server do not reach it, those of its own do", async () => {
  const { send, server } = await setUp();
  const thought = (sealed?: string) => ({ type: "reasoning", summary: [], encrypted_content: sealed });
  const kept = [
    { role: "user", content: "Hi" },
    thought("gAAAAABo"),
    thought(),
    null,
    "x",
    { type: "reasoning" },
  ];
  await send("/v1/responses", { model: NAME, input: [thought(toEncryptedContent("I")), ...kept] });
  expect(server.seen.at(-1)!.body.input).toEqual(JSON.parse(JSON.stringify(kept)));
});

test("an item of its stream that was left can be referred to, with the text so far", async () => {
  const item = { id: "msg_7", type: "message", role: "assistant", status: "in_progress", content: [] };
  const events = [
    { type: "response.output_item.added", sequence_number: 0, output_index: 0, item },
    { type: "response.output_text.delta", sequence_number: 1, item_id: "msg_7", delta: "Far" },
    { type: "response.output_text.delta", sequence_number: 2, item_id: "msg_7", delta: " away" },
  ].map((event) => `data: ${JSON.stringify(event)}`);
  const { openai, send, server } = await setUp((seen, to) =>
    seen.body.stream ? sendEvents(to, events, false) : answerAll(seen, to),
  );
  const stream = await openai.responses.create({ model: NAME, input: "Hi", stream: true });
  for await (const event of stream) if ("delta" in event && event.delta === " away") break;
  await server.gone;
  await send("/v1/responses", { model: NAME, input: reference("msg_7") });
  const [, sent] = server.seen.at(-1)!.body.input as unknown[];
  expect(sent).toMatchObject({ id: "msg_7", status: "incomplete", content: [{ text: "Far away" }] });
});

test("a call that was cut is not remembered, nor an item too deep to be sent again; usage is recorded all the same", async () => {
  let deep = "";
  for (let level = 0; level < 20_000; level++) deep = `{"a":[${deep || 1}]}`;
  const call = {
    id: "fc_1",
    type: "function_call",
    status: "in_progress",
    name: "f",
    arguments: "",
    call_id: "c",
  };
  const added = JSON.stringify({ type: "response.output_item.added", sequence_number: 0, item: call });
  const whole = `{"id":"resp_1","object":"response","output":[{"id":"msg_8","type":"message","content":${deep}}],"usage":{"input_tokens":1,"output_tokens":1}}`;
  const { send, server, ledger } = await setUp((seen, to) =>
    seen.body.stream
      ? sendEvents(to, [`data: ${added}`])
      : to.writeHead(200, { "content-type": "application/json" }).end(whole),
  );
  await (await send("/v1/responses", { model: NAME, input: "Hi", stream: true })).text();
  await send("/v1/responses", { model: NAME, input: "Hi" });
  await send("/v1/responses", { model: NAME, input: [...reference("fc_1"), ...reference("msg_8")] });
  const sent = server.seen.at(-1)!.body.input as { type?: string }[];
  expect(sent.filter(({ type }) => type === "item_reference")).toHaveLength(2);
  expect(ledger.events().map(({ outcome }) => outcome)).toContain("completed");
});

test("an item too deep for Firefox, whose error is another one, is left out alone", () => {
  const items = new ResponseItems();
  items.noteAll([{ id: "msg_1" }, { id: "msg_2" }]);
  const kept: string[] = [];
  const remember = (_: string, [item]: { id: string }[]): void => {
    if (item?.id === "msg_1") throw Object.assign(new Error("too much recursion"), { name: "InternalError" });
    kept.push(item!.id);
  };
  items.rememberIn({ remember } as unknown as ItemCache, "default");
  expect(kept).toEqual(["msg_2"]);
});
