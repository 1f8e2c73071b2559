import { expect, test } from "vitest";
import { lastResponse, readResponse, readResponseStream } from "../../support/response-stream.ts";
import { testApp } from "../../support/test-app.ts";

const PATH = "/v1/responses";
const hello = { model: "infetch-tiny", input: "Hi", store: false };
const PROMPT = "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n";

test("a response has every field that is published", async () => {
  const { post } = await testApp();
  const answer = await post(PATH, hello);
  expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  const body = await readResponse(answer);
  expect(body).toEqual({
    id: expect.stringMatching(/^resp_\w{29}$/),
    object: "response",
    created_at: expect.any(Number),
    status: "completed",
    access_programs: null,
    background: false,
    completed_at: expect.any(Number),
    conversation: null,
    error: null,
    frequency_penalty: 0,
    incomplete_details: null,
    instructions: null,
    max_output_tokens: null,
    max_tool_calls: null,
    metadata: {},
    model: "infetch-tiny",
    moderation: null,
    output: [
      {
        id: expect.stringMatching(/^msg_\w{29}$/),
        type: "message",
        status: "completed",
        role: "assistant",
        content: [{ type: "output_text", text: "Hello there!", annotations: [], logprobs: [] }],
      },
    ],
    parallel_tool_calls: true,
    presence_penalty: 0,
    previous_response_id: null,
    prompt: null,
    prompt_cache_key: null,
    prompt_cache_retention: null,
    reasoning: { effort: null, summary: null },
    safety_identifier: null,
    service_tier: "default",
    store: false,
    temperature: 1,
    text: { format: { type: "text" }, verbosity: "medium" },
    tool_choice: "auto",
    tools: [],
    top_logprobs: 0,
    top_p: 1,
    truncation: "disabled",
    usage: {
      input_tokens: PROMPT.length,
      input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
      output_tokens: 4,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: PROMPT.length + 4,
    },
  });
});

test("every setting comes back, and reaches the engine", async () => {
  const { post, engine } = await testApp();
  const schema = { type: "object", properties: {}, required: [], additionalProperties: false };
  const settings = {
    instructions: "Be brief.",
    max_output_tokens: 50,
    max_tool_calls: 3,
    metadata: { a: "b" },
    parallel_tool_calls: false,
    frequency_penalty: 0.5,
    presence_penalty: -0.5,
    prompt_cache_key: "k",
    prompt_cache_retention: "in_memory",
    safety_identifier: "s",
    temperature: 0,
    text: {
      format: { type: "json_schema", name: "n", description: "d", schema, strict: true },
      verbosity: "medium",
    },
    tool_choice: { type: "allowed_tools", mode: "required", tools: [{ type: "function", name: "f" }] },
    tools: [
      {
        type: "function",
        name: "f",
        description: "does",
        parameters: schema,
        output_schema: schema,
        strict: true,
      },
    ],
    top_logprobs: 2,
    top_p: 0.5,
    user: "u",
  };
  const body = await readResponse(
    await post(PATH, { ...hello, ...settings, truncation: "disabled", service_tier: "auto", seed: 7 }),
  );
  expect(body).toMatchObject(settings);
  const { sampling, topLogprobs } = engine.requests[0]!;
  expect({ sampling, topLogprobs }).toMatchObject({
    sampling: {
      temperature: 0,
      topP: 0.5,
      maxTokens: 50,
      frequencyPenalty: 0.5,
      presencePenalty: -0.5,
      seed: 7,
    },
    topLogprobs: 2,
  });
});

test("a stream: every event, in order, and the last one holds what the same request gets unstreamed", async () => {
  const { post } = await testApp();
  const events = await readResponseStream(await post(PATH, { ...hello, stream: true }));
  expect(events.map((event) => event.type)).toEqual([
    "response.created",
    "response.in_progress",
    "response.output_item.added",
    "response.content_part.added",
    "response.output_text.delta",
    "response.output_text.delta",
    "response.output_text.delta",
    "response.output_text.delta",
    "response.output_text.done",
    "response.content_part.done",
    "response.output_item.done",
    "response.completed",
  ]);
  const first = events[0]!;
  expect("response" in first && first.response).toMatchObject({
    status: "in_progress",
    output: [],
    usage: null,
    completed_at: null,
  });
  const whole = await readResponse(await post(PATH, hello));
  const volatile = { id: "", created_at: 0, completed_at: 0 };
  const still = (body: typeof whole) => ({
    ...body,
    ...volatile,
    output: body.output.map((item) => ({ ...item, id: "" })),
  });
  expect(still(lastResponse(events))).toEqual(still(whole));
});

