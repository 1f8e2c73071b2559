import { describe, expect, test } from "vitest";
import { FakeEmbeddingEngine, fakeTokens, fakeVector } from "../../fakes/fake-embedding-engine.ts";
import { embeddingApp, FAKE_MODEL as model } from "../../support/embedding-app.ts";

function decode(base64: string): number[] {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  return Array.from({ length: bytes.length / 4 }, (_, at) => view.getFloat32(at * 4, true));
}

describe("POST /v1/embeddings", () => {
  test("answers a string with one item, in OpenAI's form", async () => {
    const { post, ledger } = await embeddingApp();
    const response = await post({ model, input: "abc" });
    expect(response.status).toBe(200);
    expect(response.headers.get("x-infetch-engine")).toBe("transformers; device=wasm; dtype=fp32");
    expect(await response.json()).toEqual({
      object: "list",
      data: [{ object: "embedding", index: 0, embedding: Array.from(fakeVector(fakeTokens("abc"))) }],
      model,
      usage: { prompt_tokens: 5, total_tokens: 5 },
    });
    expect(ledger.events()).toMatchObject([
      {
        endpoint: "/v1/embeddings",
        transactionId: response.headers.get("x-request-id"),
        inputTokens: 5,
        outputTokens: 0,
        outcome: "completed",
      },
    ]);
  });

  test("keeps the order of many inputs of many lengths", async () => {
    const { post } = await embeddingApp();
    const input = Array.from({ length: 300 }, (_, at) => "x".repeat(1 + ((at * 5) % 17)) + (at % 7));
    const { data, usage } = await (await post({ model, input })).json();
    expect(data.map((item: { index: number }) => item.index)).toEqual(input.map((_, at) => at));
    for (const [at, { embedding }] of data.entries()) {
      expect(embedding).toEqual(Array.from(fakeVector(fakeTokens(input[at]!))));
    }
    expect(usage.prompt_tokens).toBe(input.reduce((sum, text) => sum + text.length + 2, 0));
  });

  test("base64 is the float answer, little-endian", async () => {
    const { post } = await embeddingApp();
    const [floats, base64] = await Promise.all([
      post({ model, input: "abc" }).then((response) => response.json()),
      post({ model, input: "abc", encoding_format: "base64" }).then((response) => response.json()),
    ]);
    expect(decode(base64.data[0].embedding)).toEqual(floats.data[0].embedding);
  });

  test("tokens count with those that the model adds, and give the vector of their text", async () => {
    const { post } = await embeddingApp();
    const text = await (await post({ model, input: ["ab", "c"] })).json();
    const tokens = await (
      await post({ model, input: [fakeTokens("ab", false), fakeTokens("c", false)] })
    ).json();
    expect(tokens).toEqual(text);
    const single = await (await post({ model, input: fakeTokens("ab", false) })).json();
    expect(single.data).toEqual([text.data[0]]);
  });

  test("prefixes follow input_type, and are counted", async () => {
    const { post } = await embeddingApp(
      () => new FakeEmbeddingEngine({ prefixes: { query: "q:", document: "d:" } }),
    );
    const query = await (await post({ model, input: "ab", input_type: "query" })).json();
    const plain = await (await post({ model, input: "ab" })).json();
    expect(query.data[0].embedding).toEqual(Array.from(fakeVector(fakeTokens("q:ab"))));
    expect(plain.data[0].embedding).toEqual(Array.from(fakeVector(fakeTokens("d:ab"))));
    expect(query.usage.prompt_tokens).toBe(6);
  });

  test("input_type may name another prompt of the model's files, and nothing else", async () => {
    const prompts = { clustering: "c:", passage: "" };
    const prefixes = { query: "q:", document: "d:" };
    const { post } = await embeddingApp(() => new FakeEmbeddingEngine({ prefixes, prompts }));
    for (const [input_type, text] of [
      ["clustering", "c:ab"],
      ["passage", "ab"],
    ]) {
      const { data } = await (await post({ model, input: "ab", input_type })).json();
      expect(data[0].embedding).toEqual(Array.from(fakeVector(fakeTokens(text!))));
    }
    const refused = await post({ model, input: "ab", input_type: "constructor" });
    expect([refused.status, (await refused.json()).error]).toEqual([
      400,
      expect.objectContaining({
        param: "input_type",
        code: "invalid_value",
        message:
          "Invalid value: 'constructor'. Supported values are: 'query', 'document', 'clustering', and 'passage'.",
      }),
    ]);
  });

  test("dimensions cut and renormalise where the model is trained for it", async () => {
    const { post } = await embeddingApp(() => new FakeEmbeddingEngine({ shortestDimensions: 4 }));
    const { data } = await (await post({ model, input: "abcdef", dimensions: 4 })).json();
    const whole = Array.from(fakeVector(fakeTokens("abcdef")));
    const length = Math.hypot(...whole.slice(0, 4));
    expect(data[0].embedding).toHaveLength(4);
    for (const [at, value] of data[0].embedding.entries()) expect(value).toBeCloseTo(whole[at]! / length, 6);
  });

  test("the mean is subtracted before a vector is cut where the model is trained for it", async () => {
    const { post } = await embeddingApp(
      () => new FakeEmbeddingEngine({ shortestDimensions: 4, isCentered: true }),
    );
    const { data } = await (await post({ model, input: "abcdef", dimensions: 4 })).json();
    const whole = Array.from(fakeVector(fakeTokens("abcdef")));
    const mean = whole.reduce((sum, value) => sum + value, 0) / whole.length;
    const short = whole.slice(0, 4).map((value) => value - mean);
    const length = Math.hypot(...short);
    for (const [at, value] of data[0].embedding.entries()) expect(value).toBeCloseTo(short[at]! / length, 6);
  });

  test("the model's facts are shown once it is loaded", async () => {
    const { post, get } = await embeddingApp();
    expect((await (await get(`/v1/models/${model}`)).json()).infetch).toMatchObject({ device: null });
    await post({ model, input: "a" });
    expect((await (await get(`/v1/models/${model}`)).json()).infetch).toMatchObject({
      engine: "transformers",
      device: "wasm",
      dtype: "fp32",
      dimensions: 8,
      context_window: 20,
    });
  });
});

