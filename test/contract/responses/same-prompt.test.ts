import { expect, test } from "vitest";
import { fc } from "../../support/random.ts";
import { testApp } from "../../support/test-app.ts";

/** A conversation turn, independent of either endpoint's format. */
type Turn =
  | { role: "user" | "system" | "developer"; text: string }
  | { role: "assistant"; text: string; calls: { name: string; arguments: string; result: string }[] };

const NAMES = ["get_weather", "add"];
const parameters = { type: "object", properties: { a: { type: "string" } } };

function asChat(turns: readonly Turn[]): unknown[] {
  return turns.flatMap((turn, at): unknown[] => {
    if (turn.role !== "assistant") return [{ role: turn.role, content: turn.text }];
    const id = (index: number) => `call_${at}_${index}`;
    const calls = turn.calls.map(({ name, arguments: text }, index) => ({
      id: id(index),
      type: "function",
      function: { name, arguments: text },
    }));
    return [
      { role: "assistant", content: turn.text, ...(calls.length > 0 ? { tool_calls: calls } : {}) },
      ...turn.calls.map(({ result }, index) => ({ role: "tool", tool_call_id: id(index), content: result })),
    ];
  });
}

/** `full` writes messages as output items, with ids and content parts, preceded by reasoning items. */
function asInput(turns: readonly Turn[], full: boolean): unknown[] {
  const parts = (type: string, text: string) => (full ? [{ type, text }] : text);
  return turns.flatMap((turn, at): unknown[] => {
    if (turn.role !== "assistant") {
      return [
        { ...(full ? { type: "message" } : {}), role: turn.role, content: parts("input_text", turn.text) },
      ];
    }
    const id = (index: number) => `call_${at}_${index}`;
    const dress = (prefix: string, item: object) =>
      full ? { id: `${prefix}_${at}`, status: "completed", ...item } : item;
    // Without a message in between, even an empty one, calls would belong to the preceding reply.
    const follows = turns[at - 1]?.role === "assistant";
    const thought = { type: "reasoning", summary: [], content: [{ type: "reasoning_text", text: "Hm." }] };
    const said = { type: "message", role: "assistant", content: parts("output_text", turn.text) };
    return [
      ...(full ? [dress("rs", thought)] : []),
      ...(turn.text === "" && turn.calls.length > 0 && !follows ? [] : [dress("msg", said)]),
      ...turn.calls.map(({ name, arguments: text }, index) =>
        dress("fc", { type: "function_call", call_id: id(index), name, arguments: text }),
      ),
      ...turn.calls.map(({ result }, index) => ({
        type: "function_call_output",
        call_id: id(index),
        output: parts("input_text", result),
      })),
    ];
  });
}

const text = fc.oneof(fc.constantFrom("Hi", "", "$& {user_message}", "😀\n"), fc.string({ maxLength: 12 }));
const call = fc.record({
  name: fc.constantFrom(...NAMES),
  arguments: fc.record({ a: fc.string({ maxLength: 6 }) }).map((value) => JSON.stringify(value)),
  result: text,
});
const turn: fc.Arbitrary<Turn> = fc.oneof(
  fc.record({ role: fc.constantFrom("user" as const, "system" as const, "developer" as const), text }),
  fc.record({ role: fc.constant("assistant" as const), text, calls: fc.array(call, { maxLength: 2 }) }),
);

test("the same conversation gives the same prompt through chat completions and through responses", async () => {
  const { post, engine } = await testApp({ reply: () => ["x"] });
  const send = async (path: string, body: object): Promise<unknown> => {
    const response = await post(path, { model: "infetch-tiny", ...body });
    expect(response.status, await response.clone().text()).toBe(200);
    return engine.requests.at(-1)?.prompt;
  };
  const toolsOf = (offered: boolean) => (offered ? NAMES.map((name) => ({ name, parameters })) : []);
  const property = fc.asyncProperty(
    fc.array(turn, { minLength: 1, maxLength: 6 }),
    fc.option(text),
    fc.boolean(),
    async (turns, instructions, offered) => {
      const system = instructions === null ? [] : [{ role: "system", content: instructions }];
      const chat = await send("/v1/chat/completions", {
        messages: [...system, ...asChat(turns)],
        ...(offered ? { tools: toolsOf(offered).map((one) => ({ type: "function", function: one })) } : {}),
      });
      for (const full of [false, true]) {
        const responses = await send("/v1/responses", {
          instructions,
          input: asInput(turns, full),
          ...(offered ? { tools: toolsOf(offered).map((one) => ({ type: "function", ...one })) } : {}),
        });
        expect(responses).toBe(chat);
      }
    },
  );
  await fc.assert(property, { numRuns: 150 });
});

