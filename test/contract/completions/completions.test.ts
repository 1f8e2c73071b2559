import type OpenAI from "openai";
import { expect, test } from "vitest";
import {
  completionChunkSchema,
  completionSchema,
} from "../../../worker/endpoints/completions/response-schema.ts";
import { readEvents, testApp } from "../../support/test-app.ts";

const request = { model: "infetch-tiny", prompt: "Once" };
const path = "/v1/completions";

test("one prompt, in the legacy shape, by default with at most 16 tokens", async () => {
  const { post, engine, ledger } = await testApp({ reply: () => Array.from({ length: 30 }, () => "a") });
  const body = completionSchema.parse(await (await post(path, request)).json());
  expect(body.choices).toEqual([{ text: "a".repeat(16), index: 0, logprobs: null, finish_reason: "length" }]);
  expect(body.usage).toMatchObject({ prompt_tokens: 4, completion_tokens: 16 });
  expect(engine.requests[0]?.prompt).toBe("Once");
  expect(ledger.events()).toMatchObject([{ endpoint: path, inputTokens: 4, outputTokens: 16 }]);
});

test("several prompts and n: choices in order, usage of all", async () => {
  const { post } = await testApp({ reply: (prompt) => [prompt.toUpperCase()] });
  const body = completionSchema.parse(
    await (await post(path, { ...request, prompt: ["ab", "cde"], n: 2 })).json(),
  );
  expect(body.choices.map((choice) => [choice.index, choice.text])).toEqual([
    [0, "AB"],
    [1, "AB"],
    [2, "CDE"],
    [3, "CDE"],
  ]);
  expect(body.usage).toMatchObject({ prompt_tokens: 5, completion_tokens: 4 });
});

test.each([
  ["texts", "a"],
  ["tokens", [1]],
])("at most 1,024 prompts, as vLLM: %s", async (_, one) => {
  const { post, engine } = await testApp({ reply: () => ["x"] });
  const send = (count: number) =>
    post(path, { ...request, prompt: Array.from({ length: count }, () => one) });
  const refused = await send(1025);
  expect(refused.status).toBe(400);
  expect((await refused.json()).error).toMatchObject({
    param: "prompt",
    code: "array_above_max_length",
    message:
      "Invalid 'prompt': array too long. Expected an array with maximum length 1024, but got an array with length 1025 instead.",
  });
  expect(engine.requests).toHaveLength(0);
  expect((await send(1024)).status).toBe(200);
  expect(engine.requests).toHaveLength(1024);
});

test("the second of several prompts is not refused because the queue is full meanwhile", async () => {
  let waiting: Promise<Response> | undefined;
  let refused: Response | undefined;
  const { post, services } = await testApp(
    {
      reply: (prompt) => [prompt.toUpperCase()],
      gate: async ({ prompt }) => {
        if (prompt !== "first") return;
        waiting = post(path, { ...request, prompt: "waiting" });
        await expect.poll(() => services.engines.queue(request.model).waiting).toBe(1);
        refused = await post(path, { ...request, prompt: "refused" });
      },
    },
    { maxQueued: 1 },
  );
  const answer = await post(path, { ...request, prompt: ["first", "second"] });
  expect(refused?.status).toBe(429);
  const body = completionSchema.parse(await answer.json());
  expect(body.choices.map(({ text }) => text)).toEqual(["FIRST", "SECOND"]);
  expect((await waiting)?.status).toBe(200);
});

test("prompts run side by side on an engine that runs several, with the choices and usage of one after another", async () => {
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const reply = (prompt: string, { randomState }: { randomState: bigint }) => [
    ...prompt,
    `${randomState % 100n}`,
    ".",
  ];
  const body = { ...request, prompt: ["ab", "cde", "f", "ghij", "kl"], n: 2, seed: 7 };
  const alone = await (await (await testApp({ reply })).post(path, body)).json();
  const { post, engine, ledger } = await testApp({ reply, gate: turn, parallel: 4 });
  const several = completionSchema.parse(await (await post(path, body)).json());
  expect(several.choices).toEqual(alone.choices);
  expect(several.usage).toEqual(alone.usage);
  expect(several.usage.prompt_tokens).toBe(12);
  expect(engine.mostRunning).toBe(3);
  // Each prompt alone gives the same two replies.
  const [last] = (await (await post(path, { ...body, prompt: "kl" })).json()).choices;
  expect(last.text).toBe(several.choices[8]!.text);
  expect(ledger.events()[0]).toMatchObject({ inputTokens: 12, outputTokens: alone.usage.completion_tokens });
});

