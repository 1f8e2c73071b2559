/** Hub models, from a server with the hub's layout, including one that breaks its worker. */

import { createRuntime, type EngineEvent, type Runtime } from "infetch";
import { afterAll, beforeAll, expect, test } from "vitest";
import { embed, largestDifference, postEmbeddings } from "./support/client.ts";

const MINILM = "infetch-all-minilm-l6-v2";
const CLS = "cls-embed";
const CLS_ON_HUB = "acme/cls-embed";
const BROKEN = "broken-embed";
const DENSE = "dense-embed";
const EMBEDDING_GEMMA = "onnx-community/embeddinggemma-300m-ONNX";
/** Within the vocabulary that the broken model declares, but beyond its table. */
const POISON = 900;

let runtime: Runtime;
const events: EngineEvent[] = [];

async function reference(hubId: string): Promise<{ text: string; vector: number[] }[]> {
  return (await fetch(`/fixtures/hub/${hubId}/resolve/main/reference.json`)).json();
}

beforeAll(async () => {
  runtime = await createRuntime({
    embeddings: { device: "wasm" },
    hub: { url: "/fixtures/hub/" },
    models: [
      { kind: "embedding", id: CLS, hubId: CLS_ON_HUB, dtypes: { wasm: ["fp32"] } },
      { kind: "embedding", id: BROKEN, hubId: "acme/broken-embed", dtypes: { wasm: ["fp32"] } },
      { kind: "embedding", id: DENSE, hubId: "acme/dense-embed", dtypes: { wasm: ["fp32"] } },
      { kind: "embedding", id: "own-output", hubId: EMBEDDING_GEMMA, dtypes: { wasm: ["fp32"] } },
      { kind: "embedding", id: "no-output", hubId: CLS_ON_HUB, pooling: "sentence_embedding" },
      { kind: "embedding", id: "nowhere", hubId: "acme/nowhere" },
      { kind: "embedding", id: "converted", hubId: "Xenova/bge-large-en", dtypes: { wasm: ["fp32"] } },
      { kind: "embedding", id: "chatty", hubId: "onnx-community/Qwen3-0.6B-ONNX" },
      { kind: "embedding", id: CLS_ON_HUB, pooling: "mean", dtypes: { wasm: ["fp32"] } },
      {
        kind: "embedding",
        id: "my-own-name",
        url: "/fixtures/hub/acme/cls-embed/resolve/main",
        dtypes: { wasm: ["q4", "fp32"] },
      },
    ],
  });
  runtime.on("engine", (event) => events.push(event));
});
afterAll(() => runtime.close());

test("the catalogue's second model comes from its place on the hub, in 8 bits on WASM", async () => {
  const items = await reference("Xenova/all-MiniLM-L6-v2");
  const response = await postEmbeddings(runtime, { model: MINILM, input: items.map(({ text }) => text) });
  expect(response.headers.get("x-infetch-engine")).toBe("transformers; device=wasm; dtype=q8");
  const { data } = await response.json();
  for (const [at, { vector }] of items.entries()) {
    expect(largestDifference(data[at].embedding, vector)).toBeLessThan(0.02);
    expect(Math.hypot(...data[at].embedding)).toBeCloseTo(1, 5);
  }
});

test("pooling, prefixes and length are read from the model's own configuration", async () => {
  const items = await reference(CLS_ON_HUB);
  const { data } = await embed(runtime, { model: CLS, input: items.map(({ text }) => text) });
  for (const [at, { vector }] of items.entries()) {
    expect(largestDifference(data[at]!.embedding, vector)).toBeLessThan(1e-3);
  }
  const model = await (
    await runtime.fetch(`${runtime.baseURL}/models/${encodeURIComponent(CLS)}`, {
      headers: { authorization: `Bearer ${runtime.apiKey}` },
    })
  ).json();
  expect(model).toMatchObject({
    owned_by: "acme",
    infetch: {
      pooling: "cls",
      normalized: false,
      prefixes: { query: "query: ", document: "passage: " },
      context_window: 40,
      dimensions: 16,
    },
  });
});

