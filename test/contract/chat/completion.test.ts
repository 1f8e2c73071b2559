import type OpenAI from "openai";
import { expect, test } from "vitest";
import { readEvents, testApp } from "../../support/test-app.ts";

type Chunk = OpenAI.ChatCompletionChunk;
const hello = { model: "infetch-tiny", messages: [{ role: "user", content: "Hi" }] };

test("a completion has every field that OpenAI sends", async () => {
  const { post } = await testApp();
  const response = await post("/v1/chat/completions", hello);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toContain("application/json");
  expect(response.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  expect(await response.json()).toEqual({
    id: expect.stringMatching(/^chatcmpl-\w{29}$/),
    object: "chat.completion",
    created: expect.any(Number),
    model: "infetch-tiny",
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: "Hello there!", refusal: null, annotations: [] },
        logprobs: null,
        finish_reason: "stop",
      },
    ],
    usage: {
      prompt_tokens: "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n".length,
      completion_tokens: 4,
      total_tokens: "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n".length + 4,
      prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
      completion_tokens_details: {
        reasoning_tokens: 0,
        audio_tokens: 0,
        accepted_prediction_tokens: 0,
        rejected_prediction_tokens: 0,
      },
    },
    service_tier: "default",
    system_fingerprint: "fp_0123456789",
  });
});

test("a stream: role first, then content, then the finish reason, then usage, then [DONE]", async () => {
  const { post } = await testApp();
  const response = await post("/v1/chat/completions", {
    ...hello,
    stream: true,
    stream_options: { include_usage: true },
  });
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  const { events, done } = await readEvents<Chunk>(response);
  expect(done).toBe(true);
  expect(events.map((one) => one.choices[0]?.delta ?? "usage")).toEqual([
    { role: "assistant", content: "", refusal: null },
    { content: "Hello" },
    { content: " " },
    { content: "there" },
    { content: "!" },
    {},
    "usage",
  ]);
  expect(new Set(events.map((one) => one.id)).size).toBe(1);
  expect(events.slice(0, -1).every((one) => one.usage === null)).toBe(true);
  expect(events.at(-1)?.usage?.completion_tokens).toBe(4);
  expect(events.at(-2)?.choices[0]?.finish_reason).toBe("stop");
});

test("without include_usage no chunk has the field", async () => {
  const { post } = await testApp();
  const { events } = await readEvents<Chunk>(await post("/v1/chat/completions", { ...hello, stream: true }));
  expect(events.some((one) => "usage" in one)).toBe(false);
});

test("n replies, streamed one after the other, with usage of all and the prompt counted once", async () => {
  const { post } = await testApp();
  const { events } = await readEvents<Chunk>(
    await post("/v1/chat/completions", {
      ...hello,
      n: 3,
      stream: true,
      stream_options: { include_usage: true },
    }),
  );
  for (const index of [0, 1, 2]) {
    const own = events.flatMap((one) => one.choices).filter((choice) => choice.index === index);
    expect(own.map((choice) => choice.delta.content ?? "").join("")).toBe("Hello there!");
    expect(own[0]?.delta.role).toBe("assistant");
    expect(own.at(-1)?.finish_reason).toBe("stop");
  }
  expect(events.at(-1)?.usage).toMatchObject({ completion_tokens: 12 });
});

test("the reply ends before a stop string, and no part of it is streamed", async () => {
  const { post } = await testApp({ reply: () => ["One", " E", "N", "D", " more"] });
  const { events } = await readEvents<Chunk>(
    await post("/v1/chat/completions", { ...hello, stop: "END", stream: true }),
  );
  expect(events.map((one) => one.choices[0]?.delta.content ?? "").join("")).toBe("One ");
  expect(events.at(-1)?.choices[0]?.finish_reason).toBe("stop");
});

test("max_completion_tokens ends with length", async () => {
  const { post } = await testApp();
  const body = await (await post("/v1/chat/completions", { ...hello, max_completion_tokens: 2 })).json();
  expect(body.choices[0]).toMatchObject({ message: { content: "Hello " }, finish_reason: "length" });
  expect(body.usage.completion_tokens).toBe(2);
});

test("an engine that breaks in the middle ends the stream with an error, and charges what was sent", async () => {
  const { post, ledger } = await testApp({ failAfter: 2 });
  const { events, done } = await readEvents<Record<string, unknown>>(
    await post("/v1/chat/completions", { ...hello, stream: true }),
  );
  expect(done).toBe(false);
  expect(events.at(-1)).toEqual({
    error: { message: "It broke.", type: "server_error", param: null, code: "engine_lost" },
  });
  expect(ledger.events()).toMatchObject([{ outcome: "failed", outputTokens: 2 }]);
});

test("the same break before the first token, on the fresh engine too, is a status, and charges nothing", async () => {
  const { post, ledger } = await testApp({ failAfter: 0 });
  const response = await post("/v1/chat/completions", { ...hello, stream: true });
  expect(response.status).toBe(503);
  expect((await response.json()).error.code).toBe("engine_unavailable");
  expect(ledger.events()).toEqual([]);
});

test("usage in the answer is the event in the ledger", async () => {
  const { post, ledger } = await testApp();
  const response = await post("/v1/chat/completions", hello);
  const { usage } = await response.json();
  expect(ledger.events()).toMatchObject([
    {
      transactionId: response.headers.get("x-request-id"),
      account: "default",
      endpoint: "/v1/chat/completions",
      outcome: "completed",
      inputTokens: usage.prompt_tokens,
      outputTokens: usage.completion_tokens,
    },
  ]);
});