test("a stream of several prompts that is left costs the prompts that were computed, and what was read", async () => {
  let pieces = 0;
  const { post, engine, ledger } = await testApp({
    reply: () => ["a", "b"],
    // The second reply goes on once the reader has left.
    gate: async ({ prompt }, signal) => {
      if (prompt !== "three" || ++pieces < 2 || signal.aborted) return;
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
    },
  });
  const response = await post(path, { ...request, prompt: ["one", "three", "fourteen"], stream: true });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!text.includes('"index":1')) text += (await reader.read()).value;
  await reader.cancel();
  await expect.poll(() => ledger.events()).toHaveLength(1);
  expect(ledger.events()).toMatchObject([{ outcome: "aborted", inputTokens: 8 }]);
  expect(engine.requests.map(({ prompt }) => prompt)).toEqual(["one", "three"]);
});

test("a prompt that is too long is refused before those in front of it are computed", async () => {
  const { post, engine, ledger } = await testApp();
  const response = await post(path, { ...request, prompt: ["short", "x".repeat(5000)] });
  expect(response.status).toBe(400);
  expect((await response.json()).error).toMatchObject({ param: "prompt", code: "context_length_exceeded" });
  expect(engine.requests).toEqual([]);
  expect(ledger.events()).toEqual([]);
});

test("token prompts arrive as tokens, and are echoed as text", async () => {
  const { post, engine } = await testApp({ reply: () => ["!"] });
  const one = completionSchema.parse(
    await (await post(path, { ...request, prompt: [72, 105], echo: true })).json(),
  );
  expect(one.choices[0]?.text).toBe("Hi!");
  expect(engine.requests[0]?.prompt).toEqual([72, 105]);
  const two = completionSchema.parse(
    await (await post(path, { ...request, prompt: [[72], [105]], echo: true })).json(),
  );
  expect(two.choices.map((choice) => choice.text)).toEqual(["H!", "i!"]);
});

test("echo with max_tokens 0 generates nothing", async () => {
  const { post, engine } = await testApp();
  const body = completionSchema.parse(
    await (await post(path, { ...request, echo: true, max_tokens: 0 })).json(),
  );
  expect(body.choices[0]).toMatchObject({ text: "Once", finish_reason: "length" });
  expect(body.usage).toMatchObject({ prompt_tokens: 4, completion_tokens: 0 });
  expect(engine.requests).toEqual([]);
});

test("logprobs in four lists, with offsets from the start of the prompt, as at OpenAI", async () => {
  const { post } = await testApp({ reply: () => ["ab", "c"] });
  const body = completionSchema.parse(await (await post(path, { ...request, logprobs: 0 })).json());
  expect(body.choices[0]?.logprobs).toEqual({
    tokens: ["ab", "c"],
    token_logprobs: [-0.5, -0.5],
    // The sampled token is always among them, as the reference says.
    top_logprobs: [{ ab: -0.5 }, { c: -0.5 }],
    text_offset: [4, 6],
  });
  const tokens = { ...request, prompt: [[72, 105], [72]], logprobs: 0 };
  const two = completionSchema.parse(await (await post(path, tokens)).json());
  expect(two.choices.map(({ text, logprobs }) => [text, logprobs?.text_offset])).toEqual([
    ["abc", [2, 4]],
    ["abc", [1, 3]],
  ]);
});

test("logprobs of a reply without a token are empty lists, as in chat", async () => {
  const { post } = await testApp({ reply: () => [] });
  const body = completionSchema.parse(await (await post(path, { ...request, logprobs: 1 })).json());
  expect(body.choices[0]).toEqual({
    text: "",
    index: 0,
    logprobs: { tokens: [], token_logprobs: [], top_logprobs: [], text_offset: [] },
    finish_reason: "stop",
  });
});

test("best_of makes more than it returns, and charges for all of them", async () => {
  const { post } = await testApp({ reply: () => ["a", "b"] });
  const body = completionSchema.parse(await (await post(path, { ...request, n: 1, best_of: 3 })).json());
  expect(body.choices).toHaveLength(1);
  expect(body.choices[0]?.logprobs).toBeNull();
  expect(body.usage.completion_tokens).toBe(6);
});

test("best_of returns a reply without tokens only if all are", async () => {
  let replies = 0;
  const { post } = await testApp({ reply: () => (++replies === 2 ? ["good"] : []) });
  const body = completionSchema.parse(await (await post(path, { ...request, best_of: 3 })).json());
  expect(body.choices.map(({ text }) => text)).toEqual(["good"]);
});

test("half a character of a prompt is U+FFFD, and extreme repetition penalties are the least and the most that count", async () => {
  const { post, engine } = await testApp();
  for (const repetition_penalty of [1e-300, 1e300, 1.1])
    await post(path, { ...request, prompt: "a\ud83d", repetition_penalty });
  expect(engine.requests.map(({ prompt }) => prompt)).toEqual(["a\ufffd", "a\ufffd", "a\ufffd"]);
  expect(engine.requests.map(({ sampling }) => sampling.repetitionPenalty)).toEqual([1e-6, 1e6, 1.1]);
});

