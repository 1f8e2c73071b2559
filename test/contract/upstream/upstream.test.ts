/** Forwarded requests, between the real SDK and a real HTTP server. */

import { afterEach, describe, expect, test } from "vitest";
import { closeUpstream, messages, NAME, setUp } from "../../support/upstream-app.ts";
import {
  answerAll,
  sendEvents,
  sendJson,
  startUpstream,
  UPSTREAM_KEY,
} from "../../support/upstream-server.ts";

afterEach(closeUpstream);

const USED = { inputTokens: 11, cachedTokens: 4, outputTokens: 3 };

test.each([true, false])("an answer of the other kind is left at once (stream: %s)", async (stream) => {
  const { send, server } = await setUp((_, response) => {
    response.writeHead(200, { "content-type": stream ? "application/json" : "text/event-stream" });
    response.write(" ");
  });
  const response = await send("/v1/chat/completions", { model: NAME, messages, stream });
  expect(response.status).toBe(502);
  await server.gone;
});

describe("every endpoint", () => {
  test("is answered by the upstream, under the client's name of the model, and metered as it says", async () => {
    const { openai, ledger, server } = await setUp(undefined, { models: [{ id: NAME, model: "org/Big" }] });
    const chat = await openai.chat.completions.create({ model: NAME, messages });
    expect(chat).toMatchObject({ model: NAME, choices: [{ message: { content: "Far away." } }] });
    const text = await openai.completions.create({ model: NAME, prompt: "Hi" });
    expect(text).toMatchObject({ model: NAME, choices: [{ text: "Far away." }] });
    const response = await openai.responses.create({ model: NAME, input: "Hi" });
    expect(response).toMatchObject({ model: NAME, output_text: "Far away." });
    const vectors = await openai.embeddings.create({ model: NAME, input: "Hi", encoding_format: "float" });
    expect(vectors).toMatchObject({ model: NAME, data: [{ embedding: [0.5, 0.25] }] });
    expect(ledger.events()).toMatchObject([
      { tier: "upstream", model: NAME, endpoint: "/v1/chat/completions", ...USED },
      { tier: "upstream", model: NAME, endpoint: "/v1/completions", ...USED },
      { tier: "upstream", model: NAME, endpoint: "/v1/responses", ...USED, reasoningTokens: 1 },
      { tier: "upstream", model: NAME, endpoint: "/v1/embeddings", inputTokens: 7, outputTokens: 0 },
    ]);
    expect(server.seen.map(({ body }) => body.model)).toEqual(Array(4).fill("org/Big"));
    expect(server.seen[2]!.body.store).toBe(false);
  });

  test("gets nothing of the client but its body", async () => {
    const { send, apiKey, server } = await setUp();
    const mine = { cookie: "a=b", "x-mine": "secret" };
    const request = { model: NAME, messages, extra_of_the_upstream: 1 };
    const answer = await send("/v1/chat/completions", request, mine);
    expect(answer.headers.get("x-infetch-engine")).toBe("upstream");
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    const [seen] = server.seen;
    expect(seen!.headers.authorization).toBe(`Bearer ${UPSTREAM_KEY}`);
    expect(seen!.headers.cookie).toBeUndefined();
    expect(seen!.headers["x-mine"]).toBeUndefined();
    expect(JSON.stringify(seen)).not.toContain(apiKey);
    expect(seen!.body.extra_of_the_upstream).toBe(1);
  });

  test("streams through; the usage that was asked for on the side is not shown", async () => {
    const { openai, ledger, server, send } = await setUp();
    let said = "";
    for await (const chunk of await openai.chat.completions.create({ model: NAME, messages, stream: true })) {
      expect(chunk.model).toBe(NAME);
      expect(chunk).not.toHaveProperty("usage");
      said += chunk.choices[0]!.delta.content ?? "";
    }
    expect(said).toBe("Far away.");
    expect(server.seen[0]!.body.stream_options).toEqual({ include_usage: true });
    expect(ledger.events()).toMatchObject([
      { tier: "upstream", stream: true, outcome: "completed", ...USED },
    ]);
    const asked = await send("/v1/completions", {
      model: NAME,
      prompt: "Hi",
      stream: true,
      stream_options: { include_usage: true },
    });
    const lines = (await asked.text()).trim().split("\n\n");
    expect(JSON.parse(lines.at(-2)!.slice(6))).toMatchObject({ choices: [], usage: { prompt_tokens: 11 } });
    expect(lines.at(-1)).toBe("data: [DONE]");
  });

  test("streams responses through, to their own end", async () => {
    const { openai, ledger } = await setUp();
    const types: string[] = [];
    for await (const event of await openai.responses.create({ model: NAME, input: "Hi", stream: true })) {
      types.push(event.type);
      if ("response" in event) expect(event.response.model).toBe(NAME);
    }
    expect(types).toEqual(["response.created", "response.output_text.delta", "response.completed"]);
    expect(ledger.events()).toMatchObject([{ endpoint: "/v1/responses", outcome: "completed", ...USED }]);
  });
});

