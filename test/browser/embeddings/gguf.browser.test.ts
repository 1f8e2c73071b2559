/** GGUF embedding models, which llama.cpp runs, against plain arithmetic on the same weights. */

import { createRuntime, type Runtime } from "infetch";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  BERT_TOKENS,
  CLS,
  END,
  pooled,
  QWEN_TOKENS,
  SEP,
  tinyBert,
  tinyQwen,
} from "../../support/gguf/tiny-encoders.ts";
import { finished, resultsOf, submit } from "../batches/support/batch.ts";
import { freshLedgerName } from "../billing/support/frames.ts";
import { chat, deploy } from "../llamacpp/support/gguf-runtime.ts";
import { openaiFor, post } from "../support/runtime.ts";

const REPOSITORY = "acme/infetch-tiny-GGUF";
/** The options have an entry for its name on the hub. */
const RULED = "acme/ruled-GGUF";
const bert = tinyBert();
const qwen = tinyQwen();
const idsOf = (tokens: readonly string[], ...words: string[]) => words.map((word) => tokens.indexOf(word));
const HELLO_PARCEL = [CLS, ...idsOf(BERT_TOKENS, "▁hello", "▁parcel", "▁?"), SEP];

let runtime: Runtime;

beforeAll(async () => {
  const row = { kind: "embedding", hubId: REPOSITORY } as const;
  runtime = await createRuntime({
    storageName: freshLedgerName(),
    hub: { url: "/gguf-hub/" },
    models: [
      {
        ...row,
        id: "prefixed",
        file: "tiny-bert.gguf",
        prefixes: { query: "query: ", document: "" },
        shortestDimensions: 16,
      },
      { ...row, id: "as-cls", file: "pools-nothing.gguf", pooling: "cls", normalize: false },
      { ...row, id: "as-network", file: "tiny-bert.gguf", pooling: "sentence_embedding" },
      { ...row, id: "by-address", url: `/gguf-hub/${REPOSITORY}/resolve/main/`, file: "tiny-bert.gguf" },
      { kind: "embedding", id: RULED, file: "tiny-bert.gguf", maxTokens: 8 },
    ],
  });
});
afterAll(() => runtime.close());

async function embed(body: object) {
  const response = await post(runtime, "/embeddings", body);
  const { data, usage, error } = await response.json();
  const vectors = data?.map(({ embedding }: { embedding: number[] }) => embedding) as number[][];
  return { status: response.status, headers: response.headers, vectors, usage, error };
}

/** llama.cpp computes GELU by a table of half precision. */
function expectVector(actual: readonly number[], expected: readonly number[]): void {
  expect(actual).toHaveLength(expected.length);
  const most = Math.hypot(...expected) / 2_000;
  for (const [at, value] of actual.entries()) expect(Math.abs(value - expected[at]!)).toBeLessThan(most);
}

async function described(model: string) {
  const headers = { authorization: `Bearer ${runtime.apiKey}` };
  return (await (await runtime.fetch(`${runtime.baseURL}/models/${model}`, { headers })).json()).infetch;
}

test("a deployment's file is recognised by its metadata, and its vectors are those of its weights", async () => {
  const engines: unknown[] = [];
  runtime.on("request", ({ path, engine }) => path.endsWith("/embeddings") && engines.push(engine));
  // Its name does not tell the kind.
  const model = await deploy(runtime, "tiny-bert.gguf");
  const answer = await embed({ model, input: ["Hello parcel?", "the world", "hello parcel?"] });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("x-infetch-engine")).toBe("llamacpp; device=wasm; dtype=f32");
  expect(answer.usage).toEqual({ prompt_tokens: 14, total_tokens: 14 });
  const world = [CLS, ...idsOf(BERT_TOKENS, "▁the", "▁world"), SEP];
  expectVector(answer.vectors[0]!, pooled(bert.states(HELLO_PARCEL), "mean"));
  expectVector(answer.vectors[1]!, pooled(bert.states(world), "mean"));
  expect(answer.vectors[2]).toEqual(answer.vectors[0]);
  expect(await described(model)).toMatchObject({
    engine: "llamacpp",
    engines: ["llamacpp"],
    tier: "dedicated",
    context_window: 128,
    pooling: "mean",
    normalized: true,
    dimensions: 64,
    dtype: "f32",
    device: "wasm",
    abilities: { tools: false },
  });
  const [event] = await runtime.usage.list({ limit: 1 });
  expect(event).toMatchObject({ model: REPOSITORY, endpoint: "/v1/embeddings", inputTokens: 14 });
  await expect.poll(() => engines).toEqual(["llamacpp"]);
});

