import { expect, test } from "vitest";
import type { EmbeddingModelInfo } from "../../../../worker/engine-api/embedding-engine.ts";
import { embeddingEndpoint } from "../../../../worker/engines/embeddings/embedding-endpoint.ts";

type Inputs = readonly (readonly number[])[];

/** Loads an engine whose runs do as `run` says, and returns what the load reports. */
async function load(
  run: (inputs: Inputs) => number[][],
  runsAlone = false,
  more: { runsAlone?: boolean } = {},
) {
  const info = { maxTokens: 3, device: "wasm", runsAlone } as EmbeddingModelInfo;
  const runs: Inputs[] = [];
  const engine = {
    info,
    tokenize: (texts: readonly string[]) => texts.map((text) => Array.from(text, Number)),
    embed: async (inputs: Inputs) => {
      runs.push(inputs);
      return run(inputs).map((vector) => Float32Array.from(vector));
    },
  };
  const toFailure = (error: unknown) => ({ code: "model_load_failed", message: String(error) }) as const;
  const endpoint = embeddingEndpoint(async () => engine, toFailure);
  const { port1 } = new MessageChannel();
  const result = await endpoint.load({ probes: ["12345", "6"], ...more }, port1);
  port1.close();
  return { result, runs };
}

const vectorOf = (tokens: readonly number[]) => [tokens.length, tokens[0]!];

test("probes run alone, no longer than the model takes, and then together", async () => {
  const { result, runs } = await load((inputs) => inputs.map(vectorOf));
  expect(result).toMatchObject({ value: { info: { dimensions: 2, runsAlone: false } } });
  expect(runs).toEqual([[[1, 2, 3]], [[6]], [[1, 2, 3], [6]]]);
});

test("a batch is not tried where texts run alone anyway", async () => {
  const { result, runs } = await load((inputs) => inputs.map(vectorOf), true);
  expect(result).toMatchObject({ value: { info: { runsAlone: true } } });
  expect(runs).toHaveLength(2);
});

test("an engine that fails for a batch has to be replaced by one that runs texts alone", async () => {
  const failing = (inputs: Inputs) => {
    if (inputs.length > 1) throw new Error("the shapes differ");
    return inputs.map(vectorOf);
  };
  const { result } = await load(failing);
  expect(result).toMatchObject({ value: { info: { runsAlone: true }, isBroken: true } });
  const again = await load(failing, false, { runsAlone: true });
  expect(again.result).toMatchObject({ value: { info: { runsAlone: true } } });
  expect(again.result).not.toHaveProperty("value.isBroken");
  expect(again.runs).toHaveLength(2);
});