describe("which requests are forwarded", () => {
  test("those that are named, and no other", async () => {
    const { send, server } = await setUp(undefined, { models: [NAME, "plain"] });
    expect((await send("/v1/chat/completions", { model: "infetch-tiny", messages })).status).toBe(200);
    expect((await send("/v1/chat/completions", { model: "unknown", messages })).status).toBe(404);
    expect(server.seen).toEqual([]);
    await send("/v1/chat/completions", { model: "plain", messages });
    expect(server.seen.map(({ body }) => body.model)).toEqual(["plain"]);
  });

  test("with '*', everything that is not here, and what this device cannot run", async () => {
    const able = await setUp(undefined, { models: ["*"] });
    await able.send("/v1/chat/completions", { model: "infetch-tiny", messages });
    expect(able.server.seen).toEqual([]);
    await able.send("/v1/chat/completions", { model: "org/Anything", messages });
    expect(able.server.seen.map(({ body }) => body.model)).toEqual(["org/Anything"]);
    await able.server.close();
    const unable = await setUp(undefined, { models: "*" }, false);
    await unable.send("/v1/chat/completions", { model: "infetch-tiny", messages });
    expect(unable.server.seen.map(({ body }) => body.model)).toEqual(["infetch-tiny"]);
  });

  test("the list of models shows those that are named", async () => {
    const { get } = await setUp(undefined, { models: [NAME, "plain", "*"] });
    const { data } = await (await get("/v1/models")).json();
    expect(data.map(({ id }: { id: string }) => id)).toEqual([
      "infetch-tiny",
      "infetch-tiny-embed",
      NAME,
      "plain",
    ]);
    const one = await (await get(`/v1/models/${NAME}`)).json();
    expect(one).toEqual({
      id: NAME,
      object: "model",
      created: 7,
      owned_by: "upstream",
      infetch: { engine: "upstream", tier: "upstream" },
    });
  });

  test("a body that is no JSON is a 400, and responses are never stored", async () => {
    const { send, server } = await setUp();
    expect((await send("/v1/chat/completions", "{")).status).toBe(400);
    expect((await send("/v1/responses", { model: NAME, input: "Hi", store: true })).status).toBe(400);
    expect(server.seen).toEqual([]);
  });
});