test("response_format holds the reply to its form, as in a chat", async () => {
  const { post, engine } = await testApp();
  const schema = { type: "object", properties: { a: { type: "integer" } }, required: ["a"] };
  for (const format of [
    { type: "json_object" },
    { type: "json_schema", json_schema: { name: "a", schema } },
  ]) {
    const response = await post(path, { ...request, response_format: format });
    expect([response.status, response.headers.get("x-infetch-ignored-parameters")]).toEqual([200, null]);
    const messages = [{ role: "user", content: "Hi" }];
    await post("/v1/chat/completions", { model: request.model, messages, response_format: format });
    const [ours, chats] = engine.requests.splice(0);
    expect(ours?.constraint).toMatchObject({ type: "grammar", ebnf: expect.stringContaining("root ::=") });
    expect(ours?.constraint).toEqual(chats?.constraint);
  }
});

test("streamed: text, each choice's end, usage, [DONE]", async () => {
  const { post } = await testApp();
  const { events, done } = await readEvents<OpenAI.Completion>(
    await post(path, { ...request, n: 2, echo: true, stream: true, stream_options: { include_usage: true } }),
  );
  for (const event of events) completionChunkSchema.parse(event);
  expect(done).toBe(true);
  for (const index of [0, 1]) {
    const own = events.flatMap((event) => event.choices).filter((choice) => choice.index === index);
    expect(own.map((choice) => choice.text).join("")).toBe("OnceHello there!");
    expect(own.at(-1)?.finish_reason).toBe("stop");
  }
  expect(events.at(-1)?.usage?.completion_tokens).toBe(8);
});

const BAD: [object, string, string][] = [
  [{ model: "infetch-tiny" }, "prompt", "missing_required_parameter"],
  [{ ...request, prompt: [] }, "prompt", "empty_array"],
  [{ ...request, prompt: {} }, "prompt", "invalid_type"],
  [{ ...request, prompt: [1, "a"] }, "prompt[1]", "invalid_type"],
  [{ ...request, prompt: [5000] }, "prompt", "invalid_request"],
  [{ ...request, prompt: "x".repeat(5000) }, "prompt", "context_length_exceeded"],
  [{ ...request, suffix: "end" }, "suffix", "unsupported_parameter"],
  [{ ...request, logprobs: 6 }, "logprobs", "integer_above_max_value"],
  [{ ...request, best_of: 1, n: 2 }, "best_of", "invalid_value"],
  [{ ...request, best_of: 2, stream: true }, "best_of", "invalid_value"],
  [{ ...request, prompt_logprobs: -1 }, "prompt_logprobs", "integer_below_min_value"],
  [{ ...request, prompt_logprobs: 1, stream: true }, "prompt_logprobs", "invalid_parameter_combination"],
  [{ ...request, max_tokens: -1 }, "max_tokens", "integer_below_min_value"],
  [{ ...request, response_format: { type: "xml" } }, "response_format.type", "invalid_value"],
  [
    { ...request, response_format: { type: "json_object" }, guided_regex: "a" },
    "guided_regex",
    "invalid_value",
  ],
];

test.each(BAD)("%j → 400 that names %s", async (body, param, code) => {
  const { post } = await testApp();
  const response = await post(path, body);
  expect({ status: response.status, ...(await response.json()).error }).toMatchObject({
    status: 400,
    param,
    code,
  });
});

test("without a text, null, the model writes from its BOS token on", async () => {
  const { post, engine } = await testApp();
  engine.countTokens = async (prompt) => prompt.length + 1;
  const response = await post(path, { ...request, prompt: null, echo: true });
  expect(completionSchema.parse(await response.json()).choices[0]?.text).toBe("Hello there!");
  expect(engine.requests[0]?.prompt).toBe("");
});

test.each(["", [""], null])("an empty prompt, %j, is a 400 that the engine never sees", async (prompt) => {
  const { post, engine } = await testApp();
  const response = await post("/v1/completions", { model: "infetch-tiny", prompt });
  expect(response.status).toBe(400);
  expect((await response.json()).error).toMatchObject({ param: "prompt", code: "invalid_request" });
  expect(engine.requests).toEqual([]);
});

test("streamed offsets are those of the whole text, also where a stop string begins in the middle of a token", async () => {
  const { post } = await testApp({ reply: () => ["Hello", " wo", "rld", " is"] });
  const sent = { ...request, logprobs: 0, stop: "world!" };
  const whole = completionSchema.parse(await (await post(path, sent)).json());
  expect(whole.choices[0]?.logprobs?.text_offset).toEqual([4, 9, 12, 15]);
  const { events } = await readEvents<OpenAI.Completion>(await post(path, { ...sent, stream: true }));
  const offsets = events.flatMap(({ choices }) => choices[0]?.logprobs?.text_offset ?? []);
  expect(offsets).toEqual([4, 9, 12, 15]);
});
