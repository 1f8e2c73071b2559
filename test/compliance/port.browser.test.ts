import { joinServer, startServer } from "infetch/port";
import { afterAll, beforeAll, expect, test } from "vitest";
import { joinBareServer, type Page, startBareServer } from "./support/bare-server.ts";

let server: Worker;
let page: Page;

beforeAll(async () => {
  server = startBareServer();
  page = await joinBareServer(server);
});

afterAll(() => server.terminate());

const messages = [{ role: "user", content: "Hello!" }];

test("the hello is answered with the server's lock", async () => {
  expect(page.reply).toEqual({ ok: true, value: { serverLock: expect.any(String) } });
  const { held } = await navigator.locks.query();
  expect(held?.map(({ name }) => name)).toContain(page.reply.ok && page.reply.value.serverLock);
});

test("a page of another version is refused by name", async () => {
  const { reply } = await joinBareServer(server, { protocolVersion: 0 });
  expect(reply).toMatchObject({
    ok: false,
    error: {
      name: "ProtocolVersionError",
      code: "protocol_version",
      message: expect.stringContaining("reload"),
    },
  });
});

test("a page with other options is refused by name", async () => {
  const { reply } = await joinBareServer(server, { optionsJSON: "{}" });
  expect(reply).toMatchObject({
    ok: false,
    error: { name: "RuntimeOptionsConflictError", code: "runtime_options_conflict" },
  });
});

test("fetch gives a real Response", async () => {
  const headers = { authorization: `Bearer ${page.apiKey}` };
  const response = await page.remote.fetch(new Request("https://any.example/v1/models", { headers }));
  expect(response).toBeInstanceOf(Response);
  expect(response.status).toBe(200);
  expect(response.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  expect(await response.json()).toMatchObject({ object: "list" });
});

test("another base is served as /v1", async () => {
  const other = await joinBareServer(server, { basePath: "/ai/v2" });
  const headers = { authorization: `Bearer ${other.apiKey}` };
  const models = new Request("https://any.example/ai/v2/models", { headers });
  expect((await other.remote.fetch(models)).status).toBe(200);
  expect(
    (await other.remote.fetch(new Request("https://any.example/ai/v20/models", { headers }))).status,
  ).toBe(404);
});

test("a page whose base is the root of an origin is served", async () => {
  const other = await joinBareServer(server, { basePath: "" });
  const headers = { authorization: `Bearer ${other.apiKey}` };
  expect((await other.remote.fetch(new Request("https://any.example/models", { headers }))).status).toBe(200);
});

test("20 MB of request body arrive whole", async () => {
  const content = "x".repeat(20 * 1024 * 1024);
  const response = await page.chat({ model: "no-such-model", messages: [{ role: "user", content }] });
  expect(response.status).toBe(404);
  expect((await response.json()).error.message).toContain("no-such-model");
});

test("the events of a chat stream in the order that OpenAI gives them", async () => {
  const response = await page.chat({
    messages,
    max_tokens: 4,
    stream: true,
    stream_options: { include_usage: true },
  });
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toContain("text/event-stream");
  let text = "";
  let parts = 0;
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    text += next.value;
    parts += 1;
  }
  expect(parts).toBeGreaterThan(1);
  const events = text.trim().split("\n\n");
  expect(events.at(-1)).toBe("data: [DONE]");
  const chunks = events.slice(0, -1).map((event) => JSON.parse(event.replace("data: ", "")));
  expect(chunks[0].choices[0].delta.role).toBe("assistant");
  expect(chunks.at(-1).usage.completion_tokens).toBeLessThanOrEqual(4);
});

test("a page that is gone: its stream ends, its key is forgotten, the engine is free", async () => {
  const frame = document.body.appendChild(document.createElement("iframe"));
  const dying = await joinBareServer(server, {}, frame.contentWindow!.navigator.locks);
  const response = await dying.chat({ messages, n: 100, max_tokens: 100, temperature: 1, stream: true });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  await reader.read();
  const waiting = page.chat({ messages, max_tokens: 2 });
  frame.remove();
  let text = "";
  for (let next = await reader.read(); !next.done; next = await reader.read()) text += next.value;
  expect(text).not.toContain("[DONE]");
  expect((await waiting).status).toBe(200);
  const headers = { authorization: `Bearer ${dying.apiKey}` };
  const late = await page.remote.fetch(new Request("https://any.example/v1/models", { headers }));
  expect(late.status).toBe(401);
});

const start = () =>
  startServer({ assetsURL: "/package/", storageName: crypto.randomUUID(), keepAliveMs: -1, billing: false });

test("startServer() and joinServer() need no message of the protocol", async () => {
  const started = await start();
  const types: string[] = [];
  const first = await joinServer(started.openPort(), { onEvent: ({ type }) => void types.push(type) });
  const other = await joinServer(started.openPort(), { basePath: "/ai/v2/" });
  const models = (url: string, { remote, apiKey }: typeof first) =>
    remote.fetch(new Request(url, { headers: { authorization: `Bearer ${apiKey}` } }));
  expect((await models("https://any.example/v1/models", first)).status).toBe(200);
  expect((await models("https://any.example/ai/v2/models", other)).status).toBe(200);
  expect(await first.remote.keys.list()).toMatchObject({ ok: true });
  await expect.poll(() => types).toContain("request");
  other.close();
  expect((await models("https://any.example/v1/models", first)).status).toBe(200);
  started.close();
  await first.lost;
});

test("startServer() refuses unknown options and says which file does not load", async () => {
  await expect(startServer({ modelURL: "/models/" } as never)).rejects.toThrow("'modelsURL'");
  await expect(startServer({ assetsURL: "/package/nowhere/" })).rejects.toMatchObject({
    code: "assets_not_found",
  });
});
