/** What a client sees when the upstream refuses or fails, seen through the real SDK. */

import { afterEach, expect, test, vi } from "vitest";
import { Upstream } from "../../../worker/endpoints/upstream/upstream.ts";
import { closeUpstream, messages, NAME, setUp } from "../../support/upstream-app.ts";
import { sendJson, UPSTREAM_KEY } from "../../support/upstream-server.ts";

afterEach(closeUpstream);

const request = { model: NAME, messages };

/** Answers every request with a failure, and sends one. */
async function refused(status: number, body: unknown, headers: Record<string, string> = {}) {
  const test = await setUp((_, to) => sendJson(to, status, body, headers));
  const response = await test.send("/v1/chat/completions", request);
  return { ...test, response, error: (await response.json()).error };
}

test("where its headers forbid it, the SDK sends nothing again, and it sees the error's own type", async () => {
  const error = {
    message: "Buy credits.",
    type: "insufficient_quota",
    code: "insufficient_quota",
    param: null,
  };
  const { openai, server } = await setUp((_, to) =>
    sendJson(to, 429, { error }, { "x-should-retry": "false" }),
  );
  const asked = openai.withOptions({ maxRetries: 2 }).chat.completions.create(request);
  await expect(asked).rejects.toMatchObject({ status: 429, type: "insufficient_quota", error });
  expect(server.seen).toHaveLength(1);
});

const WAITS = { "x-should-retry": "true", "retry-after": "7", "retry-after-ms": "6500" };

test.each([
  [429, 429],
  [400, 400],
  [503, 502],
  [500, 502],
  [401, 502],
])("of its %i, a %i here, the headers that steer retries are kept, and no other", async (sent, status) => {
  const { response } = await refused(sent, {}, { ...WAITS, "x-internal": "1" });
  expect(response.status).toBe(status);
  for (const [name, value] of Object.entries(WAITS)) expect(response.headers.get(name)).toBe(value);
  expect(response.headers.has("x-internal")).toBe(false);
});

test.each([401, 500])("a %i is answered before its text, which is not shown, has ended", async (status) => {
  const { send, server } = await setUp((_, to) => void to.writeHead(status).write("{"));
  expect((await send("/v1/chat/completions", request)).status).toBe(502);
  await server.gone;
});

/** One that is never read to its end. @param onEnd called once the rest is refused */
function answerOf(bytes: number, status: number, onEnd: () => void): Response {
  const pull = (body: ReadableStreamDefaultController): void =>
    body.enqueue(new Uint8Array(bytes).fill(32, 0, 8));
  const cancel = async (): Promise<never> => {
    onEnd();
    throw new Error("It was lost meanwhile.");
  };
  return new Response(new ReadableStream({ pull, cancel }, { highWaterMark: 0 }), { status });
}

test.each([
  [200, 257, 502, "upstream_invalid_response", "is longer than 256 MiB"],
  [400, 2, 400, "upstream_refused", "refused the request with status 400"],
])("a %i without an end is read no further than its limit", async (sent, mebibytes, status, code, why) => {
  const { services, send } = await setUp();
  const refused = vi.fn();
  const fetch = async () => answerOf(mebibytes * 2 ** 20, sent, refused);
  const options = { baseURL: "https://up.test/v1", apiKey: "key", models: [NAME] };
  services.upstream = new Upstream(options, { fetch, canRun: async () => true, created: 7 });
  const response = await send("/v1/chat/completions", request);
  const { error } = await response.json();
  expect([response.status, error.code]).toEqual([status, code]);
  expect(error.message).toContain(why);
  expect(refused).toHaveBeenCalledOnce();
});

test("without such headers it adds none", async () => {
  const { response } = await refused(503, {});
  for (const name of Object.keys(WAITS)) expect(response.headers.has(name)).toBe(false);
});

const OWN = "The upstream server refused the request with status 422.";
const deep = (depth: number) => JSON.parse(`${"[".repeat(depth)}${"]".repeat(depth)}`);

