/** The expected pieces follow from llama.cpp's rules and were derived by hand. */

import { SplitPreTokenizer } from "@huggingface/tokenizers";
import { describe, expect, test } from "vitest";
import { GgufTokenizer } from "../../../../../worker/engines/llamacpp/tokenizer/gguf-tokenizer.ts";
import {
  isKnownPreTokenizer,
  preTokenizerNames,
  preTokenizerOf,
} from "../../../../../worker/engines/llamacpp/tokenizer/pre-tokenizers.ts";
import type { GgufValue } from "../../../../../worker/model-store/gguf/metadata.ts";
import { fc } from "../../../../support/random.ts";

const splitters = new Map<string, SplitPreTokenizer[]>();

/** Splits as the tokenizer does; each name's patterns are compiled once. */
function split(name: string, text: string): string[] {
  const configs = preTokenizerOf(name).patterns.map((Regex) => ({ type: "Split", pattern: { Regex } }));
  const compiled =
    splitters.get(name) ??
    configs.map((config) => new SplitPreTokenizer({ ...config, invert: false } as never));
  splitters.set(name, compiled);
  let pieces = [text];
  for (const splitter of compiled) pieces = pieces.flatMap((piece) => splitter.pre_tokenize_text(piece));
  return pieces;
}

describe("splits", () => {
  test.each<[name: string, text: string, pieces: string[]]>([
    // GPT-2: lower-case contractions, one space before a word, numbers of any length.
    ["gpt-2", "I'll DON'T  wait 2024!", ["I", "'ll", " DON", "'", "T", " ", " wait", " 2024", "!"]],
    ["exaone4", "a\n\nb \t", ["a", "\n", "\n", "b", " \t"]],
    // Single digits, with the space before them on its own.
    ["starcoder", "x 12", ["x", " ", "1", "2"]],
    ["minerva-7b", "x 12", ["x", " ", "1", "2"]],
    // Any character but a line end may precede a word; contractions in any case.
    ["llama-bpe", "(foo) DON'T 12345", ["(foo", ")", " DON", "'T", " ", "123", "45"]],
    ["lfm2", "a\n\n  b", ["a", "\n\n", " ", " b"]],
    ["qwen2", "v12.5\n", ["v", "1", "2", ".", "5", "\n"]],
    ["kormo", "x!?\n\ny", ["x", "!?\n\n", "y"]],
    // Combining marks end a word in qwen2 and belong to it in qwen35.
    ["qwen2", "e\u0301a", ["e", "\u0301a"]],
    ["qwen35", "e\u0301a", ["e\u0301a"]],
    ["ufakzeka", "Ali'den", ["Ali", "'den"]],
    ["megrez", "Ali'den", ["Ali", "'d", "en"]],
    // Lines are split first, so a line end does not follow symbols.
    ["laguna", "x!\ny", ["x", "!", "\n", "y"]],
    ["minicpm5", "1234", ["123", "4"]],
    ["bailingmoe2", "a!\n\n \nb", ["a", "!\n\n", " \n", "b"]],
    // One line end, or none, follows symbols.
    ["seed-coder", "a!\nb12", ["a", "!", "\n", "b", "1", "2"]],
    ["exaone-moe", "two words!\n\nx", ["two words", "!\n", "\n", "x"]],
    // Runs of white space in powers of two: 7 = 4 + 2, and the last space belongs to the word.
    ["jais-2", `a${" ".repeat(7)}b`, ["a", "    ", "  ", " b"]],
    // The case of ASCII letters splits words; other letters have both cases.
    ["tekken", "camelCase HTTPServer it's/", ["camel", "Case", " HTTPServer", " it", "'s", "/"]],
    ["gpt-4o", "camelCase it's 1234/\n", ["camel", "Case", " it's", " ", "123", "4", "/\n"]],
    ["llama4", "aÉb", ["aÉb"]],
    // Combining marks belong to words.
    ["granite-embed-multi-97m", "aB\u0301c", ["a", "B\u0301c"]],
    ["gpt-4o", "e\u0301a हिन्दी", ["e\u0301a", " हिन्दी"]],
    ["pixtral", "aB\u0301c 12", ["a", "B\u0301c", " ", "1", "2"]],
    ["nemotron-3.5-embed", "हिन्दी", ["हिन्दी"]],
    ["k2-horizon", "e\u0301a می\u200cروم 1234", ["e\u0301a", " می\u200cروم", " ", "123", "4"]],
    // Groups of three digits from the right, without what precedes the number.
    ["tekken-num3", "n=1234567", ["n", "=", "1", "234", "567"]],
    // Digits in groups of three from the right; llama.cpp ignores case here.
    ["tiny_aya", "camelCase 1234567", ["camelCase", " ", "1", "234", "567"]],
    ["afmoe", "n=1234", ["n", "=", "1", "234"]],
    ["superbpe", "many words 1234567", ["many words ", "1", "234", "567"]],
    ["kimi-k2", "a中文b's", ["a", "中文", "b's"]],
    ["youtu", "a，한국中", ["a", "，", "한국", "中"]],
    // Letters without a case are no words; Chinese and numbers are on their own.
    ["deepseek-llm", " hi 12你好\n", [" hi", " ", "12", "你好", "\n"]],
    ["deepseek-llm", "a שלום", ["a", " שלום"]],
    ["deepseek-coder", "if (x) 12", ["if", " (", "x", ")", " ", "1", "2"]],
    ["deepseek-v3", "1234_x~ ok~~\n", ["123", "4", "_x", "~", " ok", "~~\n"]],
    ["hunyuan-dense", "漢字abc", ["漢字", "abc"]],
    // The number is split again after its groups of three.
    ["spark2_5", "12\n\n", ["1", "2", "\n", "\n"]],
    // Punctuation is isolated before words are.
    ["falcon", "don't `x` 1234", ["don", "'", "t", " ", "`", "x", "`", " ", "123", "4"]],
    ["default", "a+b", ["a", "+", "b"]],
    // Everything but white space and some punctuation is a word.
    ["bloom", "a-b c. 12", ["a-b", " c", ".", " 12"]],
    ["viking", "v1 x", ["v", "1", " x"]],
    ["chameleon", "aIMGIMGABZ12  c", ["a", "IMGIMGABZ", "1", "2", "  ", "c"]],
    ["gemma4", "a b\n\nc", ["a b", "\n\n", "c"]],
  ])("%s: %j", (name, text, pieces) => {
    expect(split(name, text)).toEqual(pieces);
  });
});

