/** Sampling for many rows: each as it is alone, and as the reference computes it. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { TEST_MODELS } from "./support/architectures.ts";
import { TestEngine } from "./support/engine.ts";
import { LibraryDriver, type Numbers } from "./support/library-driver.ts";
import { softmax } from "./support/reference-model.ts";
import { penalize, sampleToken } from "./support/reference-sampler.ts";

const VOCABULARY = TEST_MODELS.alpha.vocab;
const MASK_WORDS = Math.ceil(VOCABULARY / 32);
const LOWEST = Math.fround(-3.4028234e38);
const tested = new TestEngine(["alpha"]);
let library: LibraryDriver;

beforeAll(async () => {
  await tested.engine.reload("alpha");
  library = new LibraryDriver(tested, "alpha", { sequences: 8, positions: 640, chunk: 48 });
});
afterAll(() => tested.engine.unload());

/** Reproducible numbers in [0, 1). */
const number = (i: number): number => ((Math.imul(i + 1, 2654435761) >>> 8) % 65536) / 65536;
const logitsOf = (rows: readonly number[]): Float32Array[] =>
  rows.map((row) => Float32Array.from({ length: VOCABULARY }, (_, i) => 8 * number(row * 1000 + i) - 4));
const join = (rows: readonly Float32Array[]): Float32Array =>
  Float32Array.from(rows.flatMap((row) => [...row]));
const split = (all: Numbers): Float32Array[] =>
  Array.from({ length: all.length / VOCABULARY }, (_, i) =>
    (all as Float32Array).slice(i * VOCABULARY, (i + 1) * VOCABULARY),
  );

interface Draw {
  row: number;
  temperature: number;
  topP: number;
  uniform: number;
}
const draws: Draw[] = [
  [1, 1, 0.3],
  [0.7, 0.9, 0.99],
  [1e-6, 1, 0.5],
  [1.5, 0.5, 0.7],
  [2, 0.95, 0.01],
  [1, 0.1, 0.6],
  [0.3, 1, 0.9],
  [1, 0.999, 0.4],
].map(([temperature = 1, topP = 1, uniform = 0], row) => ({ row, temperature, topP, uniform }));

async function probabilities(rows: readonly Draw[]): Promise<Float32Array[]> {
  return split(
    await library.compute((call, gpu) => {
      const logits = gpu(join(logitsOf(rows.map(({ row }) => row))), [rows.length, 1, VOCABULARY]);
      return call(
        "softmax_with_temperature",
        logits,
        gpu(Float32Array.from(rows, ({ temperature }) => temperature)),
      ) as typeof logits;
    }),
  );
}

/** Draws from all rows at once, in the order of `order`. */
async function sample(rows: readonly Draw[], order = rows.map((_, i) => i)): Promise<number[]> {
  const tokens = await library.compute((call, gpu) => {
    const made = call(
      "softmax_with_temperature",
      gpu(join(logitsOf(rows.map(({ row }) => row))), [rows.length, 1, VOCABULARY]),
      gpu(Float32Array.from(rows, ({ temperature }) => temperature)),
    ) as ReturnType<typeof gpu>;
    const sorted = call("argsort_probs", made.view([rows.length, VOCABULARY])) as {
      get(index: number): typeof made;
    };
    return call(
      "sample_with_top_p",
      sorted.get(0),
      sorted.get(1),
      gpu(Float32Array.from(order, (i) => rows[i]?.uniform ?? 0)),
      gpu(Int32Array.from(order)),
      gpu(Float32Array.from(rows, ({ topP }) => topP)),
    ) as typeof made;
  });
  return [...tokens];
}

test("probabilities and draws of a row are the same bits in any company, and those of the reference", async () => {
  const alone: Float32Array[] = [];
  const tokens: number[] = [];
  for (const draw of draws) {
    alone.push(...(await probabilities([draw])));
    tokens.push(...(await sample([draw])));
    const [logits] = logitsOf([draw.row]);
    const expected = softmax(logits!, draw.temperature);
    for (const [i, value] of alone.at(-1)!.entries()) expect(value).toBeCloseTo(expected[i]!, 5);
    expect(tokens.at(-1)).toBe(sampleToken(logits!, draw));
  }
  for (const width of [2, 4, 8]) {
    const rows = [...draws.slice(8 - width)].reverse();
    expect(await probabilities(rows)).toEqual(rows.map(({ row }) => alone[row]));
    expect(await sample(rows)).toEqual(rows.map(({ row }) => tokens[row]));
  }
  expect(await sample(draws, [5, 0, 7])).toEqual([tokens[5], tokens[0], tokens[7]]);
  expect(
    (
      await sample(
        draws.slice(0, 2),
        [1, 2].map((row) => row % 3),
      )
    )[1],
  ).toBe(-1);
});