async function facts(id: string) {
  const headers = { authorization: `Bearer ${runtime.apiKey}` };
  const response = await runtime.fetch(`${runtime.baseURL}/models/${encodeURIComponent(id)}`, { headers });
  return (await response.json()).infetch;
}

test("a Dense module follows the pooling; vectors are cut to the lengths of its configuration", async () => {
  const items = await reference("acme/dense-embed");
  const input = items.map(({ text }) => text);
  const { data } = await embed(runtime, { model: DENSE, input });
  for (const [at, { vector }] of items.entries())
    expect(largestDifference(data[at]!.embedding, vector)).toBeLessThan(1e-3);
  const short = await embed(runtime, { model: DENSE, input, dimensions: 4 });
  for (const [at, { vector }] of items.entries()) {
    const length = Math.hypot(...vector.slice(0, 4));
    const expected = vector.slice(0, 4).map((value) => value / length);
    expect(largestDifference(short.data[at]!.embedding, expected)).toBeLessThan(1e-3);
  }
  expect(await facts(DENSE)).toMatchObject({ pooling: "mean", dimensions: 8, shortest_dimensions: 4 });
});

test.each(["own-output", "infetch-embeddinggemma-300m"])(
  "%s: the network makes the vectors itself, of weights in two files",
  async (model) => {
    const items = await reference(EMBEDDING_GEMMA);
    const { data } = await embed(runtime, { model, input: items.map(({ text }) => text) });
    for (const [at, { vector }] of items.entries())
      expect(largestDifference(data[at]!.embedding, vector)).toBeLessThan(
        model === "own-output" ? 1e-3 : 0.05,
      );
    expect(await facts(model)).toMatchObject({
      pooling: "sentence_embedding",
      dimensions: 8,
      prefixes: { query: "task: search result | query: ", document: "title: none | text: " },
      shortest_dimensions: 128,
    });
  },
);

test.each([
  [
    "a network without the output that its pooling names",
    "no-output",
    /no-output cannot be run: .*'sentence_embedding', an output that its ONNX file does not have/,
  ],
  ["a chat model", "chatty", /'onnx-community\/Qwen3-0\.6B-ONNX' is not an embedding model/],
])("%s is refused by name, without another backend", async (_, id, message) => {
  const response = await postEmbeddings(runtime, { model: id, input: "a" });
  expect(response.status).toBe(400);
  expect((await response.json()).error).toMatchObject({
    code: "unsupported_model",
    param: "model",
    message: expect.stringMatching(message),
  });
  expect(events.filter(({ model, state }) => model === id && state === "fallback")).toEqual([]);
});

test("a model may have a name and an address of its own; a form that it lacks is passed over", async () => {
  const [item] = await reference(CLS_ON_HUB);
  const { data } = await embed(runtime, { model: "my-own-name", input: item!.text });
  expect(largestDifference(data[0]!.embedding, item!.vector)).toBeLessThan(1e-3);
  expect(events.filter(({ state }) => state === "fallback")).toEqual([
    expect.objectContaining({ model: "my-own-name", reason: expect.stringMatching(/^wasm q4 failed/) }),
  ]);
});

test("a model that is not there fails with a reason, and the others go on", async () => {
  const response = await postEmbeddings(runtime, { model: "nowhere", input: "a" });
  expect(response.status).toBe(404);
  expect((await response.json()).error).toMatchObject({
    code: "hub_file_not_found",
    message: expect.stringMatching(
      /^nowhere has no config\.json: .*\/acme\/nowhere\/resolve\/main\/config\.json was not found\.$/,
    ),
  });
  await expect(embed(runtime, { model: CLS, input: "a" })).resolves.toBeTruthy();
});