test("a text alone is one user message, and text behind a call belongs to the reply that called", async () => {
  const { post, engine } = await testApp();
  await post("/v1/responses", { model: "plain", input: "Hi" });
  await post("/v1/chat/completions", { model: "plain", messages: [{ role: "user", content: "Hi" }] });
  const id = "call_1";
  await post("/v1/responses", {
    model: "plain",
    input: [
      { role: "assistant", content: "A" },
      { type: "function_call", call_id: id, name: "add", arguments: "{}" },
      {
        role: "assistant",
        content: [
          { type: "output_text", text: "B" },
          { type: "refusal", refusal: "C" },
        ],
      },
      { type: "function_call_output", call_id: id, output: "1" },
    ],
  });
  await post("/v1/chat/completions", {
    model: "plain",
    messages: [
      {
        role: "assistant",
        content: "ABC",
        tool_calls: [{ id, type: "function", function: { name: "add", arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: id, content: "1" },
    ],
  });
  const [one, two, three, four] = engine.requests.map((sent) => sent.prompt);
  expect(one).toBe(two);
  expect(three).toBe(four);
});

test("results in another order than their calls reach the model in the order of the calls", async () => {
  const { post, engine } = await testApp();
  const calls = ["b", "a", "b"].map((name, index) => ({ id: `call_${index}`, name, arguments: "{}" }));
  const results = calls.map(({ id }) => ({ id, text: `result of ${id}` }));
  const send = async (sent: typeof results): Promise<void> => {
    const tool_calls = calls.map(({ id, ...call }) => ({ id, type: "function", function: call }));
    const answers = sent.map(({ id, text }) => ({ role: "tool", tool_call_id: id, content: text }));
    const messages = [{ role: "assistant", tool_calls }, ...answers, { role: "user", content: "Hi" }];
    await post("/v1/chat/completions", { model: "plain", messages });
    const asked = calls.map(({ id, ...call }) => ({ type: "function_call", call_id: id, ...call }));
    const outputs = sent.map(({ id, text }) => ({ type: "function_call_output", call_id: id, output: text }));
    const input = [...asked, ...outputs, { role: "user", content: "Hi" }];
    await post("/v1/responses", { model: "plain", input });
  };
  await send(results);
  await send(results.toReversed());
  const prompts = new Set(engine.requests.map((one) => one.prompt));
  expect(engine.requests).toHaveLength(4);
  expect(prompts.size).toBe(1);
});

test("results of calls with the same id stay in their order", async () => {
  const { post, engine } = await testApp();
  const call = (id: string) => ({ id, type: "function", function: { name: id, arguments: "{}" } });
  const tool_calls = ["weather", "time", "weather"].map(call);
  const results = ["first", "second", "third"].map((content, at) => ({
    ...{ role: "tool", content },
    tool_call_id: tool_calls[at]!.id,
  }));
  const messages = [{ role: "assistant", tool_calls }, ...results, { role: "user", content: "Hi" }];
  await post("/v1/chat/completions", { model: "plain", messages });
  expect(JSON.stringify(engine.requests.at(-1)!.prompt)).toMatch(/first.*second.*third/);
});

test("a result belongs to its call, however far behind it stands", async () => {
  const { post, engine } = await testApp();
  const named = (at: number) => ({ name: "add", arguments: `{"a":"${at}"}` });
  const asked = (at: number) => ({ type: "function_call", call_id: `call_${at}`, ...named(at) });
  const result = (at: number) => ({
    type: "function_call_output",
    call_id: `call_${at}`,
    output: `is ${at}`,
  });
  const hook = { role: "developer", content: "A hook ran." };
  const hurry = { role: "user", content: "Hurry up." };
  const reply = (...calls: number[]) => ({
    role: "assistant",
    content: null,
    tool_calls: calls.map((at) => ({ id: `call_${at}`, type: "function", function: named(at) })),
  });
  const answer = (at: number) => ({ role: "tool", tool_call_id: `call_${at}`, content: `is ${at}` });
  const cases: [input: object[], messages: object[]][] = [
    [
      [hurry, asked(1), hook, result(1)],
      [hurry, reply(1), answer(1), hook],
    ],
    [
      [hurry, asked(1), asked(2), result(2), hook, hurry, result(1)],
      [hurry, reply(1, 2), answer(1), answer(2), hook, hurry],
    ],
    [
      [asked(1), hook, asked(2), hurry, result(1), result(2)],
      [reply(1), answer(1), hook, reply(2), answer(2), hurry],
    ],
    // An id that is used again.
    [
      [asked(1), result(1), hurry, asked(1), hook, result(1)],
      [reply(1), answer(1), hurry, reply(1), answer(1), hook],
    ],
  ];
  for (const [input, messages] of cases) {
    const response = await post("/v1/responses", { model: "plain", input });
    expect(response.status, await response.text()).toBe(200);
    await post("/v1/chat/completions", { model: "plain", messages });
    const [responses, chat] = engine.requests.slice(-2).map((one) => one.prompt);
    expect(responses).toBe(chat);
  }
  const early = await post("/v1/responses", { model: "plain", input: [result(1), asked(1)] });
  expect((await early.json()).error).toMatchObject({ code: "invalid_value", param: "input[0].call_id" });
  const unanswered = [asked(1), asked(2), hurry, result(1)];
  const missing = await post("/v1/responses", { model: "plain", input: unanswered });
  expect((await missing.json()).error.message).toBe("No tool output found for function call call_2.");
  const unknown = await post("/v1/responses", { model: "plain", input: [asked(1), result(3), result(1)] });
  expect((await unknown.json()).error).toMatchObject({ param: "input[1].call_id" });
});

test("results of calls with the same id in several replies are in the order of these replies", async () => {
  const { post, engine } = await testApp();
  const call = { type: "function_call", call_id: "call_1", name: "add", arguments: "{}" };
  const results = ["first", "second"].map((output) => ({
    ...{ type: "function_call_output", output },
    call_id: "call_1",
  }));
  const hook = { role: "developer", content: "A hook ran." };
  const input = [call, hook, call, hook, ...results];
  expect((await post("/v1/responses", { model: "plain", input })).status).toBe(200);
  expect(JSON.stringify(engine.requests.at(-1)!.prompt)).toMatch(/first.*hook.*second/);
});

test("a result that no call asked for is a user turn with the tool's name", async () => {
  const { post, engine } = await testApp();
  const result = { type: "function_call_output", output: "Daily brief" };
  const hurry = { role: "user", content: "Go on." };
  const cases: [item: object, text: string][] = [
    [result, "Daily brief"],
    [{ ...result, call_id: null, name: "automation" }, "automation:\nDaily brief"],
    [{ ...result, name: "automation", namespace: "app" }, "app__automation:\nDaily brief"],
    [{ ...result, output: [{ type: "input_text", text: "Daily" }], name: "a" }, "a:\nDaily"],
  ];
  for (const [item, content] of cases) {
    const response = await post("/v1/responses", { model: "plain", input: [item, hurry] });
    expect(response.status, await response.text()).toBe(200);
    await post("/v1/chat/completions", { model: "plain", messages: [{ role: "user", content }, hurry] });
    const [responses, chat] = engine.requests.slice(-2).map((one) => one.prompt);
    expect(responses).toBe(chat);
  }
  const custom = { type: "custom_tool_call_output", output: "x" };
  const refused = await post("/v1/responses", { model: "plain", input: [custom, hurry] });
  expect((await refused.json()).error).toMatchObject({
    code: "missing_required_parameter",
    param: "input[0].call_id",
  });
});
