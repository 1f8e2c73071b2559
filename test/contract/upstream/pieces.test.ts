/** Which events of a forwarded stream count as output, and which ends of a stream are whole. */

import { afterEach, expect, test } from "vitest";
import { closeUpstream, messages, NAME, setUp } from "../../support/upstream-app.ts";

afterEach(closeUpstream);

const chunk = (choice: object) =>
  `data: ${JSON.stringify({ model: "x", choices: [{ index: 0, ...choice }] })}`;
const delta = (fields: object) => chunk({ delta: fields });
const STREAM = { model: NAME, messages, stream: true } as const;

/** An upstream that sends this text as its stream, and ends or stays open. */
const saying = (text: string, end = true) =>
  setUp((_, to) => {
    to.writeHead(200, { "content-type": "text/event-stream" });
    to.write(text);
    if (end) to.end();
  });

test.each<[string, object]>([
  ["content", { content: "Far" }],
  ["reasoning_content", { reasoning_content: "Hm" }],
  ["reasoning", { reasoning: "Hm", content: "" }],
  ["refusal", { refusal: "No." }],
  ["tool_calls", { tool_calls: [{ index: 0, function: { arguments: "{" } }] }],
  ["function_call", { function_call: { arguments: "{" } }],
])("a client that leaves after a piece of `%s` pays for it", async (_, fields) => {
  const { openai, ledger, server } = await saying(`${delta(fields)}\n\n`, false);
  for await (const _chunk of await openai.chat.completions.create(STREAM)) break;
  await server.gone;
  await expect.poll(() => ledger.events()).toMatchObject([{ outcome: "aborted", outputTokens: 1 }]);
});

test("a piece without output costs nothing", async () => {
  const empty = { content: "", reasoning: null, refusal: null, tool_calls: [], function_call: null };
  const events = [delta({ role: "assistant", ...empty }), delta({ content: "a" }), delta({}), "data: [DONE]"];
  const { openai, ledger } = await saying(events.map((event) => `${event}\n\n`).join(""));
  for await (const _chunk of await openai.chat.completions.create(STREAM));
  expect(ledger.events()).toMatchObject([{ outcome: "completed", outputTokens: 1 }]);
});

const whole = `${delta({ content: "a" })}\n\n${chunk({ delta: {}, finish_reason: "stop" })}\n\n`;

test.each(["data: [DONE]\n\n", "data: [DONE]\n", "data: [DONE]", "data: [DONE]\r\n", "data: [DONE]\r"])(
  "a stream that ends with %j is whole",
  async (end) => {
    const { openai, ledger } = await saying(whole + end);
    let said = "";
    for await (const { choices } of await openai.chat.completions.create(STREAM))
      said += choices[0]!.delta.content ?? "";
    expect(said).toBe("a");
    expect(ledger.events()).toMatchObject([{ outcome: "completed", outputTokens: 1 }]);
  },
);

test("so is a response whose last event lacks its blank line", async () => {
  const response = { id: "r", output: [], usage: { input_tokens: 1, output_tokens: 2 } };
  const { openai, ledger } = await saying(
    `data: ${JSON.stringify({ type: "response.completed", response })}`,
  );
  for await (const _event of await openai.responses.create({ model: NAME, input: "Hi", stream: true }));
  expect(ledger.events()).toMatchObject([{ outcome: "completed", outputTokens: 2 }]);
});

test.each(["", "data: [DON", "data: ", "dat", delta({ content: "b" }).slice(0, -3), ": ping\n"])(
  "one that ends with %j is cut",
  async (end) => {
    const { openai, ledger } = await saying(whole + end);
    const reading = (async () => {
      for await (const _chunk of await openai.chat.completions.create(STREAM));
    })();
    await expect(reading).rejects.toMatchObject({ code: "upstream_stream_cut" });
    expect(ledger.events()).toMatchObject([{ outcome: "failed", outputTokens: 1 }]);
  },
);

test.each(["Text/Event-Stream", "text/event-stream;charset=UTF-8"])(
  "a stream may be of the type %s",
  async (type) => {
    const { openai } = await setUp((_, to) => {
      to.writeHead(200, { "content-type": type });
      to.end(`${whole}data: [DONE]\n\n`);
    });
    let said = "";
    for await (const { choices } of await openai.chat.completions.create(STREAM))
      said += choices[0]!.delta.content ?? "";
    expect(said).toBe("a");
  },
);

test("events without an object, and usage without choices, do not reach the client", async () => {
  const usage = { prompt_tokens: 4, completion_tokens: 2 };
  const events = [
    delta({ content: "a" }),
    "data: null",
    'data: "ping"',
    chunk({ delta: {}, finish_reason: "stop" }),
    `data: ${JSON.stringify({ model: "x", usage })}`,
    "data: [DONE]",
  ];
  const { openai, ledger } = await saying(events.map((event) => `${event}\n\n`).join(""));
  const seen: unknown[] = [];
  for await (const { choices } of await openai.chat.completions.create(STREAM)) seen.push(choices[0]!.delta);
  expect(seen).toEqual([{ content: "a" }, {}]);
  expect(ledger.events()).toMatchObject([{ outcome: "completed", inputTokens: 4, outputTokens: 2 }]);
});

test("an error with the usage so far, and without choices, reaches the client", async () => {
  const error = { message: "The engine is overloaded.", code: "overloaded" };
  const failed = { model: "x", error, usage: { prompt_tokens: 4, completion_tokens: 1 } };
  const { openai, ledger } = await saying(
    `${delta({ content: "a" })}\n\ndata: ${JSON.stringify(failed)}\n\n`,
    false,
  );
  const reading = (async () => {
    for await (const _chunk of await openai.chat.completions.create(STREAM));
  })();
  await expect(reading).rejects.toMatchObject({ code: "overloaded" });
  expect(ledger.events()).toMatchObject([{ outcome: "failed", inputTokens: 4, outputTokens: 1 }]);
});
