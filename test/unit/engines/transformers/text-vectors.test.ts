import type { Tensor } from "@huggingface/transformers";
import { describe, expect, test, vi } from "vitest";
import { EngineError, type EngineErrorCode } from "../../../../worker/engine-api/engine-error.ts";
import type { EmbeddingFiles } from "../../../../worker/engines/transformers/files/embedding-files.ts";
import type { ModuleConfiguration } from "../../../../worker/engines/transformers/modules/module-configuration.ts";
import { chooseVectors } from "../../../../worker/engines/transformers/text-vectors.ts";

const MODULES: ModuleConfiguration = {
  pooling: "mean",
  normalize: false,
  prefixes: { query: "", document: "" },
  maxTokens: undefined,
};

/** The names of a network's inputs and outputs. */
const network = (...outputNames: string[]) => ({
  inputNames: ["input_ids", "attention_mask"],
  outputNames,
});

function tensor(dims: number[], numbers: number[], more: object = {}): Tensor {
  return {
    type: "float32",
    dims,
    data: Float32Array.from(numbers),
    location: "cpu",
    ...more,
  } as unknown as Tensor;
}

/** The files of a Dense module in `2_Dense`. */
function files(configuration: object | undefined, weights: ArrayBuffer | undefined): EmbeddingFiles {
  return {
    json: async () => configuration,
    fetch: async () => (weights ? new Response(weights) : new Response(null, { status: 404 })),
    missing: (_name: string, message: string, code: EngineErrorCode, options: { param: string }) =>
      new EngineError(code, message, options),
    addressOf: (name: string) => `https://models.test/m/${name}`,
  } as unknown as EmbeddingFiles;
}

const NO_FILES = files(undefined, undefined);

interface Part {
  dtype: string;
  shape: number[];
  bytes: Uint8Array;
}

/** A file in the format of safetensors. */
function safetensors(parts: Record<string, Part>): ArrayBuffer {
  let at = 0;
  const entries = Object.entries(parts).map(([name, { dtype, shape, bytes }]) => {
    const begin = at;
    at += bytes.length;
    return [name, { dtype, shape, data_offsets: [begin, at] }];
  });
  const header = new TextEncoder().encode(JSON.stringify(Object.fromEntries(entries)));
  const length = new Uint8Array(BigUint64Array.of(BigInt(header.length)).buffer);
  const all = [length, header, ...Object.values(parts).map(({ bytes }) => bytes)];
  return Uint8Array.from(all.flatMap((part) => [...part])).buffer;
}

const f32 = (shape: number[], numbers: number[]): Part => ({
  dtype: "F32",
  shape,
  bytes: new Uint8Array(Float32Array.from(numbers).buffer),
});
const bits16 = (dtype: string, shape: number[], numbers: number[]): Part => ({
  dtype,
  shape,
  bytes: new Uint8Array(Uint16Array.from(numbers).buffer),
});

const DENSE = { in_features: 2, out_features: 3, activation_function: "torch.nn.modules.linear.Identity" };
const WEIGHT = f32([3, 2], [1, 0, 0, 1, 1, 1]);
const STATES = { last_hidden_state: tensor([1, 2, 2], [1, 2, 3, 6]) };
const dense = (configuration: object, parts: Record<string, Part>) =>
  chooseVectors(
    "m",
    { ...MODULES, steps: [{ kind: "Dense", folder: "2_Dense" }] },
    network(),
    files(configuration, safetensors(parts)),
  );