test("a conversion without 1_Pooling is pooled as the model of its name, which an event and the model's notes say", async () => {
  // The weights of CLS, which are pooled alike, but with its prefix and not normalized.
  const [item] = await reference(CLS_ON_HUB);
  const { data } = await embed(runtime, { model: "converted", input: `passage: ${item!.text}` });
  const length = Math.hypot(...item!.vector);
  const expected = item!.vector.map((value) => value / length);
  expect(largestDifference(data[0]!.embedding, expected)).toBeLessThan(1e-3);
  const note = expect.stringMatching(/no 1_Pooling\/config\.json.*bge-large-en/);
  expect(events).toContainEqual({ type: "engine", model: "converted", state: "note", reason: note });
  const headers = { authorization: `Bearer ${runtime.apiKey}` };
  const { infetch } = await (await runtime.fetch(`${runtime.baseURL}/models/converted`, { headers })).json();
  expect(infetch).toMatchObject({
    pooling: "cls",
    normalized: true,
    prefixes: { query: "Represent this sentence for searching relevant passages: ", document: "" },
    notes: [note],
  });
});

test("a model of the hub by its identifier is for deployments and batches, with the rules of the options", async () => {
  const refused = await postEmbeddings(runtime, { model: CLS_ON_HUB, input: "a" });
  expect([refused.status, (await refused.json()).error.code]).toEqual([404, "model_not_found"]);
  const headers = { authorization: `Bearer ${runtime.apiKey}` };
  const { data: models } = await (await runtime.fetch(`${runtime.baseURL}/models`, { headers })).json();
  const listed = models.map(({ id }: { id: string }) => id);
  expect(listed).toContain(CLS);
  expect(listed).not.toContain(CLS_ON_HUB);
  await runtime.deployments.create({ name: "deployed", model: CLS_ON_HUB });
  const { data } = await embed(runtime, { model: CLS_ON_HUB, input: "hello" });
  // The options set mean pooling; the model's own files say CLS.
  const other = await embed(runtime, { model: CLS, input: "hello" });
  expect(largestDifference(data[0]!.embedding, other.data[0]!.embedding)).toBeGreaterThan(0.01);
  await expect
    .poll(async () => (await runtime.usage.list()).find(({ model }) => model === CLS_ON_HUB)?.tier)
    .toBe("dedicated");
  await runtime.deployments.delete("deployed");
});

test.each([
  [{ id: "infetch-tiny", hubId: CLS_ON_HUB }, /models: another model already has the id 'infetch-tiny'/],
  [{ id: "two words", hubId: CLS_ON_HUB }, /models: an id must be a string/],
])("%j is refused with an error that names the option", async (model, message) => {
  const start = createRuntime({
    storageName: crypto.randomUUID(),
    models: [{ kind: "embedding", ...model }],
  });
  await expect(start).rejects.toThrow(expect.objectContaining({ name: "TypeError" }));
  await expect(start).rejects.toThrow(message);
});

test("a run that breaks the realm ends its worker; who waited is answered by the next one", async () => {
  const before = await embed(runtime, { model: BROKEN, input: "hello" });
  events.length = 0;
  const [poisoned, ...others] = await Promise.all([
    postEmbeddings(runtime, { model: BROKEN, input: [[POISON]] }),
    ...Array.from({ length: 8 }, () => postEmbeddings(runtime, { model: BROKEN, input: "hello" })),
  ]);
  expect(poisoned!.status).toBe(500);
  expect((await poisoned!.json()).error).toMatchObject({ code: "engine_failed" });
  for (const response of others) {
    expect(response.status).toBe(200);
    const { data } = await response.json();
    expect(largestDifference(data[0].embedding, before.data[0]!.embedding)).toBeLessThan(1e-5);
  }
  expect(events.filter(({ model, state }) => model === BROKEN && state === "lost").length).toBeGreaterThan(0);
  // The ledger has each answered request once, and not the failed one.
  const idOf = (response: Response): string => response.headers.get("x-request-id")!;
  const ids = [poisoned!, ...others].map(idOf);
  const recorded = async () =>
    (await runtime.usage.list()).map(({ requestId }) => requestId).filter((id) => ids.includes(id));
  await expect.poll(async () => (await recorded()).sort()).toEqual(others.map(idOf).sort());
  // Other models run in other workers, and the broken one reloads.
  await expect(embed(runtime, { model: CLS, input: "a" })).resolves.toBeTruthy();
  await expect(embed(runtime, { model: BROKEN, input: "hello" })).resolves.toEqual(before);
});