test.each<[what: string, body: unknown, message: string, rest?: object]>([
  ["an error that is a text", { error: "model is loading" }, "model is loading"],
  [
    "an error of older vLLM",
    { object: "error", message: "Too long.", type: "BadRequestError", param: "messages", code: 400 },
    "Too long.",
    { type: "BadRequestError", param: "messages", code: "400" },
  ],
  ["a detail that is a text", { detail: "Not here." }, "Not here."],
  [
    "a detail of FastAPI",
    { detail: [{ loc: ["body"], msg: "missing" }] },
    '[{"loc":["body"],"msg":"missing"}]',
  ],
  ["a message beside an error without one", { error: { code: "x" }, message: "Why" }, "Why", { code: "x" }],
  [
    "an error in full",
    { error: { message: "A", type: "t", param: "p", code: "c" }, message: "B", detail: "C" },
    "A",
    { type: "t", param: "p", code: "c" },
  ],
  ["values of other types", { error: 5, message: {}, detail: null, type: 7 }, OWN],
  ["a text alone", "no", OWN],
  ["nothing", null, OWN],
])("a body with %s keeps its message", async (_, body, message, rest = {}) => {
  const { error } = await refused(422, body);
  const plain = { type: "invalid_request_error", param: null, code: "upstream_refused" };
  expect(error).toEqual({ message, ...plain, ...rest });
});

test("a long detail is shortened; a deep one is a message or none, never a failure here", async () => {
  expect((await refused(422, { detail: "x".repeat(100_000) })).error.message).toBe("x".repeat(1000));
  await closeUpstream();
  const { error, response } = await refused(422, { detail: deep(3000) });
  expect([response.status, error.message]).toEqual([422, "[".repeat(1000)]);
  await closeUpstream();
  const text = `{"detail":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
  const { send } = await setUp((_, to) => to.writeHead(422).end(text));
  expect((await send("/v1/chat/completions", request)).status).toBe(422);
});

test("what it says of its own failures and of the key stays hidden", async () => {
  for (const status of [401, 403, 500, 503]) {
    const secret = { error: "secret", message: "secret", detail: "secret", type: "secret" };
    const { error } = await refused(status, secret);
    expect(error.type).toBe("server_error");
    expect(JSON.stringify(error)).not.toContain("secret");
    await closeUpstream();
  }
});

test("its key is left out of what it says of a refusal", async () => {
  const body = { error: { message: `No '${UPSTREAM_KEY}' here.`, param: UPSTREAM_KEY, code: UPSTREAM_KEY } };
  const { error } = await refused(422, body);
  expect(error).toMatchObject({ message: "No '***' here.", param: "***", code: "***" });
});

test("also of an error in a stream, and in a response that failed", async () => {
  const error = { message: `No '${UPSTREAM_KEY}' here.`, code: "server_error" };
  const sent = JSON.stringify({ error, choices: [] });
  const failed = { status: "failed", error, output: [] };
  const { send } = await setUp(async ({ path, body }, to) => {
    if (path === "/v1/responses" && !body.stream) return sendJson(to, 200, failed);
    to.writeHead(200, { "content-type": "text/event-stream" });
    if (path !== "/v1/responses") to.end(`data: ${sent}\n\n`);
    else
      to.end(
        `event: response.failed\ndata: ${JSON.stringify({ type: "response.failed", response: failed })}\n\n`,
      );
  });
  const texts = await Promise.all([
    send("/v1/chat/completions", { ...request, stream: true }),
    send("/v1/responses", { model: NAME, input: "Hi", stream: true }),
    send("/v1/responses", { model: NAME, input: "Hi" }),
  ]).then((responses) => Promise.all(responses.map((response) => response.text())));
  for (const text of texts) {
    expect(text).toContain("No '***' here.");
    expect(text).not.toContain(UPSTREAM_KEY);
  }
});

test("a key that is a word, as servers at home take any, stays where it is a word", async () => {
  const answer: Parameters<typeof setUp>[0] = (_, to) =>
    to.writeHead(404).end(JSON.stringify({ error: "model 'ollama-x' not found" }));
  const { send } = await setUp(answer, { apiKey: "ollama" });
  const response = await send("/v1/chat/completions", request);
  expect((await response.json()).error.message).toBe("model 'ollama-x' not found");
});
