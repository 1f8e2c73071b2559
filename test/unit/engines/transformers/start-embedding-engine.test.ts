import { describe, expect, test } from "vitest";
import type { EmbeddingModel } from "../../../../worker/engine-api/embedding-model.ts";
import { EngineError } from "../../../../worker/engine-api/engine-error.ts";
import {
  type EmbeddingStart,
  type ProbedEngine,
  startEmbeddingEngine,
} from "../../../../worker/engines/transformers/start-embedding-engine.ts";
import { FakeEmbeddingEngine } from "../../../fakes/fake-embedding-engine.ts";

const RIGHT = [Float32Array.of(1, 0, 0), Float32Array.of(0, 1, 0)];
const WRONG = [Float32Array.of(0, 0, 1), Float32Array.of(0.6, 0, 0.8)];

const model: EmbeddingModel = {
  id: "m",
  sourceURL: "https://app.test/m/",
  version: "1",
  known: [],
  dtypes: { webgpu: ["q8", "fp32"], wasm: ["fp32"] },
  reference: async () => RIGHT.map((vector, at) => ({ text: `text ${at}`, vector: Array.from(vector) })),
};

class ProbedFake extends FakeEmbeddingEngine implements ProbedEngine {
  readonly probes: Float32Array[];

  constructor(probes: Float32Array[]) {
    super();
    this.probes = probes;
  }
}

type Outcome = Float32Array[] | Error;

/** Starts an engine with a fixed outcome per `<device> <dtype>`. */
function startWith(outcomes: Record<string, Outcome>, options: Partial<EmbeddingStart> = {}) {
  const tried: string[] = [];
  const engines: ProbedFake[] = [];
  const reasons: string[] = [];
  const notes: string[] = [];
  const ended: string[] = [];
  const start: EmbeddingStart = {
    workerURL: "",
    runtimeURL: "",
    serverLock: "",
    device: "auto",
    hasHardwareGpu: async () => true,
    onFallback: (_model, reason) => reasons.push(reason),
    onNote: (_model, note) => notes.push(note),
    startWorker: async ({ onEnd }, { attempt, isCacheOnly }) => {
      const name = `${attempt.device} ${attempt.dtype}${isCacheOnly ? " of the cache" : ""}`;
      tried.push(name);
      const outcome = outcomes[name]!;
      if (outcome instanceof Error) {
        onEnd("it could not load its model", "engine_lost");
        throw outcome;
      }
      const engine = new ProbedFake(outcome);
      const dispose = engine.dispose.bind(engine);
      engine.dispose = (reason) => {
        dispose(reason);
        onEnd(reason, "engine_lost");
      };
      engines.push(engine);
      return engine;
    },
    ...options,
  };
  const run = (record = model) =>
    startEmbeddingEngine(start, record, {
      onProgress: () => {},
      onEnd: (reason) => ended.push(reason),
      signal: new AbortController().signal,
    });
  return { run, tried, engines, reasons, notes, ended };
}

