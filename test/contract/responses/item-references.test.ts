import { expect, test } from "vitest";
import { ItemCache } from "../../../worker/endpoints/responses/item-cache.ts";
import { EngineError } from "../../../worker/engine-api/engine-error.ts";
import { readResponse } from "../../support/response-stream.ts";
import { testApp } from "../../support/test-app.ts";

const PATH = "/v1/responses";
const model = "infetch-tiny";
const user = (content: string) => ({ role: "user", content });

test.each(["item_reference", undefined])("a reference of type %s stands for the item", async (type) => {
  const { post, engine } = await testApp();
  for (const stream of [false, true]) {
    const answer = await post(PATH, { model, input: "Hi", stream });
    const [item] = stream
      ? JSON.parse((await answer.text()).match(/^data: (.*response\.completed.*)$/m)![1]!).response.output
      : (await readResponse(answer)).output;
    await post(PATH, { model, input: [user("Hi"), { type, id: item.id }, user("Go on")] });
    await post(PATH, { model, input: [user("Hi"), item, user("Go on")] });
    const [referred, sent] = engine.requests.slice(-2);
    expect(referred?.prompt).toBe(sent?.prompt);
    expect(referred?.prompt).toContain("Hello there!");
  }
});

test("a call is referred to by its item, and answered by its call id", async () => {
  const CALL = '<tool_call>\n{"name": "f", "arguments": {}}\n</tool_call>';
  const { post, engine } = await testApp({ reply: () => [CALL] });
  const tools = [{ type: "function", name: "f" }];
  const { output } = await readResponse(await post(PATH, { model, input: "Hi", tools }));
  const call = output[0] as { id: string; call_id: string };
  const result = { type: "function_call_output", call_id: call.call_id, output: "done" };
  const input = [user("Hi"), { type: "item_reference", id: call.id }, result];
  expect((await post(PATH, { model, tools, input })).status).toBe(200);
  expect(engine.requests.at(-1)?.prompt).toContain("done");
});

test.each(["aborted", "failed"])(
  "the items of a stream that is %s can be referred to: the client has their ids",
  async (end) => {
    let pieces = 0;
    const abort = new AbortController();
    const { post, engine } = await testApp({
      reply: () => ["Hello", " ", "there", "!"],
      gate: async () => {
        if (++pieces !== 3) return;
        if (end === "failed") throw new EngineError("engine_lost", "It broke.");
        await new Promise(() => {});
      },
    });
    const stream = await post(PATH, { model, input: "Hi", stream: true }, { signal: abort.signal });
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (!text.includes("output_text.delta")) text += (await reader.read()).value ?? "";
    if (end === "aborted") {
      abort.abort();
      await reader.cancel();
    } else for (let read = await reader.read(); !read.done; read = await reader.read()) text += read.value;
    const id = /"item_id":"(msg_\w+)"/.exec(text)![1]!;
    const input = [user("Hi"), { type: "item_reference", id }, user("Go on")];
    pieces = 3;
    expect((await post(PATH, { model, input })).status).toBe(200);
    expect(engine.requests.at(-1)?.prompt).toContain("Hello");
  },
);

test("an unknown item is a 404 that names it", async () => {
  const { post } = await testApp();
  const response = await post(PATH, { model, input: [user("Hi"), { type: "item_reference", id: "msg_1" }] });
  const { error } = await response.json();
  expect([response.status, error.code, error.param]).toEqual([404, "item_not_found", "input[1].id"]);
});

test("items of one account are not found by another, and the oldest are dropped", () => {
  const memory = new ItemCache();
  const item = { id: "msg_1", text: "x" };
  const reference = [{ type: "item_reference", id: "msg_1" }];
  memory.remember("one", [item]);
  expect(memory.resolve("one", reference)).toEqual([item]);
  expect(() => memory.resolve("two", reference)).toThrow("not found");
  memory.remember(
    "two",
    Array.from({ length: 1_000 }, (_, at) => ({ id: `msg_${at + 2}` })),
  );
  expect(() => memory.resolve("one", reference)).toThrow("not found");
  memory.remember("one", [{ id: "big", text: "x".repeat(5_000_000) } as { id: string }]);
  expect(() => memory.resolve("one", [{ id: "big" }])).toThrow("not found");
});

test("truncation: auto is accepted and shown, where the prompt fits", async () => {
  const { post } = await testApp();
  const answer = await readResponse(await post(PATH, { model, input: "Hi", truncation: "auto" }));
  expect(answer.truncation).toBe("auto");
});
