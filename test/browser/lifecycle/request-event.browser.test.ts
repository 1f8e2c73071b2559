import { createRuntime, type RequestEvent, type Runtime } from "infetch";
import { expect, test } from "vitest";
import { freshLedgerName } from "../billing/support/frames.ts";

const MESSAGES = [{ role: "user", content: "Hello!" }];
const ENGINE = expect.stringMatching(/^(webllm|llamacpp)$/);

async function start(options: Parameters<typeof createRuntime>[0] = {}) {
  const runtime = await createRuntime({ storageName: freshLedgerName(), ...options });
  const events: RequestEvent[] = [];
  runtime.on("request", (event) => events.push(event));
  /** The response's event. */
  const eventOf = async (response: Response): Promise<RequestEvent> => {
    const requestId = response.headers.get("x-request-id");
    await expect.poll(() => events.find((event) => event.requestId === requestId)).toBeDefined();
    return events.find((event) => event.requestId === requestId)!;
  };
  return { runtime, events, eventOf };
}

function post(runtime: Runtime, path: string, body: object, signal?: AbortSignal): Promise<Response> {
  return runtime.fetch(runtime.baseURL + path, {
    method: "POST",
    headers: { authorization: `Bearer ${runtime.apiKey}`, "content-type": "application/json" },
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  });
}

test("a request's event comes when its last byte was sent, not before", async () => {
  const { runtime, events } = await start();
  const headers = { authorization: `Bearer ${runtime.apiKey}` };
  const body = { model: "infetch-tiny", messages: MESSAGES, n: 100, max_tokens: 100, stream: true };
  const response = await post(runtime, "/chat/completions", body);
  const reader = response.body!.getReader();
  await reader.read();
  const other = await runtime.fetch("/v1/models", { headers });
  await other.text();
  await expect.poll(() => events.map(({ path }) => path)).toEqual(["/v1/models"]);
  await reader.cancel();
  await expect.poll(() => events.length).toBe(2);
  expect(events[0]).toEqual({
    type: "request",
    requestId: other.headers.get("x-request-id"),
    method: "GET",
    path: "/v1/models",
    status: 200,
    durationMs: expect.any(Number),
    inputTokens: 0,
    cachedTokens: 0,
    outputTokens: 0,
    reasoningTokens: 0,
    costUsd: 0,
  });
  const [recorded] = await runtime.usage.list();
  expect(events[1]).toEqual({
    type: "request",
    requestId: response.headers.get("x-request-id"),
    method: "POST",
    path: "/v1/chat/completions",
    status: 200,
    durationMs: expect.any(Number),
    outcome: "aborted",
    model: "infetch-tiny",
    tier: "serverless",
    engine: ENGINE,
    inputTokens: recorded!.inputTokens,
    cachedTokens: recorded!.cachedTokens,
    outputTokens: recorded!.outputTokens,
    reasoningTokens: recorded!.reasoningTokens,
    costUsd: expect.any(Number),
  });
  expect(events[1]!.outputTokens).toBeGreaterThan(0);
  runtime.close();
});

const KINDS: [path: string, body: object, engine: unknown][] = [
  ["/chat/completions", { model: "infetch-tiny", messages: MESSAGES, max_tokens: 8 }, ENGINE],
  ["/chat/completions", { model: "infetch-tiny", messages: MESSAGES, max_tokens: 8, stream: true }, ENGINE],
  ["/completions", { model: "infetch-tiny", prompt: ["Once", "Twice"], max_tokens: 8 }, ENGINE],
  ["/completions", { model: "infetch-tiny", prompt: "Once", max_tokens: 8, stream: true }, ENGINE],
  ["/responses", { model: "infetch-tiny", input: "Hello", store: false, max_output_tokens: 16 }, ENGINE],
  ["/responses", { model: "infetch-tiny", input: "Hello", store: false, stream: true }, ENGINE],
  ["/embeddings", { model: "infetch-tiny-embed", input: ["Hello", "you"] }, "transformers"],
  ["/chat/completions", { model: "mine", messages: MESSAGES, max_tokens: 8 }, ENGINE],
];