describe("what an upstream does wrong", () => {
  const failures: [string, Parameters<typeof startUpstream>[0], number, string][] = [
    [
      "a status of its own",
      (_, to) => sendJson(to, 503, { error: { message: "secret" } }),
      502,
      "upstream_error",
    ],
    ["a wrong key of ours", (_, to) => sendJson(to, 401, {}), 502, "upstream_authentication_failed"],
    ["a forbidden key of ours", (_, to) => sendJson(to, 403, {}), 502, "upstream_authentication_failed"],
    [
      "a page",
      (_, to) => to.writeHead(200, { "content-type": "text/html" }).end("<p>"),
      502,
      "upstream_invalid_response",
    ],
    ["an answer that is no object", (_, to) => sendJson(to, 200, [1]), 502, "upstream_invalid_response"],
    [
      "an object that is no reply",
      (_, to) => sendJson(to, 200, { choices: "no" }),
      502,
      "upstream_invalid_response",
    ],
    [
      "an answer cut in the middle",
      (_, to) => void to.writeHead(200, { "content-length": 100 }).write("{", () => to.destroy()),
      502,
      "upstream_invalid_response",
    ],
    [
      "another address",
      (_, to) => to.writeHead(302, { location: "/v1/elsewhere" }).end(),
      502,
      "upstream_unreachable",
    ],
    ["no answer at all", (_, to) => to.destroy(), 502, "upstream_unreachable"],
    [
      "its own 404",
      (_, to) => sendJson(to, 404, { error: { message: "No such model", code: "model_not_found" } }),
      404,
      "model_not_found",
    ],
    [
      "its own 400 with a number as code",
      (_, to) => sendJson(to, 400, { error: { message: "Bad", code: 400 } }),
      400,
      "400",
    ],
    ["its own 422 without a body", (_, to) => to.writeHead(422).end(), 422, "upstream_refused"],
  ];
  test.each(failures)("%s is told as such, and costs nothing", async (_what, answer, status, code) => {
    const { send, ledger } = await setUp(answer);
    const response = await send("/v1/chat/completions", { model: NAME, messages });
    expect(response.status).toBe(status);
    const { error } = await response.json();
    expect(error).toEqual({
      message: expect.any(String),
      type: status === 502 ? "server_error" : "invalid_request_error",
      param: null,
      code,
    });
    expect(error.message).not.toMatch(/secret/);
    expect(ledger.events()).toEqual([]);
  });

  test("a redirect is not followed: the other server is asked nothing, and gets no key", async () => {
    const other = await startUpstream();
    try {
      for (const status of [301, 302, 303, 307, 308]) {
        const { send, server, ledger } = await setUp((_, to) =>
          to.writeHead(status, { location: `${other.baseURL}/chat/completions` }).end(),
        );
        const response = await send("/v1/chat/completions", { model: NAME, messages });
        expect(response.status).toBe(502);
        expect((await response.json()).error.code).toBe("upstream_unreachable");
        expect(server.seen).toHaveLength(1);
        expect(ledger.events()).toEqual([]);
        await server.close();
      }
      expect(other.seen).toEqual([]);
    } finally {
      await other.close();
    }
  });

  test("its 429 keeps the time to wait, which the SDK obeys", async () => {
    let calls = 0;
    const { openai } = await setUp((request, response) =>
      ++calls === 1
        ? sendJson(response, 429, { error: { message: "Slow down" } }, { "retry-after": "0" })
        : answerAll(request, response),
    );
    const retrying = openai.withOptions({ maxRetries: 1 });
    expect((await retrying.chat.completions.create({ model: NAME, messages })).model).toBe(NAME);
    expect(calls).toBe(2);
  });

  test("a stream that breaks off ends with an error; the pieces that came are recorded", async () => {
    const piece = (content: string) =>
      `data: {"model":"x","choices":[{"index":0,"delta":{"content":"${content}"}}]}`;
    for (const last of [[], ["data: {broken"], ["data: null"]]) {
      const cut = last.length === 0;
      let end = (): void => {};
      const { openai, ledger, server } = await setUp((_, to) => {
        end = () => void to.destroy();
        sendEvents(to, [piece("Far"), piece(" away"), ...last], !cut);
      });
      let said = "";
      const reading = (async () => {
        for await (const chunk of await openai.chat.completions.create({
          model: NAME,
          messages,
          stream: true,
        })) {
          said += chunk.choices[0]!.delta.content;
          if (cut && said === "Far away") end();
        }
      })();
      await expect(reading).rejects.toMatchObject({ code: "upstream_stream_cut" });
      expect(said).toBe("Far away");
      expect(ledger.events()).toMatchObject([{ outcome: "failed", outputTokens: 2, tier: "upstream" }]);
      await server.close();
    }
  });

  test("a stream without its end is no whole answer, also of a response", async () => {
    const delta = `data: {"type":"response.output_text.delta","sequence_number":1,"delta":"Far"}`;
    const { openai, ledger } = await setUp((_, to) => sendEvents(to, [delta]));
    const events: object[] = [];
    for await (const event of await openai.responses.create({ model: NAME, input: "Hi", stream: true }))
      events.push(event);
    expect(events.at(-1)).toMatchObject({ type: "error", code: "upstream_stream_cut", sequence_number: 2 });
    expect(ledger.events()).toMatchObject([{ outcome: "failed", outputTokens: 1 }]);
  });

  test("its own error in a stream is passed on", async () => {
    const { openai } = await setUp((_, to) =>
      sendEvents(to, [`data: {"error":{"message":"Out of memory","type":"server_error","code":"oom"}}`]),
    );
    const reading = (async () => {
      for await (const _ of await openai.chat.completions.create({ model: NAME, messages, stream: true }));
    })();
    await expect(reading).rejects.toMatchObject({ code: "oom" });
  });
});

test("a client that leaves takes the upstream's work with it, and pays what it was sent", async () => {
  const piece = `data: {"model":"x","choices":[{"index":0,"delta":{"content":"Far"}}]}`;
  const { openai, ledger, server } = await setUp((_, to) => {
    to.writeHead(200, { "content-type": "text/event-stream" });
    to.write(`${piece}\n\n`);
  });
  for await (const _ of await openai.chat.completions.create({ model: NAME, messages, stream: true })) break;
  await server.gone;
  await expect.poll(() => ledger.events()).toMatchObject([{ outcome: "aborted", outputTokens: 1 }]);
});
