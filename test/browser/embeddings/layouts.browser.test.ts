/**
 * Models in the layouts of the hub's conversions, by a hub with an API. The vectors are compared with a forward pass in
 * 64 bits (test/support/onnx/tiny-network.ts). `npm run build` first.
 */

import { createRuntime, type EngineEvent, type Runtime } from "infetch";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  ADAPTED,
  DENSE_WEIGHT,
  NORM,
  QUANTIZED,
  RESIDUAL_WEIGHT,
  ROBERTA,
} from "../../support/onnx/settings.ts";
import { forward, type NetworkOptions } from "../../support/onnx/tiny-network.ts";
import { freshLedgerName } from "../billing/support/frames.ts";
import { embed, largestDifference, postEmbeddings } from "./support/client.ts";

let runtime: Runtime;
const events: EngineEvent[] = [];

beforeAll(async () => {
  runtime = await createRuntime({
    storageName: freshLedgerName(),
    embeddings: { device: "wasm" },
    hub: { url: "/onnx-hub/" },
  });
  runtime.on("engine", (event) => events.push(event));
});
afterAll(() => runtime.close());

/** Deploys `acme/<name>` under its name, once. */
async function deploy(name: string): Promise<string> {
  const deployed = await runtime.deployments.list();
  if (!deployed.some((one) => one.name === name))
    await runtime.deployments.create({ name, model: `acme/${name}` });
  return name;
}

/** Tokens without special ones; those around them are 2 and 3. */
const INPUTS = [[10, 20, 30], [40], [15, 25, 35, 45, 55, 65]];
const framed = (ids: readonly number[]): number[] => [2, ...ids, 3];

const meanOf = (vectors: number[][]): number[] =>
  vectors[0]!.map((_, i) => vectors.reduce((sum, vector) => sum + vector[i]!, 0) / vectors.length);
const unit = (vector: number[]): number[] => vector.map((value) => value / Math.hypot(...vector));

async function facts(id: string) {
  const headers = { authorization: `Bearer ${runtime.apiKey}` };
  return (await (await runtime.fetch(`${runtime.baseURL}/models/${id}`, { headers })).json()).infetch;
}

describe("the weights", () => {
  // Dynamic quantization rounds to 1/255 of the range of all activations.
  test.each<[string, string, NetworkOptions, number]>([
    ["at-the-root", "fp32", {}, 1e-5],
    ["of-a-processor", "q8", QUANTIZED, 0.1],
    ["optimized", "fp32", QUANTIZED, 0.1],
    ["one-text", "fp32", {}, 1e-5],
    ["traced-with-one-text", "fp32", {}, 1e-5],
    ["four-bits-only", "q4", {}, 1e-5],
    ["encoder-of-two", "fp32", {}, 1e-5],
    ["in-a-folder", "fp32", {}, 1e-5],
  ])("of %s run (%s), alone and in a batch", async (name, dtype, network, precision) => {
    const model = await deploy(name);
    const { data } = await embed(runtime, { model, input: INPUTS });
    for (const [at, ids] of INPUTS.entries()) {
      const expected = meanOf(forward(framed(ids), network));
      expect(largestDifference(data[at]!.embedding, expected)).toBeLessThan(precision);
      const alone = await embed(runtime, { model, input: ids });
      expect(largestDifference(alone.data[0]!.embedding, data[at]!.embedding)).toBeLessThan(1e-5);
    }
    expect(await facts(model)).toMatchObject({ dtype, dimensions: 6 });
  });

  test.each([
    ["two-networks", /its files are onnx\/text_model\.onnx, onnx\/other_model\.onnx\. Look for a conversion/],
    ["router", /other networks for queries than for documents/],
    ["recurrent", /its LSTM module is not computed here\..*pooling 'sentence_embedding'/],
    ["openvino", /'acme\/openvino' has no ONNX weights \(\.onnx\)\. Look for a conversion/],
  ])("of %s are refused before they are downloaded", async (name, message) => {
    const phases: string[] = [];
    const off = runtime.on("progress", ({ model, phase }) => model === name && phases.push(phase));
    const response = await postEmbeddings(runtime, { model: await deploy(name), input: "a" });
    off();
    expect(response.status).toBe(400);
    expect((await response.json()).error).toMatchObject({
      code: "unsupported_model",
      param: "model",
      message: expect.stringMatching(message),
    });
    expect(events.filter(({ model, state }) => model === name && state === "fallback")).toEqual([]);
    // It follows the weights.
    expect(phases).not.toContain("compile");
  });
});

