import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { Tokenizer } from "@huggingface/tokenizers";
import { describe, expect, test } from "vitest";
import { exportGguf } from "../../../../../models/gguf/llama-gguf.ts";
import { GgufTokenizer } from "../../../../../worker/engines/llamacpp/tokenizer/gguf-tokenizer.ts";
import { type GgufValue, parseMetadata } from "../../../../../worker/model-store/gguf/metadata.ts";
import { fc } from "../../../../support/random.ts";

const folder = resolve(import.meta.dirname, "../../../../../models/tiny-chat");
const { values: tiny } = parseMetadata(await exportGguf(folder, "q8_0"));

describe("infetch-tiny from its GGUF", () => {
  const published = readFile(resolve(folder, "tokenizer.json"), "utf8").then(
    (text) => new Tokenizer(JSON.parse(text), {}),
  );
  const words = fc.constantFrom(
    " ",
    "  ",
    "\n",
    "\n\n",
    "12",
    "it's",
    "<think>",
    "<|im_end|>",
    "é",
    "Hello",
    "\t",
    ".",
  );
  const text = fc
    .array(fc.oneof(words, fc.string({ unit: "grapheme" })), { maxLength: 12 })
    .map((parts) => parts.join(""));

  test("any text has the tokens that the published tokenizer gives it, and they are its text again", async () => {
    const reference = await published;
    const tokenizer = new GgufTokenizer(tiny);
    expect(tokenizer.vocabularySize).toBe(1536);
    fc.assert(
      fc.property(text, (text) => {
        const tokens = tokenizer.encode(text);
        expect(tokens).toEqual(reference.encode(text, { add_special_tokens: false }).ids);
        expect(tokenizer.decode(tokens)).toBe(text);
      }),
      { numRuns: 300 },
    );
  });

  test("the parts of any text have its tokens together", () => {
    const tokenizer = new GgufTokenizer(tiny);
    const parts = tokenizer.split("<|im_start|>user\nHi<|im_end|><|im_end|>\n");
    expect(parts).toEqual(["<|im_start|>", "user\nHi", "<|im_end|>", "<|im_end|>", "\n"]);
    fc.assert(
      fc.property(text, (text) => {
        const all = tokenizer.split(text).flatMap((part) => tokenizer.encode(part));
        expect(all).toEqual(tokenizer.encode(text));
      }),
      { numRuns: 300 },
    );
  });
});

test.each([
  ["tokenizer.ggml.tokens", [1, 2], "string"],
  ["tokenizer.ggml.merges", [1, 2], "string"],
  ["tokenizer.ggml.merges", "a b", "string"],
  ["tokenizer.ggml.token_type", ["a", "b"], "number"],
] as [string, GgufValue, string][])("%s of a wrong type are refused by name: %j", (key, value, type) => {
  expect(() => new GgufTokenizer(new Map(tiny).set(key, value))).toThrow(
    expect.objectContaining({
      code: "model_load_failed",
      message: `The file is not a usable GGUF model: its ${key} are not of type ${type}.`,
    }),
  );
});

describe("a SentencePiece vocabulary", () => {
  const tokens = [
    "<unk>",
    "<s>",
    "</s>",
    "<0x0A>",
    "<0xC3>",
    "<0xA9>",
    "▁",
    "a",
    "b",
    "▁a",
    "ab",
    "▁ab",
    "<sys>",
  ];
  const metadata = new Map<string, GgufValue>([
    ["tokenizer.ggml.model", "llama"],
    ["tokenizer.ggml.tokens", tokens],
    ["tokenizer.ggml.scores", [0, 0, 0, 0, 0, 0, -9, -8, -7, -3, -2, -1, 0]],
    ["tokenizer.ggml.token_type", [2, 3, 3, 6, 6, 6, 1, 1, 1, 1, 1, 1, 3]],
  ]);

  test("joins what gives the best piece, begins with a space, and writes other characters as bytes", () => {
    const tokenizer = new GgufTokenizer(metadata);
    const pieces = (text: string): string[] => tokenizer.encode(text).map((id) => tokens[id]!);
    expect(pieces("ab ab")).toEqual(["▁ab", "▁ab"]);
    expect(pieces("aab")).toEqual(["▁a", "ab"]);
    expect(pieces("aé\n")).toEqual(["▁a", "<0xC3>", "<0xA9>", "<0x0A>"]);
    expect(pieces("<sys>")).toEqual(["<sys>"]);
    expect(tokenizer.decode(tokenizer.encode("ab é\na"))).toBe("ab é\na");
  });

  test("is split at the longest of the tokens that are matched as a whole, and each part begins with a space", () => {
    const whole = ["<sys>", "<sys>x", "*", "b<sys>"];
    const more = new Map<string, GgufValue>([
      ...metadata,
      ["tokenizer.ggml.tokens", [...tokens, ...whole.slice(1)]],
      ["tokenizer.ggml.scores", [...tokens, ...whole.slice(1)].map(() => 0)],
      ["tokenizer.ggml.token_type", [...tokens.map((token) => (token === "<sys>" ? 4 : 1)), 4, 4, 4]],
    ]);
    const tokenizer = new GgufTokenizer(more);
    expect(tokenizer.split("a<sys>xb<sys>x*")).toEqual(["a", "<sys>x", "b<sys>", "x", "*"]);
    const text = fc
      .array(fc.constantFrom(...whole, "a", "b", " ", "x", "<"), { maxLength: 12 })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, (text) => {
        const all = tokenizer.split(text).flatMap((part) => tokenizer.encode(part));
        expect(all).toEqual(tokenizer.encode(text));
      }),
    );
  });
});

test.each([undefined, "none", "no_vocab"])("a file without a tokenizer (%s) is refused", (model) => {
  const metadata = new Map<string, GgufValue>(model === undefined ? [] : [["tokenizer.ggml.model", model]]);
  expect(() => new GgufTokenizer(metadata)).toThrow(
    expect.objectContaining({ code: "model_load_failed", message: expect.stringContaining("no tokenizer") }),
  );
});

test("a vocabulary of another kind is refused by its name", () => {
  expect(() => new GgufTokenizer(new Map([["tokenizer.ggml.model", "plamo2"]]))).toThrow(
    expect.objectContaining({ code: "model_load_failed", message: expect.stringContaining("'plamo2'") }),
  );
});