describe("what the network makes itself", () => {
  test("is taken in place of Dense modules, and for steps that are not computed here", async () => {
    const output = { ...STATES, sentence_embedding: tensor([2, 2], [3, 4, 0, 2]) };
    for (const modules of [
      { steps: [{ kind: "Dense", folder: "2_Dense" }] },
      { pooling: "sentence_embedding" },
    ] as const) {
      const own = await chooseVectors(
        "m",
        { ...MODULES, ...modules, normalize: true },
        network(...Object.keys(output)),
        NO_FILES,
      );
      expect(own.pooling).toBe("sentence_embedding");
      expect(
        own.of(output, [2, 1]).map((vector) => [...vector].map((one) => Number(one.toFixed(4)))),
      ).toEqual([
        [0.6, 0.8],
        [0, 1],
      ]);
    }
  });

  test("gives way to a pooling that an option states, which Dense modules follow", async () => {
    const configuration = { ...DENSE, bias: false };
    const vectors = await chooseVectors(
      "m",
      { ...MODULES, pooling: "cls", isPoolingStated: true, steps: [{ kind: "Dense", folder: "2_Dense" }] },
      network("last_hidden_state", "sentence_embedding"),
      files(configuration, safetensors({ "linear.weight": WEIGHT })),
    );
    expect(vectors.pooling).toBe("cls");
    expect([...vectors.of({ ...STATES, sentence_embedding: tensor([1, 1], [9]) }, [2])[0]!]).toEqual([
      1, 2, 3,
    ]);
  });

  test.each([
    ["a vector for each text", "sentence_embedding", [1, 2], /no vector for each text/],
    ["tokens for each text", "mean", [1, 2, 2], /one vector for each token/],
    ["a vector for each token", "mean", [2, 1, 2], /one vector for each token/],
  ] as const)("must have %s", async (_name, pooling, dims, message) => {
    const name = pooling === "mean" ? "last_hidden_state" : pooling;
    const vectors = await chooseVectors("m", { ...MODULES, pooling }, network(name), NO_FILES);
    const output = { [name]: tensor([...dims], [1, 2, 3, 4]) };
    expect(() => vectors.of(output, [2, 1])).toThrow(message);
  });

  test("must be there where nothing else is right", async () => {
    const needed = { ...MODULES, pooling: "sentence_embedding" } as const;
    await expect(chooseVectors("m", needed, network("last_hidden_state"), NO_FILES)).rejects.toMatchObject({
      code: "unsupported_model",
      message: expect.stringMatching(/m cannot be run: its pooling is 'sentence_embedding', an output that/),
    });
  });
});

test("outputs that stay on the GPU are released, also if the vectors cannot be made", async () => {
  const dispose = vi.fn();
  const cache = tensor([1], [0], { location: "gpu-buffer", dispose });
  const vectors = await chooseVectors("m", MODULES, network(), NO_FILES);
  vectors.of({ ...STATES, "present.0.key": cache }, [2]);
  expect(dispose).toHaveBeenCalledTimes(1);
  expect(() => vectors.of({ "present.0.key": cache }, [2])).toThrow("no token embeddings");
  expect(dispose).toHaveBeenCalledTimes(2);
});

test("vectors are cut to the length of the model's files before they are normalized", async () => {
  const states = { last_hidden_state: tensor([1, 1, 3], [3, 4, 12]) };
  const cut = async (normalize: boolean) => {
    const modules = { ...MODULES, normalize, truncateTo: 2 };
    return [
      ...(await chooseVectors("m", modules, network("last_hidden_state"), NO_FILES)).of(states, [1])[0]!,
    ];
  };
  expect(await cut(false)).toEqual([3, 4]);
  expect(await cut(true)).toEqual([0.6, 0.8].map(Math.fround));
});

test("several poolings are joined in their order", async () => {
  const modules = { ...MODULES, pooling: "cls+mean+max+last_token" } as const;
  const vectors = await chooseVectors("m", modules, network("last_hidden_state"), NO_FILES);
  const states = { last_hidden_state: tensor([2, 2, 2], [1, 2, 3, 6, 5, 7, 9, 9]) };
  expect(vectors.of(states, [2, 1]).map((one) => [...one])).toEqual([
    [1, 2, 2, 4, 3, 6, 3, 6],
    [5, 7, 5, 7, 5, 7, 5, 7],
  ]);
});

test("a network without vectors of tokens makes those of texts itself, if its output says so", async () => {
  const vectors = await chooseVectors("m", MODULES, network("sentence_embedding"), NO_FILES);
  expect(vectors.pooling).toBe("sentence_embedding");
  const token = await chooseVectors("m", MODULES, network("text_embeds", "13049"), NO_FILES);
  expect([...token.of({ text_embeds: tensor([1, 2, 2], [1, 2, 3, 6]) }, [2])[0]!]).toEqual([2, 4]);
});