test("the limit ends with incomplete, streamed or not", async () => {
  const { post } = await testApp();
  const cut = { ...hello, max_output_tokens: 2 };
  const expected = {
    status: "incomplete",
    completed_at: null,
    incomplete_details: { reason: "max_output_tokens" },
    output: [{ type: "message", status: "incomplete", content: [{ text: "Hello " }] }],
    usage: { output_tokens: 2 },
  };
  expect(await readResponse(await post(PATH, cut))).toMatchObject(expected);
  const events = await readResponseStream(await post(PATH, { ...cut, stream: true }));
  expect(events.at(-1)?.type).toBe("response.incomplete");
  expect(lastResponse(events)).toMatchObject(expected);
});

test("a reply that says nothing is an empty message; one that was cut before it spoke is none", async () => {
  const { post } = await testApp({ reply: () => [] });
  expect((await readResponse(await post(PATH, hello))).output).toMatchObject([
    { type: "message", status: "completed", content: [{ text: "" }] },
  ]);
  await readResponseStream(await post(PATH, { ...hello, stream: true }));
  const thinks = await testApp({ reply: () => ["<think>", "Hm", " hm"] });
  const cut = await readResponse(await thinks.post(PATH, { ...hello, max_output_tokens: 2 }));
  expect(cut).toMatchObject({ status: "incomplete", output: [{ type: "reasoning", status: "incomplete" }] });
});

test("an engine that breaks in the middle is response.failed, with what there was, and that is charged", async () => {
  const { post, ledger } = await testApp({ failAfter: 2 });
  const events = await readResponseStream(await post(PATH, { ...hello, stream: true }));
  expect(events.at(-1)?.type).toBe("response.failed");
  expect(lastResponse(events)).toMatchObject({
    status: "failed",
    error: { code: "server_error", message: "It broke." },
    incomplete_details: null,
    output: [{ type: "message", status: "incomplete", content: [{ text: "Hello " }] }],
    usage: { output_tokens: 2 },
  });
  expect(ledger.events()).toMatchObject([
    { endpoint: "/v1/responses", outcome: "failed", outputTokens: 2, stream: true },
  ]);
});

test("the same break before the first token, on the fresh engine too, is a status, and charges nothing", async () => {
  const { post, ledger } = await testApp({ failAfter: 0 });
  const answer = await post(PATH, { ...hello, stream: true });
  expect([answer.status, (await answer.json()).error.code]).toEqual([503, "engine_unavailable"]);
  expect(ledger.events()).toEqual([]);
});

test("a reader that leaves stops the engine, pays for what was sent, and holds nobody up", async () => {
  const steps: (() => void)[] = [];
  let gated = true;
  const gate = () => new Promise<void>((go) => (gated ? steps.push(go) : go()));
  const { post, ledger } = await testApp({ gate });
  const answering = post(PATH, { ...hello, stream: true });
  await expect.poll(() => steps.length).toBe(1);
  steps[0]!();
  const reader = (await answering).body!.getReader();
  await reader.read();
  await expect.poll(() => steps.length).toBe(2);
  await reader.cancel();
  gated = false;
  steps[1]!();
  await expect.poll(() => ledger.events()).toMatchObject([{ outcome: "aborted", outputTokens: 1 }]);
  expect((await readResponse(await post(PATH, hello))).status).toBe("completed");
});

test("usage in the answer is the event in the ledger", async () => {
  const { post, ledger } = await testApp();
  for (const stream of [false, true]) {
    const answer = await post(PATH, { ...hello, stream });
    const requestId = answer.headers.get("x-request-id");
    const body = stream ? lastResponse(await readResponseStream(answer)) : await readResponse(answer);
    expect(ledger.events().at(-1)).toMatchObject({
      transactionId: requestId,
      endpoint: "/v1/responses",
      outcome: "completed",
      stream,
      inputTokens: body.usage?.input_tokens,
      outputTokens: body.usage?.output_tokens,
    });
  }
});

test.each([
  ["include", { include: ["message.output_text.logprobs"] }],
  ["top_logprobs", { top_logprobs: 3 }],
])("log probabilities are asked for with %s, and the deltas' are the whole's", async (_, wanted) => {
  const { post } = await testApp();
  const events = await readResponseStream(await post(PATH, { ...hello, ...wanted, stream: true }));
  const deltas = events.flatMap((event) =>
    event.type === "response.output_text.delta" ? event.logprobs : [],
  );
  expect(deltas.map((one) => one.token)).toEqual(["Hello", " ", "there", "!"]);
  expect(lastResponse(events).output).toMatchObject([{ content: [{ logprobs: deltas }] }]);
});