test("mask, bias and penalties change their rows, as the reference does, and no other", async () => {
  const rows = [0, 1, 2, 3];
  const mask = Int32Array.from({ length: rows.length * MASK_WORDS }, (_, i) => Math.imul(i + 1, 0x9e3779b1));
  const entries = [
    { row: 3, sequence: 1, token: 5, count: 2, bias: 1.5 },
    { row: 1, sequence: 0, token: 5, count: 1, bias: -2 },
    { row: 3, sequence: 1, token: VOCABULARY - 1, count: 4, bias: 100 },
    { row: 0, sequence: 0, token: 64, count: 3, bias: 0.25 },
  ];
  const penalties = [
    { presence_penalty: 0.5, frequency_penalty: 0.25, repetition_penalty: 1.5 },
    { presence_penalty: -0.5, frequency_penalty: 1, repetition_penalty: 1.25 },
  ];
  const int32 = (key: "row" | "sequence" | "token" | "count") => Int32Array.from(entries, (one) => one[key]);
  const change = async (
    name: string,
    rest: (gpu: (numbers: Numbers, shape?: number[]) => unknown) => unknown[],
  ) =>
    split(
      await library.compute((call, gpu) => {
        const logits = gpu(join(logitsOf(rows)), [rows.length, VOCABULARY]);
        call(name, logits, ...rest(gpu));
        return logits;
      }),
    );
  const expectRows = (
    got: Float32Array[],
    expected: (row: number, before: Float32Array) => ArrayLike<number>,
  ) => {
    for (const [row, before] of logitsOf(rows).entries()) {
      const wanted = expected(row, before);
      for (let i = 0; i < VOCABULARY; i++)
        expect([row, i, got[row]![i]]).toEqual([row, i, Math.fround(wanted[i]!)]);
    }
  };

  const masked = await change("apply_bitmask_inplace", (gpu) => [
    gpu(Int32Array.from([2, 0])),
    gpu(mask, [rows.length, MASK_WORDS]),
  ]);
  expectRows(masked, (row, before) =>
    before.map((value, i) => {
      const isAllowed = (mask[row * MASK_WORDS + (i >> 5)]! >>> (i & 31)) & 1;
      return row % 2 || isAllowed ? value : LOWEST;
    }),
  );

  const biased = await change("apply_logit_bias_inplace", (gpu) => [
    gpu(int32("row")),
    gpu(int32("token")),
    gpu(Float32Array.from(entries, ({ bias }) => bias)),
  ]);
  expectRows(biased, (row, before) => {
    for (const one of entries) if (one.row === row) before[one.token]! += one.bias;
    return before;
  });

  const sequenceRows = [2, 1];
  const penalized = await change("apply_penalty_inplace", (gpu) => [
    gpu(Int32Array.from(sequenceRows)),
    gpu(int32("sequence")),
    gpu(int32("token")),
    gpu(int32("count")),
    gpu(Float32Array.from(penalties.flatMap((one) => Object.values(one))), [2, 3]),
  ]);
  for (const [row, before] of logitsOf(rows).entries()) {
    const sequence = sequenceRows.indexOf(row);
    const counts = new Map(
      entries.filter((one) => one.sequence === sequence).map((one) => [one.token, one.count] as const),
    );
    const expected = sequence < 0 ? before : penalize(before, counts, penalties[sequence]!);
    for (let i = 0; i < VOCABULARY; i++) expect(penalized[row]![i]).toBeCloseTo(expected[i]!, 4);
  }
});

test("tensors that do not fit together are refused in words", async () => {
  const refuse = (name: string, shapes: [number[], "int" | "float"][]) =>
    expect(
      library.compute(
        (call, gpu) =>
          call(
            name,
            ...shapes.map(([shape, type]) => {
              const size = shape.reduce((product, one) => product * one, 1);
              return gpu(type === "int" ? new Int32Array(size) : new Float32Array(size), shape);
            }),
          ) as ReturnType<typeof gpu>,
      ),
    ).rejects;
  const logits: [number[], "float"] = [[2, VOCABULARY], "float"];
  await refuse("softmax_with_temperature", [logits, [[1], "float"]]).toThrow(
    /argument 2 must have 2 numbers, got 1/,
  );
  await refuse("argsort_probs", [[[2, 7], "float"]]).toThrow(/argument 1 must hold rows/);
  await refuse("apply_bitmask_inplace", [logits, [[1], "int"], [[1, MASK_WORDS], "int"]]).toThrow(
    /argument 3 must have 18 numbers, got 9/,
  );
  await refuse("sample_with_top_p", [logits, logits, [[2], "float"], [[3], "int"], [[2], "float"]]).toThrow(
    /argument 3 must have 3 numbers, got 2/,
  );
});
