/** Vectors and tokens of llama.cpp itself, in its compat build, against plain arithmetic and the tokenizer here. */

import { Wllama } from "@wllama/wllama/esm/index.js";
import { afterEach, expect, test, vi } from "vitest";
import { type MetadataValue, writeGguf } from "../../../../../models/gguf/gguf-file.ts";
import { frameOf } from "../../../../../worker/engines/llamacpp/embeddings/embedding-frame.ts";
import type { LlamaInstance } from "../../../../../worker/engines/llamacpp/llama-instance.ts";
import { GgufTokenizer } from "../../../../../worker/engines/llamacpp/tokenizer/gguf-tokenizer.ts";
import { parseMetadata } from "../../../../../worker/model-store/gguf/metadata.ts";
import {
  BERT_TOKENS,
  CLS,
  flag,
  pooled,
  SEP,
  type TinyEncoder,
  text,
  tinyBert,
  tinyQwen,
  uint32,
} from "../../../../support/gguf/tiny-encoders.ts";
import { loadLlamaInstance } from "../../../../support/node-llamacpp.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

async function load(
  model: TinyEncoder,
  pooling: "mean" | "cls" | "last" = "mean",
  batchTokens = 128,
  contextWindow = 128,
) {
  const spy = vi.spyOn(Wllama.prototype, "createEmbedding");
  const { metadata, tensors } = model.contents;
  const file = writeGguf(metadata, tensors);
  const instance = await loadLlamaInstance([new Blob([new Uint8Array(file)])], {
    contextWindow,
    embedding: { pooling, batchTokens },
  });
  await instance.embed([5], true);
  const wllama = spy.mock.contexts[0] as Wllama;
  return { instance, wllama, values: parseMetadata(file).values };
}

function expectVector(actual: ArrayLike<number>, expected: readonly number[]): void {
  expect(actual).toHaveLength(expected.length);
  const most = Math.hypot(...expected) / 2_000;
  for (const [at, value] of expected.entries()) expect(Math.abs(actual[at]! - value)).toBeLessThan(most);
}

const WHOLE_CONTEXT = [CLS, ...Array.from({ length: 126 }, (_, at) => 5 + (at % 40)), SEP];

test.each(["mean", "cls", "last"] as const)("a BERT is pooled by %s", async (pooling) => {
  const model = tinyBert();
  const { instance } = await load(model, pooling);
  for (const tokens of [[CLS, 5, 6, SEP], WHOLE_CONTEXT]) {
    expectVector(await instance.embed(tokens, true), pooled(model.states(tokens), pooling));
  }
  const [bare] = await instances(instance, [[CLS, 5, 6, SEP]], false);
  expect(Math.hypot(...bare!)).toBeGreaterThan(2);
});

test("a decoder's last token is pooled, though its input is computed in parts", async () => {
  const model = tinyQwen();
  const { instance } = await load(model, "last", 32);
  const long = Array.from({ length: 100 }, (_, at) => at % 90);
  // The second shares its beginning with the first, which llama.cpp does not compute again.
  for (const tokens of [long, [...long.slice(0, 70), 3, 4], [5, 6]]) {
    expectVector(await instance.embed(tokens, true), pooled(model.states(tokens), "last"));
  }
});

test("llama.cpp refuses an input that fills the context, also where it cannot be split", async () => {
  const model = tinyQwen({ "qwen3.attention.causal": flag(false) });
  const { instance } = await load(model, "last", 256, 256);
  const tokens = Array.from({ length: 256 }, (_, at) => at % 90);
  expect(await instance.embed(tokens.slice(1), true)).toHaveLength(64);
  await expect(instance.embed(tokens, true)).rejects.toThrow(
    "exceeds the available context size (256 tokens)",
  );
});

async function instances(instance: LlamaInstance, inputs: number[][], normalize: boolean) {
  const vectors: Float32Array[] = [];
  for (const tokens of inputs) vectors.push(await instance.embed(tokens, normalize));
  return vectors;
}

/** The tokens of XLM-RoBERTa are pieces with scores, in the same places. */
const UNIGRAM: Record<string, MetadataValue> = {
  "tokenizer.ggml.model": text("t5"),
  "tokenizer.ggml.pre": text("default"),
  "tokenizer.ggml.tokens": {
    type: "array",
    of: "string",
    values: ["<pad>", "<unk>", "<s>", "</s>", "<mask>", ...BERT_TOKENS.slice(5, -2), "▁", "llo"],
  },
  "tokenizer.ggml.token_type": {
    type: "array",
    of: "int32",
    values: BERT_TOKENS.map((_, id) => (id === 1 ? 2 : id < 5 ? 3 : 1)),
  },
  "tokenizer.ggml.scores": {
    type: "array",
    of: "float32",
    values: BERT_TOKENS.map((token, id) => (id < 5 ? 0 : -12 + token.length + (id % 7) / 10)),
  },
  "tokenizer.ggml.bos_token_id": uint32(CLS),
  "tokenizer.ggml.eos_token_id": uint32(SEP),
  "tokenizer.ggml.add_bos_token": flag(true),
  "tokenizer.ggml.add_eos_token": flag(true),
  "tokenizer.ggml.add_space_prefix": flag(true),
  "tokenizer.ggml.remove_extra_whitespaces": flag(true),
};

const TEXTS = [
  "hello",
  "parcel hello Tuesday, the WORLD? ! on",
  "(Héllò) crème brûlée — naïve",
  "  spaced \t out\n\n  ",
  "hellohello helloing zzz x'y",
  "中文 parcel中",
  "[SEP] in the middle [MASK], </s> too",
  "日本 \u{1F600} unknown",
  "a".repeat(101),
];

test.each([
  ["WordPiece", tinyBert()],
  ["WordPiece with cases", tinyBert({ "tokenizer.ggml.normalizer.lowercase": flag(false) })],
  ["Unigram", tinyBert(UNIGRAM)],
  ["byte-level BPE", tinyQwen()],
  ["words of text", tinyQwen({ "tokenizer.ggml.pre": text("whitespace") })],
])("%s: the tokens are llama.cpp's own, with those that it adds", async (name, model) => {
  const { instance, wllama, values } = await load(
    model,
    "qwen3.pooling_type" in model.contents.metadata ? "last" : "mean",
  );
  const tokenizer = new GgufTokenizer(values);
  const { before, after } = frameOf(values, instance);
  // The tiny vocabulary lacks the other bytes; and llama.cpp aborts at some white space of words of text: infetch sends tokens.
  const readable = { "byte-level BPE": /^[\n\x20-\x7e]*$/, "words of text": /^(?!.*\s\s)/s }[name] ?? /^/;
  for (const input of TEXTS.filter((one) => readable.test(one))) {
    const answer = await wllama.createEmbedding({ input });
    const tokens = [...before, ...tokenizer.encode(input), ...after];
    expect(tokens.length, JSON.stringify(input)).toBe(answer.usage.prompt_tokens);
    const vector = await instance.embed(tokens, true);
    expectVector(vector, answer.data[0]!.embedding as number[]);
  }
});