describe("names", () => {
  test("that llama.cpp knows are known", () => {
    for (const name of ["default", "qwen35", "glm4", "hy_v4", "jina-v2-code", "a.x-4.0"])
      expect(isKnownPreTokenizer(name)).toBe(true);
    expect(new Set(preTokenizerNames).size).toBe(preTokenizerNames.length);
  });

  test("with which llama.cpp takes whole tokens first do so here", () => {
    for (const name of ["glm4", "glm5", "pixtral", "llama-bpe", "nemotron-3.5-embed"])
      expect(preTokenizerOf(name).ignoresMerges).toBe("always");
    for (const name of ["chatglm-bpe", "qwen2", "k2-horizon"])
      expect(preTokenizerOf(name).ignoresMerges).toBe("never");
  });

  test("that it does not know are unknown, and split as llama3 without ignoring merges", () => {
    for (const name of ["phi2", "", "toString", "__proto__", "GPT-2"])
      expect(isKnownPreTokenizer(name)).toBe(false);
    expect(preTokenizerOf("phi2")).toEqual({ ...preTokenizerOf("llama3"), ignoresMerges: "never" });
  });
});

test.each(preTokenizerNames)("%s loses no text", (name) => {
  const parts = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.string({ unit: "binary" }),
    fc.constantFrom(
      " ",
      "  ",
      "\n",
      "\r\n",
      "\t",
      "'s",
      "'LL",
      "12345",
      "٣",
      "½",
      "中文",
      "~",
      "IMGIMGAZ",
      "é",
    ),
  );
  const text = fc.array(parts, { maxLength: 12 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, (text) => {
      expect(split(name, text).join("")).toBe(text);
    }),
  );
});

/** A tokenizer for the given entries; all tokens are normal ones unless `types` says otherwise. */
function tokenizerOf(entries: Record<string, GgufValue>): GgufTokenizer {
  return new GgufTokenizer(
    new Map(Object.entries(entries).map(([key, value]) => [`tokenizer.ggml.${key}`, value])),
  );
}

describe("byte-level vocabularies", () => {
  const tokens = ["a", "b", "1", "2", "12", "Ġ", "ab", "<|im_end|>", "<|tag|>", "<"];
  const merges = ["1 2"];
  const gpt2 = { model: "gpt2", tokens, merges };

  test("report a pre-tokenizer that is not known", () => {
    expect(tokenizerOf({ ...gpt2, pre: "brand-new" }).unknownPreTokenizer).toBe("brand-new");
    expect(tokenizerOf({ ...gpt2, pre: "qwen2" }).unknownPreTokenizer).toBeUndefined();
  });

  test("without a name have the default pre-tokenizer", () => {
    const unnamed = tokenizerOf(gpt2);
    expect(unnamed.unknownPreTokenizer).toBeUndefined();
    expect(unnamed.encode("12")).toEqual([4]);
    expect(tokenizerOf({ ...gpt2, pre: "" }).unknownPreTokenizer).toBeUndefined();
  });

  test("merge within the pieces only, and not at all where a piece is a token", () => {
    expect(tokenizerOf({ ...gpt2, pre: "gpt-2" }).encode("12")).toEqual([4]);
    expect(tokenizerOf({ ...gpt2, pre: "qwen2" }).encode("12")).toEqual([2, 3]);
    expect(tokenizerOf({ ...gpt2, pre: "gpt-2" }).encode("ab")).toEqual([0, 1]);
    expect(tokenizerOf({ ...gpt2, pre: "llama-bpe" }).encode("ab")).toEqual([6]);
  });

  test("have tokens that end a turn matched as a whole, whatever their type", () => {
    const typed = { ...gpt2, pre: "gpt-2", token_type: [1, 1, 1, 1, 1, 1, 1, 1, 1, 1] };
    expect(tokenizerOf(typed).encode("a<|im_end|>b")).toEqual([0, 7, 1]);
    expect(tokenizerOf(typed).encode("<|tag|>")).not.toContain(8);
    for (const type of [2, 3, 4])
      expect(
        tokenizerOf({ ...typed, token_type: [1, 1, 1, 1, 1, 1, 1, 1, type, 1] }).encode("<|tag|>"),
      ).toEqual([8]);
  });
});

