import { createRuntime, type RuntimeOptions } from "infetch";
import OpenAI, { toFile } from "openai";
import { afterEach, beforeEach, describe, expect, type Mock, test, vi } from "vitest";
import { echo, type PageServer, startRuntime } from "./support/page-server.ts";

const realFetch = globalThis.fetch;
/** Recreated for each test. */
let outside: Mock<typeof fetch>;
let started: PageServer | undefined;

beforeEach(() => {
  outside = vi.fn<typeof fetch>(async () => new Response("outside"));
});

afterEach(() => {
  started?.runtime.close();
  globalThis.fetch = realFetch;
});

async function start(options: RuntimeOptions = {}): Promise<PageServer> {
  // The page fetches its worker's script if the worker is slow to start.
  globalThis.fetch = (...request) =>
    String(request[0]).endsWith("/worker/server.js") ? realFetch(...request) : outside(...request);
  started = await startRuntime(echo, options);
  return started;
}

/** The URL as the runtime received it; undefined if the runtime did not answer. */
async function answeredURL(server: PageServer, input: string): Promise<string | undefined> {
  const response = await server.runtime.fetch(input);
  return response.headers.has("x-echo") ? (await response.json()).url : undefined;
}

const here = location.origin;

describe("baseURL", () => {
  test.each([
    [undefined, `${here}/v1`, "/v1"],
    ["/ai/v1", `${here}/ai/v1`, "/ai/v1"],
    [`${here}/v1/`, `${here}/v1`, "/v1"],
    [`${here}/v1///?q=1#part`, `${here}/v1`, "/v1"],
    [new URL("https://api.example/v1/"), "https://api.example/v1", "/v1"],
    ["https://api.example:8443/a/b/v1", "https://api.example:8443/a/b/v1", "/a/b/v1"],
    ["https://api.example", "https://api.example", ""],
  ])("%s", async (option, baseURL, basePath) => {
    const server = await start(option === undefined ? {} : { baseURL: option });
    expect(server.runtime.baseURL).toBe(baseURL);
    expect(server.hello?.basePath).toBe(basePath);
    expect(await answeredURL(server, `${baseURL}/models`)).toBe(`${baseURL}/models`);
    expect(await answeredURL(server, "https://other.example/v1/models")).toBeUndefined();
  });

  test.each(["http://", "https://[x/"])("%s does not parse", async (baseURL) => {
    await expect(createRuntime({ baseURL })).rejects.toThrow(TypeError);
  });
});

describe("only the base and what lies below it is answered", () => {
  test.each([
    "/v1",
    "/v1/",
    "/v1?a=1",
    "/v1#part",
    "/v1/x",
    "/v1//x",
    "/v1/x/../y",
    "/../v1/x",
    "/v1/%2e%2e/v1/x",
  ])("%s is", async (path) => {
    expect(await answeredURL(await start(), path)).toBe(new URL(path, here).href);
    expect(outside).not.toHaveBeenCalled();
  });

  test.each([
    "/v10",
    "/v1x/models",
    "/v1/../x",
    "/v1/%2e%2e/x",
    "/V1/models",
    "/v1%2Fmodels",
    "/",
    "http://other.example/v1/models",
    `https://${location.host}/v1/models`,
    `data:text/plain,${here}/v1`,
    "blob:null/v1/",
  ])("%s is not", async (path) => {
    expect(await answeredURL(await start(), path)).toBeUndefined();
    expect(outside).toHaveBeenCalledTimes(1);
  });
});

describe("every other address goes to the real fetch", () => {
  test("with the same arguments, by identity, and its own answer", async () => {
    const { runtime } = await start();
    const answer = new Response("mine");
    outside.mockResolvedValueOnce(answer);
    const input = new Request("https://other.example/v1/models");
    const init = { headers: { a: "1" }, signal: new AbortController().signal };
    expect(await runtime.fetch(input, init)).toBe(answer);
    expect(outside.mock.lastCall?.[0]).toBe(input);
    expect(outside.mock.lastCall?.[1]).toBe(init);
    expect(input.bodyUsed).toBe(false);
  });

  test("a lone argument stays alone", async () => {
    const { runtime } = await start();
    const url = new URL("https://other.example/");
    await runtime.fetch(url);
    expect(outside.mock.lastCall).toHaveLength(1);
    expect(outside.mock.lastCall?.[0]).toBe(url);
  });

  test("its rejection is the caller's", async () => {
    const { runtime } = await start();
    const error = new TypeError("offline");
    outside.mockRejectedValueOnce(error);
    await expect(runtime.fetch("https://other.example/")).rejects.toBe(error);
  });

  test("also when the page made runtime.fetch its global one", async () => {
    const { runtime } = await start();
    globalThis.fetch = runtime.fetch;
    expect(await (await fetch("https://other.example/")).text()).toBe("outside");
    expect(outside).toHaveBeenCalledTimes(1);
  });

  test.each(["http://", "https://[x/", "//"])("%s is rejected as the real one does", async (input) => {
    const server = await startRuntime(echo);
    const real = await realFetch(input).catch((error) => error);
    const ours = await server.runtime.fetch(input).catch((error) => error);
    server.runtime.close();
    expect(real).toBeInstanceOf(TypeError);
    expect(ours).toBeInstanceOf(TypeError);
    expect(ours.message).toBe(real.message);
  });
});

test("a file that OpenAI's SDK sends asks no other address", async () => {
  const { runtime } = await start();
  const { apiKey, baseURL, fetch } = runtime;
  const openai = new OpenAI({ apiKey, baseURL, fetch, dangerouslyAllowBrowser: true });
  await openai.files.create({ file: await toFile(new Blob(["{}"]), "a.jsonl"), purpose: "batch" });
  expect(outside).not.toHaveBeenCalled();
});
