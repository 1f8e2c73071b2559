import { expect, test } from "vitest";
import {
  completionChunkSchema,
  completionSchema,
} from "../../../worker/endpoints/completions/response-schema.ts";
import { EngineError } from "../../../worker/engine-api/engine-error.ts";
import { readEvents, testApp } from "../../support/test-app.ts";

const path = "/v1/completions";
const request = { model: "infetch-tiny", prompt: "abc", echo: true, logprobs: 1 };
const behaviour = { reply: () => ["de", "f"], scoresPrompts: true };

async function complete(body: object) {
  const { post, engine, ledger } = await testApp(behaviour);
  const response = await post(path, body);
  expect(response.status).toBe(200);
  return { body: completionSchema.parse(await response.json()), engine, ledger };
}

const whole = {
  tokens: ["a", "b", "c", "de", "f"],
  token_logprobs: [null, -1, -2, -0.5, -0.5],
  top_logprobs: [null, { "~": -0.125, b: -1 }, { "~": -0.125, c: -2 }, { de: -0.5 }, { f: -0.5 }],
  text_offset: [0, 1, 2, 3, 5],
};

test("echo with logprobs has the prompt's log probabilities before the reply's, and null for the first token", async () => {
  const { body, engine, ledger } = await complete(request);
  expect(body.choices).toEqual([{ text: "abcdef", index: 0, logprobs: whole, finish_reason: "stop" }]);
  expect(engine.requests).toMatchObject([{ promptLogprobs: 1, topLogprobs: 1 }]);
  expect(body.usage).toMatchObject({ prompt_tokens: 3, completion_tokens: 2 });
  expect(ledger.events()).toMatchObject([{ inputTokens: 3, cachedTokens: 0, outputTokens: 2 }]);
});

test("max_tokens 0 scores the prompt alone", async () => {
  const { body, ledger } = await complete({ ...request, max_tokens: 0 });
  const { tokens, token_logprobs, text_offset } = whole;
  expect(body.choices).toMatchObject([
    {
      text: "abc",
      logprobs: {
        tokens: tokens.slice(0, 3),
        token_logprobs: token_logprobs.slice(0, 3),
        text_offset: text_offset.slice(0, 3),
      },
      finish_reason: "length",
    },
  ]);
  expect(body.usage).toMatchObject({ prompt_tokens: 3, completion_tokens: 0 });
  expect(ledger.events()).toMatchObject([{ inputTokens: 3, outputTokens: 0 }]);
});

test("each of several prompts and replies has its own", async () => {
  const { body } = await complete({ ...request, prompt: ["ab", "cde"], n: 2, max_tokens: 0 });
  expect(body.choices.map(({ index, text, logprobs }) => [index, text, logprobs?.token_logprobs])).toEqual([
    [0, "ab", [null, -1]],
    [1, "ab", [null, -1]],
    [2, "cde", [null, -1, -2]],
    [3, "cde", [null, -1, -2]],
  ]);
});

test.each([1, 8])("scores alone are computed once for all choices (%s at once)", async (parallel) => {
  const { post, engine, ledger } = await testApp({ ...behaviour, parallel });
  const body = { ...request, n: 3, max_tokens: 0 };
  const { choices } = completionSchema.parse(await (await post(path, body)).json());
  expect(choices.map(({ logprobs }) => logprobs?.token_logprobs)).toEqual(Array(3).fill([null, -1, -2]));
  const { events } = await readEvents(await post(path, { ...body, stream: true }));
  const chunks = events.flatMap((event) => completionChunkSchema.parse(event).choices);
  for (const index of [0, 1, 2]) {
    const own = chunks.filter((chunk) => chunk.index === index);
    expect(own.map(({ text, finish_reason }) => [text, finish_reason])).toEqual([
      ["abc", null],
      ["", "length"],
    ]);
  }
  expect(engine.requests).toHaveLength(2);
  const counts = { inputTokens: 3, cachedTokens: 0, outputTokens: 0 };
  expect(ledger.events()).toMatchObject([counts, counts]);
});

test.each([1, 8])(
  "several replies to a prompt share its log probabilities, which are computed once (%s at once)",
  async (parallel) => {
    const pause = () => new Promise<void>((resolve) => setTimeout(resolve));
    const { post, engine, ledger } = await testApp({ ...behaviour, parallel, score: pause, gate: pause });
    const body = { ...request, prompt: ["abc", "gh"], n: 3 };
    const whole = completionSchema.parse(await (await post(path, body)).json());
    const streamed = await readEvents(await post(path, { ...body, stream: true }));
    const chunks = streamed.events.flatMap((event) => completionChunkSchema.parse(event).choices);
    for (const [at, { text, logprobs }] of whole.choices.entries()) {
      const prompt = body.prompt[Math.floor(at / 3)]!;
      expect(text).toBe(`${prompt}def`);
      expect(logprobs?.tokens).toEqual([...prompt, "de", "f"]);
      const own = chunks.filter(({ index }) => index === at);
      expect(own.map((one) => one.text).join("")).toBe(text);
      expect(own.flatMap((one) => one.logprobs?.tokens ?? [])).toEqual(logprobs?.tokens);
      expect(own.flatMap((one) => one.logprobs?.token_logprobs ?? [])).toEqual(logprobs?.token_logprobs);
      expect(own.flatMap((one) => one.logprobs?.text_offset ?? [])).toEqual(logprobs?.text_offset);
    }
    expect(engine.requests).toHaveLength(12);
    expect(engine.requests.filter(({ promptLogprobs }) => promptLogprobs !== undefined)).toHaveLength(4);
    expect(engine.requests.every(({ reportsAll }) => reportsAll)).toBe(true);
    const counts = { inputTokens: 5, cachedTokens: 0, outputTokens: 12 };
    expect(ledger.events()).toMatchObject([counts, counts]);
  },
);

