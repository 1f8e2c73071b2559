/** The bridge as a process, through the real SDK and plain HTTP. */

import { readFile } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { resolve } from "node:path";
import OpenAI from "openai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Command, startCommand } from "../support/command.ts";

const KEY = "a-key-of-my-own";
const config = resolve(import.meta.dirname, "../fixtures/bridge-options.json");
let bridge: Command;
let baseURL: string;
let openai: OpenAI;

beforeAll(async () => {
  bridge = startCommand("bridge.ts", ["--port", "0", "--key", KEY, "--config", config]);
  const ready = await bridge.waitFor(/^ready (http:\/\/127\.0\.0\.1:\d+\/v1) key=(\S+)\n$/);
  baseURL = ready[1]!;
  expect(ready[2]).toBe(KEY);
  openai = new OpenAI({ apiKey: KEY, baseURL, maxRetries: 0 });
});

afterAll(async () => {
  bridge.process.kill("SIGTERM");
  await bridge.ended;
});

const messages = [{ role: "user" as const, content: "Hello!" }];
const send = (path: string, init: RequestInit = {}, key: string | null = KEY): Promise<Response> =>
  fetch(`${baseURL}${path}`, {
    ...init,
    headers: { ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...init.headers },
  });
const post = (body: string): Promise<Response> => send("/chat/completions", { method: "POST", body });
const errorOf = async (response: Response) =>
  ((await response.json()) as { error: { code: string; type: string; param: string | null } }).error;

test("the real SDK gets a reply", async () => {
  const reply = await openai.chat.completions.create({ model: "infetch-tiny", messages, max_tokens: 8 });
  expect(reply.choices[0]?.message.content).toBeTruthy();
  expect(reply.usage!.total_tokens).toBe(reply.usage!.prompt_tokens + reply.usage!.completion_tokens);
});

test("the real SDK gets a stream, piece by piece", async () => {
  const stream = await openai.chat.completions.create({
    model: "infetch-tiny",
    messages,
    max_tokens: 8,
    stream: true,
    stream_options: { include_usage: true },
  });
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  expect(chunks.length).toBeGreaterThan(3);
  expect(chunks.at(-1)?.usage?.completion_tokens).toBeGreaterThan(0);
});

test("an idle connection stays open longer than in the pools of clients: one that closes first can lose a request", async () => {
  const { headers } = await send("/models");
  const seconds = /timeout=(\d+)/.exec(headers.get("keep-alive") ?? "")?.[1];
  expect(Number(seconds)).toBeGreaterThan(300);
});

test("a request without a key, or with a wrong one, gets the runtime's 401", async () => {
  const missing = await send("/models", {}, null);
  expect([missing.status, missing.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
  expect((await errorOf(missing)).code).toBe("missing_api_key");
  const wrong = await send("/models", {}, `${KEY}x`);
  expect(wrong.status).toBe(401);
  expect((await errorOf(wrong)).code).toBe("invalid_api_key");
});

test("404, 405 and 400 come from the runtime, with a request id", async () => {
  const unknown = await send("/nothing");
  expect([unknown.status, (await errorOf(unknown)).code]).toEqual([404, "unknown_url"]);
  expect(unknown.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  const method = await send("/chat/completions", { method: "DELETE" });
  expect([method.status, method.headers.get("allow")]).toEqual([405, "POST"]);
  const invalid = await post("{");
  expect([invalid.status, (await errorOf(invalid)).code]).toEqual([400, "invalid_json"]);
  const mistyped = await post(JSON.stringify({ model: "infetch-tiny", messages: "hi" }));
  expect([mistyped.status, (await errorOf(mistyped)).param]).toEqual([400, "messages"]);
});

test("a path outside the base is a 404, dots or not, and never a file of the page", async () => {
  for (const path of ["/", "/options.json", "/v1/../index.html", "//127.0.0.1/v1"]) {
    const { status, body } = await rawGet(path);
    expect([path, status]).toEqual([path, 404]);
    expect(JSON.parse(body).error.code).toBe("unknown_url");
  }
});

test("a target that is no URL is a 400, and the bridge lives on", async () => {
  const { status, body } = await rawGet("http://[no-host/v1/models");
  expect([status, JSON.parse(body).error.code]).toEqual([400, "invalid_url"]);
  expect((await send("/models")).status).toBe(200);
});

async function endTokens(): Promise<number[]> {
  const file = resolve(import.meta.dirname, "../../models/tiny-chat/mlc-chat-config.json");
  const chat = JSON.parse(await readFile(file, "utf8")) as { conv_template: { stop_token_ids: number[] } };
  return chat.conv_template.stop_token_ids;
}

function rawGet(path: string): Promise<{ status: number; body: string }> {
  const { port } = new URL(baseURL);
  return new Promise((settle, reject) => {
    httpRequest({ port, host: "127.0.0.1", path }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (text) => {
        body += text;
      });
      response.on("end", () => settle({ status: response.statusCode!, body }));
    })
      .on("error", reject)
      .end();
  });
}

test("a body that is streamed up in pieces arrives whole", async () => {
  const body = JSON.stringify({ model: "infetch-tiny", messages, max_tokens: 2 });
  const pieces = new ReadableStream({
    async start(controller) {
      for (const character of body) {
        controller.enqueue(new TextEncoder().encode(character));
        await new Promise((resume) => setImmediate(resume));
      }
      controller.close();
    },
  });
  const init = { method: "POST", body: pieces, duplex: "half" } as RequestInit;
  expect((await send("/chat/completions", init)).status).toBe(200);
});

test("64 streams at once all end well", async () => {
  const texts = await Promise.all(
    Array.from({ length: 64 }, async () => {
      const response = await post(
        JSON.stringify({ model: "infetch-tiny", messages, max_tokens: 2, stream: true }),
      );
      expect(response.status).toBe(200);
      return response.text();
    }),
  );
  expect(texts.filter((text) => text.endsWith("data: [DONE]\n\n"))).toHaveLength(64);
});

test("clients that disconnect free the engine and the queue for the next", async () => {
  const long = JSON.stringify({
    model: "infetch-tiny",
    messages,
    max_tokens: 4000,
    stream: true,
    // Replies must not end before their clients disconnect.
    logit_bias: Object.fromEntries((await endTokens()).map((token) => [token, -100])),
  });
  const clients = Array.from({ length: 73 }, () => new AbortController());
  const answers = clients.map(({ signal }) =>
    send("/chat/completions", { method: "POST", body: long, signal }).catch(() => undefined),
  );
  // Up to eight run, 64 wait (`maxQueuedRequests`), and one at least is refused: the queue is full.
  const refused = await Promise.race(
    answers.map(async (answer) => {
      const response = await answer;
      return response?.status === 429 ? 429 : new Promise<never>(() => {});
    }),
  );
  expect(refused).toBe(429);
  for (const client of clients) client.abort();
  const short = JSON.stringify({ model: "infetch-tiny", messages, max_tokens: 2 });
  await expect.poll(async () => (await post(short)).status, { timeout: 60_000 }).toBe(200);
});