describe("startEmbeddingEngine", () => {
  test("keeps the first backend whose numbers are right", async () => {
    const { run, tried, reasons } = startWith({ "webgpu q8": RIGHT });
    expect((await run()).info.dtype).toBe("fp32");
    expect(tried).toEqual(["webgpu q8"]);
    expect(reasons).toEqual([]);
  });

  test("goes from wrong numbers to the plain form, from a failed load to WASM, and says why", async () => {
    const { run, tried, engines, reasons, ended } = startWith({
      "webgpu q8": WRONG,
      "webgpu fp32": new EngineError("model_load_failed", "transformers.js: no adapter"),
      "wasm fp32": RIGHT,
    });
    const engine = await run();
    expect(tried).toEqual(["webgpu q8", "webgpu fp32", "wasm fp32"]);
    expect(engine).toBe(engines.at(-1));
    expect(engines[0]!.disposedFor).toMatch(/cosine/);
    expect(reasons).toEqual([
      expect.stringMatching(/^webgpu q8 failed: The self-test failed: .*cosine of 0\.0000/),
      "webgpu fp32 failed: transformers.js: no adapter",
    ]);
    // The end of a rejected engine is not reported.
    expect(ended).toEqual([]);
    engine.dispose("unloaded");
    expect(ended).toEqual(["unloaded"]);
  });

  test("an engine that died before it was accepted is not kept", async () => {
    const { reference: _, ...plain } = model;
    const { run, tried, engines } = startWith({ "webgpu q8": RIGHT, "wasm q8": RIGHT, "wasm fp32": RIGHT });
    const once = { ...plain, dtypes: { webgpu: ["q8"], wasm: ["fp32"] } } as const;
    const running = run(once);
    while (engines.length === 0) await Promise.resolve();
    engines[0]!.dispose("the device was lost");
    expect(await running).toBe(engines.at(-1));
    expect(tried).toEqual(["webgpu q8", "wasm q8", "wasm fp32"]);
  });

  test("fails with the last reason when no backend is right", async () => {
    const { run } = startWith({ "webgpu q8": WRONG, "webgpu fp32": WRONG, "wasm fp32": WRONG });
    await expect(run()).rejects.toMatchObject({ code: "engine_unavailable" });
  });

  test.each([
    "model_gated",
    "hub_token_invalid",
    "hub_model_not_found",
    "hub_revision_not_found",
    "unsupported_model",
    "unknown_pooling",
  ] as const)("%s ends the load at once: no other backend would do better", async (code) => {
    const { run, tried, reasons } = startWith({ "webgpu q8": new EngineError(code, "refused") });
    await expect(run()).rejects.toMatchObject({ code });
    expect([tried, reasons]).toEqual([["webgpu q8"], []]);
  });

  test.each([
    ["are cached", RIGHT, 1],
    ["are not", new EngineError("model_download_failed", "it is not cached"), 0],
  ])("after a failed download no larger weights are fetched: others %s", async (_name, outcome, count) => {
    const lost = new EngineError("model_download_failed", "the connection was lost");
    const { run, tried, reasons, engines } = startWith(
      { "wasm q8": lost, "wasm fp32 of the cache": outcome },
      { device: "wasm" },
    );
    const running = run({ ...model, dtypes: { webgpu: [], wasm: ["q8", "fp32"] } });
    if (count === 0) await expect(running).rejects.toBe(lost);
    else await running;
    expect(engines).toHaveLength(count);
    expect(tried).toEqual(["wasm q8", "wasm fp32 of the cache"]);
    expect(reasons).toEqual(["wasm q8 failed: the connection was lost"]);
  });

  test("the notes of an engine that is kept are passed on", async () => {
    const info = { notes: ["an assumption"] };
    const startWorker = async () => Object.assign(new ProbedFake(RIGHT), { info }) as unknown as ProbedEngine;
    const { run, notes } = startWith({}, { startWorker });
    await run();
    expect(notes).toEqual(info.notes);
  });

  test("a software adapter is passed over, unless it is asked for", async () => {
    const software = { hasHardwareGpu: async () => false };
    const automatic = startWith({ "wasm fp32": RIGHT }, software);
    await automatic.run();
    expect(automatic.tried).toEqual(["wasm fp32"]);
    const forced = startWith({ "webgpu q8": RIGHT }, { ...software, device: "webgpu" });
    await forced.run();
    expect(forced.tried).toEqual(["webgpu q8"]);
  });

  test("without stored vectors WASM's own are the reference for WebGPU", async () => {
    const { reference: _, ...plain } = model;
    const outcomes = { "webgpu q8": WRONG, "wasm q8": RIGHT, "webgpu fp32": RIGHT, "wasm fp32": RIGHT };
    const { run, tried, engines } = startWith(outcomes);
    const engine = await run(plain);
    expect(tried).toEqual(["webgpu q8", "wasm q8", "webgpu fp32", "wasm fp32"]);
    expect(engine).toBe(engines[2]);
    expect(engines.filter(({ disposedFor }) => disposedFor === undefined)).toEqual([engine]);
  });

  test.each([
    ["not finite", [Float32Array.of(Number.NaN, 0, 0), RIGHT[1]!]],
    ["zero", [Float32Array.of(0, 0, 0), RIGHT[1]!]],
    ["the same for two texts", [RIGHT[0]!, RIGHT[0]!]],
    ["of another size", [Float32Array.of(1, 0), Float32Array.of(0, 1)]],
  ])("vectors that are %s are no vectors", async (_name, vectors) => {
    const { run } = startWith({ "wasm fp32": vectors }, { device: "wasm" });
    await expect(run()).rejects.toMatchObject({ code: "engine_unavailable" });
  });
});