describe("refusals", () => {
  const long = "x".repeat(30);
  test.each([
    ["no model", { input: "a" }, 400, "model", "missing_required_parameter"],
    ["no input", { model }, 400, "input", "missing_required_parameter"],
    ["null", { model, input: null }, 400, "input", "missing_required_parameter"],
    ["an empty string", { model, input: "" }, 400, "input", "invalid_value"],
    ["an empty string among others", { model, input: ["a", ""] }, 400, "input[1]", "invalid_value"],
    ["an empty array", { model, input: [] }, 400, "input", "empty_array"],
    ["an empty list of tokens", { model, input: [[]] }, 400, "input[0]", "empty_array"],
    ["too many inputs", { model, input: Array(2049).fill("a") }, 400, "input", "array_above_max_length"],
    ["a number", { model, input: 5 }, 400, "input", "invalid_type"],
    ["mixed inputs", { model, input: ["a", 5] }, 400, "input[1]", "invalid_type"],
    ["a token that is no integer", { model, input: [3, 4.5] }, 400, "input[1]", "invalid_type"],
    ["an unknown token", { model, input: [3, 100] }, 400, "input", "invalid_value"],
    ["a negative token", { model, input: [[3], [-1]] }, 400, "input[1]", "invalid_value"],
    ["a long input", { model, input: long }, 400, "input", "context_length_exceeded"],
    ["a long input among others", { model, input: ["a", long] }, 400, "input[1]", "context_length_exceeded"],
    [
      "an unknown encoding",
      { model, input: "a", encoding_format: "hex" },
      400,
      "encoding_format",
      "invalid_value",
    ],
    ["an unknown use", { model, input: "a", input_type: "sts" }, 400, "input_type", "invalid_value"],
    ["dimensions", { model, input: "a", dimensions: 4 }, 400, "dimensions", "unsupported_parameter"],
    ["an unknown model", { model: "no", input: "a" }, 404, "model", "model_not_found"],
    ["a chat model", { model: "fake-chat", input: "a" }, 403, "model", "model_not_allowed"],
  ])("%s", async (_name, body, status, param, code) => {
    const { post, ledger } = await embeddingApp();
    const response = await post(body);
    expect(response.status).toBe(status);
    expect((await response.json()).error).toMatchObject({ type: "invalid_request_error", param, code });
    expect(ledger.events()).toEqual([]);
  });

  test("dimensions out of the range that was trained", async () => {
    const { post } = await embeddingApp(() => new FakeEmbeddingEngine({ shortestDimensions: 4 }));
    for (const [dimensions, code] of [
      [3, "integer_below_min_value"],
      [9, "integer_above_max_value"],
    ]) {
      const response = await post({ model, input: "a", dimensions });
      expect((await response.json()).error).toMatchObject({ param: "dimensions", code });
    }
  });

  test("more tokens than one request may have", async () => {
    const { post, engines } = await embeddingApp(() => new FakeEmbeddingEngine({ maxTokens: 1000 }));
    const response = await post({ model, input: Array(400).fill("x".repeat(900)) });
    expect(response.status).toBe(400);
    expect((await response.json()).error).toMatchObject({ param: "input", code: "max_tokens_per_request" });
    expect(engines[0]!.batches).toEqual([]);
  });
});