describe("SentencePiece vocabularies", () => {
  const tokens = ["<unk>", "▁", "a", "b", "aa", "ab", "ba", "<|end|>"];
  const llama = { model: "llama", tokens, add_space_prefix: false, token_type: [2, 1, 1, 1, 1, 1, 1, 3] };

  test("of equal scores merge from left to right, and have no pre-tokenizer", () => {
    const tokenizer = tokenizerOf({ ...llama, pre: "brand-new", scores: [0, 0, 0, 0, -1, -1, -1, 0] });
    expect(tokenizer.unknownPreTokenizer).toBeUndefined();
    expect(tokenizer.encode("aab")).toEqual([4, 3]);
    expect(tokenizer.encode("baab")).toEqual([6, 5]);
    expect(tokenizer.encode("aaa")).toEqual([4, 2]);
  });

  test("merge the best score first", () => {
    const tokenizer = tokenizerOf({ ...llama, scores: [0, 0, 0, 0, -3, -1, -2, 0] });
    expect(tokenizer.encode("aab")).toEqual([2, 5]);
    expect(tokenizer.encode("bab")).toEqual([3, 5]);
  });

  test("match the unknown token as a whole", () => {
    expect(tokenizerOf({ ...llama, scores: [] }).encode("a<unk>b")).toEqual([2, 0, 3]);
  });

  test("of Phi-3 drop ASCII white space after special tokens", () => {
    const entries = Object.entries({ ...llama, scores: [] }).map(
      ([key, value]) => [`tokenizer.ggml.${key}`, value] as [string, GgufValue],
    );
    const phi = new GgufTokenizer(new Map([...entries, ["general.name", "Phi3 mini"]]));
    expect(phi.encode("a <|end|> \n b <unk> a")).toEqual([2, 1, 7, 3, 1, 0, 1, 2]);
    expect(new GgufTokenizer(new Map(entries)).encode("<|end|> b")).toEqual([7, 1, 3]);
  });
});

describe("Gemma 4 vocabularies", () => {
  const tokens = [
    "<unk>",
    "a",
    "b",
    "▁",
    "ab",
    "▁a",
    "\n",
    "\n\n",
    "<0xC3>",
    "<0xA9>",
    "</s>",
    "<|tool_response>",
  ];
  const gemma4 = { model: "gemma4", tokens, merges: ["▁ a", "a b"] };

  test("merge the text of a line by the list of merges, with bytes for other characters", () => {
    const tokenizer = tokenizerOf(gemma4);
    expect(tokenizer.unknownPreTokenizer).toBeUndefined();
    expect(tokenizer.encode("ab ab")).toEqual([4, 5, 2]);
    expect(tokenizer.encode("aé")).toEqual([1, 8, 9]);
    expect(tokenizer.decode(tokenizer.encode("ab abé\na"))).toBe("ab abé\na");
  });

  test("keep runs of line ends that are tokens", () => {
    expect(tokenizerOf(gemma4).encode("a\n\nb")).toEqual([1, 7, 2]);
    expect(tokenizerOf(gemma4).encode("\n\n\n")).toEqual([6, 6, 6]);
  });

  test("have `</s>` as text", () => {
    expect(tokenizerOf(gemma4).encode("a<|tool_response>")).toEqual([1, 11]);
    expect(tokenizerOf(gemma4).encode("</s>")).not.toContain(10);
  });
});

// With a pattern that tries again from every character, each of these took minutes.
test.each([
  ["tiny_aya", "a text without digits, ".repeat(20_000)],
  ["afmoe", "a text without digits, ".repeat(20_000)],
  ["deepseek-llm", `${" ".repeat(400_000)}7`],
])("%s splits a long text", (name, text) => {
  expect(split(name, text).join("")).toBe(text);
});