test("joined poolings, a Normalize in between, a Dense module with a residual and a LayerNorm module", async () => {
  const model = await deploy("many-steps");
  const { data } = await embed(runtime, { model, input: INPUTS });
  for (const [at, ids] of INPUTS.entries()) {
    const states = forward(framed(ids));
    const pooled = unit([...states[0]!, ...meanOf(states)]);
    const times = (matrix: readonly number[], row: number): number =>
      pooled.reduce((sum, value, i) => sum + value * matrix[row * pooled.length + i]!, 0);
    const dense = [0, 1, 2, 3].map(
      (row) => Math.tanh(times(DENSE_WEIGHT, row)) + times(RESIDUAL_WEIGHT, row),
    );
    const mean = dense.reduce((sum, value) => sum + value) / 4;
    const variance = dense.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 4;
    const expected = dense.map(
      (value, i) => ((value - mean) / Math.sqrt(variance + 1e-5)) * NORM.weight[i]! + NORM.bias[i]!,
    );
    expect(largestDifference(data[at]!.embedding, expected)).toBeLessThan(1e-5);
  }
  expect(await facts(model)).toMatchObject({ pooling: "cls+mean", normalized: false, dimensions: 4 });
});

test("the adapter of a text is that of its input_type, also for requests at the same time", async () => {
  const model = await deploy("adapted");
  const uses: [string | undefined, number][] = [
    ["query", 0],
    [undefined, 1],
    ["document", 1],
    ["separation", 2],
    ["retrieval.query", 0],
  ];
  const answers = await Promise.all(
    uses.map(([input_type]) =>
      embed(runtime, { model, input: INPUTS, ...(input_type ? { input_type } : {}) }),
    ),
  );
  for (const [of, [, task]] of uses.entries()) {
    for (const [at, ids] of INPUTS.entries()) {
      const expected = unit(meanOf(forward(framed(ids), ADAPTED, task)));
      expect(largestDifference(answers[of]!.data[at]!.embedding, expected)).toBeLessThan(1e-5);
    }
  }
  const query = await embed(runtime, { model, input: "x", input_type: "query" });
  const plain = await embed(runtime, { model, input: "query: x", input_type: "separation" });
  expect(query.usage).toEqual(plain.usage);
  const refused = await postEmbeddings(runtime, { model, input: "x", input_type: "clustering" });
  expect((await refused.json()).error.message).toMatch(
    /'query', 'document', 'retrieval\.query'.* 'separation'/,
  );
  expect(await facts(model)).toMatchObject({
    prefixes: { query: "query: ", document: "passage: " },
    shortest_dimensions: 2,
  });
});

test.each([
  ["after-padding", 46, ROBERTA],
  ["named-after-its-type", 7, {}],
  ["in-a-folder", 20, {}],
])("%s takes texts of %i tokens, and refuses longer ones", async (name, tokens, network) => {
  const model = await deploy(name);
  const ids = Array.from({ length: tokens - 2 }, (_, at) => 10 + at);
  const { data, usage } = await embed(runtime, { model, input: ids });
  expect(usage.prompt_tokens).toBe(tokens);
  expect(largestDifference(data[0]!.embedding, meanOf(forward(framed(ids), network)))).toBeLessThan(1e-5);
  const response = await postEmbeddings(runtime, { model, input: [...ids, 9] });
  expect([response.status, (await response.json()).error.code]).toEqual([400, "context_length_exceeded"]);
});

test("vectors are cut to the truncate_dim of the model's files, with a length of one", async () => {
  const model = await deploy("cut");
  const { data } = await embed(runtime, { model, input: INPUTS });
  for (const [at, ids] of INPUTS.entries()) {
    const expected = unit(meanOf(forward(framed(ids))).slice(0, 4));
    expect(largestDifference(data[at]!.embedding, expected)).toBeLessThan(1e-5);
  }
  expect(await facts(model)).toMatchObject({ dimensions: 4, normalized: true });
});

test("a network that makes only the vectors of texts is used as it is", async () => {
  const model = await deploy("own-output-only");
  const { data } = await embed(runtime, { model, input: INPUTS });
  for (const [at, ids] of INPUTS.entries()) {
    // The mean of the tokens, to which the network adds the mean again in the vectors of tokens.
    const expected = meanOf(forward(framed(ids))).map((value) => value / 2);
    expect(largestDifference(data[at]!.embedding, expected)).toBeLessThan(1e-5);
  }
  expect(await facts(model)).toMatchObject({ pooling: "sentence_embedding" });
});

test("a reranker is refused with what to use instead", async () => {
  const response = await postEmbeddings(runtime, { model: await deploy("reranker"), input: "a" });
  expect(response.status).toBe(400);
  expect((await response.json()).error).toMatchObject({
    code: "unsupported_model",
    message: expect.stringMatching(/XLMRobertaForSequenceClassification.*scores or labels.*embedding model/),
  });
});