test("tokens take the place of a text, with the model's own around them", async () => {
  const model = "prefixed";
  const [text, tokens] = [
    await embed({ model, input: "hello parcel?" }),
    await embed({ model, input: [HELLO_PARCEL.slice(1, -1)] }),
  ];
  expect(tokens.vectors).toEqual(text.vectors);
  expect(tokens.usage).toEqual({ prompt_tokens: 5, total_tokens: 5 });
  expect((await embed({ model, input: [[BERT_TOKENS.length]] })).error).toMatchObject({
    code: "invalid_value",
    message: expect.stringContaining(`vocabulary of ${BERT_TOKENS.length} tokens`),
  });
});

test("prefixes, shorter vectors and base64 are as for ONNX models", async () => {
  const model = "prefixed";
  const query = await embed({ model, input: "hello", input_type: "query" });
  expect(query.vectors).toEqual((await embed({ model, input: "query: hello" })).vectors);
  const { vectors } = await embed({ model, input: "hello", dimensions: 16 });
  const full = pooled(bert.states([CLS, ...idsOf(BERT_TOKENS, "▁hello"), SEP]), "mean").slice(0, 16);
  expectVector(
    vectors[0]!,
    full.map((value) => value / Math.hypot(...full)),
  );
  expect((await embed({ model, input: "hello", dimensions: 15 })).status).toBe(400);
  const { data } = await (
    await post(runtime, "/embeddings", { model, input: "hello", encoding_format: "base64" })
  ).json();
  expect(atob(data[0].embedding)).toHaveLength(64 * 4);
});

test("the last token is pooled, after the end that llama.cpp adds, up to the whole context", async () => {
  const model = await deploy(runtime, "tiny-qwen-embedding.gguf");
  expect(await described(model)).toMatchObject({ engine: "llamacpp", pooling: null });
  const tokens = Array.from({ length: 510 }, (_, at) => (at * 7) % 90);
  const { vectors, usage } = await embed({ model, input: [tokens, [5, 6]] });
  expect(usage.prompt_tokens).toBe(511 + 3);
  expectVector(vectors[0]!, pooled(qwen.states([...tokens, END]), "last"));
  expectVector(vectors[1]!, pooled(qwen.states([5, 6, END]), "last"));
  const text = await embed({ model, input: "par the" });
  const ids = [...idsOf(QWEN_TOKENS, "par", "Ġthe"), END];
  expectVector(text.vectors[0]!, pooled(qwen.states(ids), "last"));
  const { error } = await embed({ model, input: [[5], [...tokens, 5]] });
  expect(error).toMatchObject({ code: "context_length_exceeded", param: "input[1]" });
  expect(error.message).toContain("is 511 tokens, however you requested 512 tokens");
});

test.each([
  ["as-cls", 200, undefined],
  ["by-address", 200, undefined],
  ["as-network", 400, "unsupported_model"],
])("the option %s is answered with %i %s", async (model, status, code) => {
  const answer = await embed({ model, input: "hello parcel?" });
  expect(answer).toMatchObject({ status, ...(code ? { error: { code } } : {}) });
  if (model === "as-cls") {
    // Not normalized, as the option says.
    expectVector(answer.vectors[0]!, Array.from(bert.states(HELLO_PARCEL)[0]!));
  }
});