test.each([1, 8])(
  "an engine lost while it scores a prompt is replaced, and the other replies follow (%s at once)",
  async (parallel) => {
    let scored = 0;
    const score = async (): Promise<void> => {
      if (++scored === 1) throw new EngineError("engine_lost", "It broke.");
    };
    const { post, engine } = await testApp({ ...behaviour, parallel, score });
    const { choices } = await (await post(path, { ...request, n: 3 })).json();
    expect(choices.map(({ text }: { text: string }) => text)).toEqual(["abcdef", "abcdef", "abcdef"]);
    expect(scored).toBe(2);
    expect(engine.requests).toHaveLength(4);
  },
);

test.each([1, 8])("a prompt that cannot be scored fails all its replies (%s at once)", async (parallel) => {
  const score = () => Promise.reject(new EngineError("unsupported_parameter", "No.", { param: "prompt" }));
  const { post, engine, ledger, services } = await testApp({ ...behaviour, parallel, score });
  const response = await post(path, { ...request, n: 3 });
  expect(response.status).toBe(400);
  expect(engine.requests).toHaveLength(1);
  expect(ledger.events()).toEqual([]);
  expect(services.engines.queue("infetch-tiny").running).toBe(0);
});

test("a stream begins with the prompt and its log probabilities", async () => {
  const { post } = await testApp(behaviour);
  const { events } = await readEvents(await post(path, { ...request, stream: true }));
  const chunks = events.map((event) => completionChunkSchema.parse(event));
  expect(chunks[0]?.choices[0]).toMatchObject({ text: "abc", finish_reason: null });
  const logprobs = chunks.flatMap(({ choices }) => choices[0]?.logprobs ?? []);
  expect(logprobs.flatMap((one) => one.tokens)).toEqual(whole.tokens);
  expect(logprobs.flatMap((one) => one.token_logprobs)).toEqual(whole.token_logprobs);
  expect(logprobs.flatMap((one) => one.top_logprobs)).toEqual(whole.top_logprobs);
  expect(logprobs.flatMap((one) => one.text_offset)).toEqual(whole.text_offset);
});

test("prompt_logprobs are vLLM's: by token id, with rank and text, without echo", async () => {
  const { echo: _, logprobs: __, ...rest } = request;
  const { body } = await complete({ ...rest, prompt_logprobs: 1 });
  expect(body.choices[0]).toMatchObject({ text: "def", logprobs: null });
  expect(body.choices[0]?.prompt_logprobs).toEqual([
    null,
    {
      98: { logprob: -1, rank: 2, decoded_token: "b" },
      126: { logprob: -0.125, rank: 1, decoded_token: "~" },
    },
    {
      99: { logprob: -2, rank: 2, decoded_token: "c" },
      126: { logprob: -0.125, rank: 1, decoded_token: "~" },
    },
  ]);
  // Both at once: each has its own number of alternatives.
  const both = await complete({ ...request, logprobs: 0, prompt_logprobs: 2 });
  expect(both.engine.requests).toMatchObject([{ promptLogprobs: 2, topLogprobs: 0 }]);
  expect(both.body.choices[0]?.logprobs?.top_logprobs[1]).toEqual({ b: -1 });
  expect(Object.keys(both.body.choices[0]?.prompt_logprobs?.[1] ?? {})).toEqual(["98", "125", "126"]);
});

test.each([
  [request, "echo"],
  [{ model: "infetch-tiny", prompt: "abc", prompt_logprobs: 0 }, "prompt_logprobs"],
])("an engine without them refuses, before anything runs: %j", async (body, param) => {
  const { post, engine, ledger } = await testApp();
  const response = await post(path, body);
  expect(response.status).toBe(400);
  expect((await response.json()).error).toMatchObject({ param, code: "unsupported_parameter" });
  expect(engine.requests).toEqual([]);
  expect(ledger.events()).toEqual([]);
});

test("without logprobs, echo asks the engine for none", async () => {
  const { engine } = await complete({ model: "infetch-tiny", prompt: "abc", echo: true });
  expect(engine.requests[0]).not.toHaveProperty("promptLogprobs");
});

test("more log probabilities than a response can have are refused, before anything runs", async () => {
  const { post, engine, ledger } = await testApp(behaviour);
  const prompt = Array.from({ length: 63 }, () => "x".repeat(4000));
  const response = await post(path, { ...request, prompt, max_tokens: 0 });
  expect(response.status).toBe(400);
  const { error } = await response.json();
  expect(error).toMatchObject({ code: "invalid_value", param: "prompt" });
  expect(error.message).toContain(
    "its 252000 tokens are too many for one response, which has 500000 at most",
  );
  expect(engine.requests).toEqual([]);
  expect(ledger.events()).toEqual([]);
  for (const body of [{ prompt: prompt.slice(1) }, { prompt, logprobs: 0 }, { prompt, logprobs: null }])
    expect((await post(path, { ...request, ...body, max_tokens: 0 })).status).toBe(200);
});