test("whatever answers, its event carries what the ledger holds, and all costs are the invoice", async () => {
  const { runtime, eventOf } = await start({
    billing: {
      pricing: {
        "infetch-tiny": {
          input: "3",
          cachedInput: "0.5",
          output: "7",
          dedicated: { input: "11", output: "13" },
        },
        "infetch-tiny-embed": { embedding: "2" },
      },
    },
  });
  await runtime.deployments.create({ name: "mine", model: "infetch-tiny" });
  let pico = 0;
  for (const [path, body, engine] of KINDS) {
    const response = await post(runtime, path, body);
    expect(response.status).toBe(200);
    await response.text();
    const event = await eventOf(response);
    const usage = await runtime.usage.list();
    const recorded = usage.find(({ requestId }) => requestId === event.requestId)!;
    const isMine = "model" in body && body.model === "mine";
    expect(event).toEqual({
      type: "request",
      requestId: recorded.requestId,
      method: "POST",
      path: recorded.endpoint,
      status: 200,
      durationMs: expect.any(Number),
      outcome: "completed",
      model: recorded.model,
      tier: isMine ? "dedicated" : "serverless",
      ...(isMine ? { deploymentName: "mine" } : {}),
      engine,
      inputTokens: recorded.inputTokens,
      cachedTokens: recorded.cachedTokens,
      outputTokens: recorded.outputTokens,
      reasoningTokens: recorded.reasoningTokens,
      costUsd: expect.any(Number),
    });
    expect(event.costUsd).toBeGreaterThan(0);
    pico += Math.round(event.costUsd * 1e12);
  }
  const headers = { authorization: `Bearer ${runtime.apiKey}` };
  const invoice = await runtime.fetch(`${runtime.baseURL}/billing/invoices/current`, { headers });
  expect(Math.round((await invoice.json()).total * 1e12)).toBe(pico);
  runtime.close();
});

test("failures and aborts: nothing charged, and it says which model, where one was reached", async () => {
  const { runtime, events, eventOf } = await start();
  const [path, body] = KINDS[0]!;
  const unknown = await eventOf(await post(runtime, path, { ...body, model: "unknown" }));
  expect(unknown).toMatchObject({ status: 404, inputTokens: 0, outputTokens: 0, costUsd: 0 });
  expect(unknown).not.toHaveProperty("model");
  const long = { ...body, messages: [{ role: "user", content: "a ".repeat(20_000) }] };
  const refused = await eventOf(await post(runtime, path, long));
  expect(refused).toMatchObject({
    status: 400,
    outcome: "failed",
    model: "infetch-tiny",
    tier: "serverless",
    inputTokens: 0,
    outputTokens: 0,
    costUsd: 0,
  });
  events.length = 0;
  const abort = new AbortController();
  const answer = post(runtime, path, { ...body, max_tokens: 2_000 }, abort.signal);
  abort.abort();
  await expect(answer).rejects.toMatchObject({ name: "AbortError" });
  const late = new AbortController();
  const recorded = new Promise<void>((resolve) => {
    const stop = runtime.on("ledger", () => {
      stop();
      resolve();
    });
  });
  const sent = post(runtime, path, body, late.signal);
  // The response may arrive first; then it is not read yet.
  await recorded;
  late.abort();
  await expect(sent.then((one) => one.json())).rejects.toThrow();
  await expect.poll(() => events.find(({ outcome }) => outcome === "aborted")).toBeDefined();
  expect(events.filter(({ outcome }) => outcome === "aborted")[0]).toMatchObject({
    model: "infetch-tiny",
    tier: "serverless",
    inputTokens: 0,
    outputTokens: 0,
    costUsd: 0,
  });
  await expect.poll(() => runtime.usage.list()).toEqual([]);
  runtime.close();
});

test("without billing the tokens are told, and cost nothing", async () => {
  const { runtime, eventOf } = await start({ billing: false });
  const [path, body] = KINDS[0]!;
  const response = await post(runtime, path, body);
  const { usage } = await response.json();
  expect(await eventOf(response)).toMatchObject({
    inputTokens: usage.prompt_tokens,
    outputTokens: usage.completion_tokens,
    costUsd: 0,
  });
  runtime.close();
});