test.each([
  ["reranker.gguf", 400, "unsupported_model", "reranker (bert)"],
  ["pools-nothing.gguf", 400, "unknown_pooling", "no bert.pooling_type"],
  ["tiny-q8_0.gguf", 403, "model_not_allowed", "not an embedding model"],
  ["embeddings-of-chat.gguf", 403, "model_not_allowed", "not an embedding model"],
  ["garbage.gguf", 503, "model_load_failed", "does not start with the letters GGUF"],
])("%s is answered with %i %s", async (file, status, code, words) => {
  const name = `no-${file.replace(/\W/g, "-")}`;
  await runtime.deployments.create({ name, model: "acme/other-GGUF", file });
  for (let tries = 0; tries < 2; tries++) {
    const answer = await embed({ model: name, input: "hello" });
    expect(answer).toMatchObject({ status, error: { code, message: expect.stringContaining(words) } });
  }
});

test("a request of the wrong kind is refused, before and after the right one", async () => {
  const model = "acme/other-GGUF";
  await runtime.deployments.create({ name: "really-bert", model, file: "tiny-bert.gguf" });
  await runtime.deployments.create({ name: "really-chat", model, file: "embeddings-of-chat.gguf" });
  for (const state of ["unknown", "known"]) {
    expect((await chat(runtime, "really-bert")).status, state).toBe(404);
    expect((await embed({ model: "really-chat", input: "hello" })).status, state).toBe(403);
    expect((await embed({ model: "really-bert", input: "hello" })).status, state).toBe(200);
    expect((await chat(runtime, "really-chat")).status, state).toBe(200);
  }
});

test("runtime.models loads and unloads it whatever its name says", async () => {
  const model = "acme/third-GGUF";
  const names = ["bert-by-load", "chat-by-load"];
  await runtime.deployments.create({ name: names[0]!, model, file: "tiny-bert.gguf" });
  await runtime.deployments.create({ name: names[1]!, model, file: "embeddings-of-chat.gguf" });
  for (const name of names) {
    await runtime.models.load(name);
    expect((await described(name)).device).not.toBeNull();
    await runtime.models.unload(name);
    expect((await described(name)).device).toBeNull();
  }
  expect((await embed({ model: names[0], input: "hello" })).status).toBe(200);
  await runtime.models.delete(names[0]!);
  expect((await runtime.models.cached()).map(({ model }) => model)).not.toContain(names[0]);
});

test("rules of a hub name in the options apply to its deployments and batches", async () => {
  await runtime.deployments.create({ name: "ruled", model: RULED, file: "tiny-bert.gguf" });
  const { error } = await embed({ model: "ruled", input: "hello hello hello hello hello hello hello" });
  expect(error).toMatchObject({ code: "context_length_exceeded" });
  expect(error.message).toContain("is 8 tokens, however you requested 9 tokens");
  expect((await embed({ model: "ruled", input: "hello" })).status).toBe(200);
});

test("a batch names the model by its repository", async () => {
  const openai = openaiFor(runtime);
  const body = { model: RULED, input: "hello parcel?" };
  const line = { custom_id: "a", method: "POST", url: "/v1/embeddings", body };
  const { id } = await submit(openai, [JSON.stringify(line)], "/v1/embeddings");
  const [result] = await resultsOf(openai, (await finished(openai, id)).output_file_id);
  const { data, usage } = result.response.body;
  expect(usage.prompt_tokens).toBe(HELLO_PARCEL.length);
  expectVector(data[0].embedding, pooled(bert.states(HELLO_PARCEL), "mean"));
});

test("an abort ends a request, and the engine goes on", async () => {
  const abort = new AbortController();
  const pending = runtime.fetch(`${runtime.baseURL}/embeddings`, {
    method: "POST",
    headers: { authorization: `Bearer ${runtime.apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "prefixed", input: Array.from({ length: 500 }, () => "hello world") }),
    signal: abort.signal,
  });
  abort.abort();
  await expect(pending).rejects.toThrow();
  expect((await embed({ model: "prefixed", input: "hello" })).status).toBe(200);
});