describe("a LayerNorm module", () => {
  const layerNorm = (dimension: unknown) =>
    chooseVectors(
      "m",
      {
        ...MODULES,
        steps: [
          { kind: "LayerNorm", folder: "2_LayerNorm" },
          { kind: "Normalize", folder: "" },
        ],
      },
      network(),
      files({ dimension }, safetensors({ "norm.weight": f32([2], [3, 4]), "norm.bias": f32([2], [0, 1]) })),
    );

  test("is that of PyTorch, before the modules that follow it", async () => {
    // The mean of the tokens is [2, 4]: 1 below and above their mean, and so of variance 1.
    const scale = 1 / Math.sqrt(1 + 1e-5);
    const [x, y] = [-3 * scale, 4 * scale + 1];
    const [vector] = (await layerNorm(2)).of(STATES, [2]);
    expect([...vector!]).toEqual([x, y].map((value) => Math.fround(value / Math.hypot(x, y))));
  });

  test("of another size is refused by name", async () => {
    await expect(layerNorm(3)).rejects.toThrow(/'norm\.weight' has the shape \[2\] instead of \[3\]/);
    await expect(layerNorm("2")).rejects.toThrow(/does not say its dimension/);
  });
});

describe("a Dense module", () => {
  test.each([
    ["its own input", { ...DENSE, out_features: 2 }, { "linear.weight": f32([2, 2], [1, 0, 0, 1]) }, [2, 4]],
    [
      "a projection of it",
      DENSE,
      { "linear.weight": WEIGHT, "residual.weight": f32([3, 2], [1, 1, 0, 0, 0, 2]) },
      [6, 0, 8],
    ],
  ])("with a residual adds %s after the activation", async (_name, configuration, parts, added) => {
    const activation_function = "torch.nn.modules.activation.Tanh";
    const vectors = await dense(
      { ...configuration, activation_function, bias: false, use_residual: true },
      parts as Record<string, Part>,
    );
    const linear = [2, 4, 6].slice(0, added.length);
    expect([...vectors.of(STATES, [2])[0]!]).toEqual(
      linear.map((value, at) => Math.fround(Math.tanh(value) + added[at]!)),
    );
  });

  test("with a residual of another size needs its weights", async () => {
    const loading = dense({ ...DENSE, bias: false, use_residual: true }, { "linear.weight": WEIGHT });
    await expect(loading).rejects.toThrow(/has no 'residual\.weight'/);
  });

  test.each([
    ["F32 with a bias", { "linear.weight": WEIGHT, "linear.bias": f32([3], [0.5, 0, -1]) }, {}, [2.5, 4, 5]],
    ["F32 without", { "linear.weight": WEIGHT }, { bias: false }, [2, 4, 6]],
    // 1, -2, 0.5, 2^-24 (the smallest), 0, 65504 (the largest)
    [
      "F16",
      { "linear.weight": bits16("F16", [3, 2], [0x3c00, 0xc000, 0x3800, 1, 0, 0x7bff]) },
      { bias: false },
      [2 - 8, 1 + 4 * 2 ** -24, 4 * 65504],
    ],
    [
      "BF16",
      { "linear.weight": bits16("BF16", [3, 2], [0x3f80, 0, 0, 0xbf80, 0x4000, 0]) },
      { bias: false },
      [2, -4, 4],
    ],
  ])("%s", async (_name, parts, more, expected) => {
    const vectors = await dense({ ...DENSE, ...more }, parts as Record<string, Part>);
    expect(vectors.pooling).toBe("mean");
    expect([...vectors.of(STATES, [2])[0]!]).toEqual(expected.map(Math.fround));
  });

  test("its activation is Tanh where none is named", async () => {
    const { activation_function: _, ...rest } = DENSE;
    const vectors = await dense({ ...rest, bias: false }, { "linear.weight": WEIGHT });
    expect([...vectors.of(STATES, [2])[0]!]).toEqual([2, 4, 6].map((one) => Math.fround(Math.tanh(one))));
  });

  const good = { "linear.weight": WEIGHT };
  test.each([
    ["a count is none", { ...DENSE, in_features: "2" }, good, /in_features and out_features/],
    ["a count is negative", { ...DENSE, out_features: -1 }, good, /in_features and out_features/],
    ["the bias is missing", DENSE, good, /has no 'linear\.bias'/],
    ["the weight is missing", DENSE, {}, /has no 'linear\.weight'/],
    ["the shape is another", DENSE, { "linear.weight": f32([2, 3], [1, 2, 3, 4, 5, 6]) }, /shape \[2,3\]/],
    [
      "the numbers are cut off",
      DENSE,
      { "linear.weight": { ...WEIGHT, bytes: new Uint8Array(5) } },
      /cut off/,
    ],
    ["the numbers are integers", DENSE, { "linear.weight": { ...WEIGHT, dtype: "I32" } }, /I32, not F32/],
  ])("is refused by name: %s", async (_name, configuration, parts, message) => {
    await expect(dense(configuration, parts as Record<string, Part>)).rejects.toMatchObject({
      code: "model_load_failed",
      message: expect.stringMatching(message),
    });
  });

  // `Dense` of sentence-transformers 5; no other backend or precision of the weights would do better.
  test.each([
    ["activation_function", "x.constructor", /activation constructor/],
    ["module_input_name", "token_embeddings", /module_input_name/],
    ["module_output_name", "scores", /module_output_name/],
  ])("that is computed in another way is an unsupported model: %s", async (field, value, message) => {
    const loading = dense({ ...DENSE, bias: false, [field]: value }, { "linear.weight": WEIGHT });
    await expect(loading).rejects.toMatchObject({
      code: "unsupported_model",
      param: "model",
      message: expect.stringMatching(message),
    });
  });

  test("may name what it reads and writes, and say that it adds nothing", async () => {
    const names = { module_input_name: "sentence_embedding", module_output_name: null, use_residual: false };
    const vectors = await dense({ ...DENSE, bias: false, ...names }, { "linear.weight": WEIGHT });
    expect([...vectors.of(STATES, [2])[0]!]).toEqual([2, 4, 6]);
  });

  test.each([
    ["is empty", new ArrayBuffer(0)],
    ["says that it is longer than it is", BigUint64Array.of(2n ** 60n, 0n).buffer],
    ["has a header that is no JSON", Uint8Array.of(2, 0, 0, 0, 0, 0, 0, 0, 123, 123).buffer],
    ["has a header that is a list", Uint8Array.of(2, 0, 0, 0, 0, 0, 0, 0, 91, 93).buffer],
  ])("whose file %s is refused by name", async (_name, bytes) => {
    const loading = chooseVectors(
      "m",
      { ...MODULES, steps: [{ kind: "Dense", folder: "2_Dense" }] },
      network(),
      files(DENSE, bytes),
    );
    await expect(loading).rejects.toMatchObject({
      code: "model_load_failed",
      message: expect.stringContaining("https://models.test/m/2_Dense/model.safetensors"),
    });
  });

  test("without its file is missing it", async () => {
    const loading = chooseVectors(
      "m",
      { ...MODULES, steps: [{ kind: "Dense", folder: "2_Dense" }] },
      network(),
      files(DENSE, undefined),
    );
    // No other precision of the weights has it.
    await expect(loading).rejects.toMatchObject({
      code: "unsupported_model",
      message: expect.stringMatching(
        /Dense module needs https:\S+2_Dense\/model\.safetensors, which was not found/,
      ),
    });
  });

  test("that takes another number of inputs fails at the first run", async () => {
    const vectors = await dense(
      { ...DENSE, in_features: 1, bias: false },
      { "linear.weight": f32([3, 1], [1, 1, 1]) },
    );
    expect(() => vectors.of(STATES, [2])).toThrow("takes 1 numbers, not 2");
  });
});
