/**
 * Tokens of published vocabularies by their GGUF file, BERT also as transformers.js reads it. The table follows
 * from BERT's rules. `VOCABULARIES_PATH` names a folder of llama.cpp's `ggml-vocab-*.gguf`, whose `.inp` and `.out` files
 * are compared, too; they are not part of this project.
 */

import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
// The tokenizer that transformers.js runs.
import { Tokenizer } from "@huggingface/tokenizers";
import { expect, test } from "vitest";
import { GgufTokenizer } from "../../../worker/engines/llamacpp/tokenizer/gguf-tokenizer.ts";
import { type GgufValues, parseMetadata } from "../../../worker/model-store/gguf/metadata.ts";

/** BERT's `tokenizer.json` for the tokens of a GGUF file, which mark where words begin in place of where they go on. */
function wordPieces(tokens: readonly string[]): Tokenizer {
  const published = (token: string): string => {
    if (token.startsWith("▁")) return token.slice(1);
    return /^\[.+\]$/.test(token) ? token : `##${token}`;
  };
  const config = {
    version: "1.0",
    truncation: null,
    padding: null,
    added_tokens: [],
    normalizer: {
      type: "BertNormalizer",
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: "BertPreTokenizer" },
    post_processor: null,
    decoder: { type: "WordPiece", prefix: "##", cleanup: true },
    model: {
      type: "WordPiece",
      unk_token: "[UNK]",
      continuing_subword_prefix: "##",
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(tokens.map((token, id) => [published(token), id])),
    },
  };
  return new Tokenizer(config as never, {} as never);
}

const words = ["▁hello", "▁un", "aff", "able", "▁a", "a", "▁中", "▁文", "▁,", "▁!", "▁'", "▁e"];

test.each<[text: string, tokens: string[]]>([
  ["Héllo, HELLO!", ["▁hello", "▁,", "▁hello", "▁!"]],
  // The longest piece first; a word without pieces is one unknown token.
  ["unaffable aa", ["▁un", "aff", "able", "▁a", "a"]],
  ["unaffablex 🦙", ["[UNK]", "[UNK]"]],
  // Each Chinese character and each punctuation mark is a word.
  ["中文a'e", ["▁中", "▁文", "▁a", "▁'", "▁e"]],
  ["hel\u0000lo\t\n e\u0301", ["▁hello", "▁e"]],
  [`${"a".repeat(100)} ${"a".repeat(101)}`, ["▁a", ...Array(99).fill("a"), "[UNK]"]],
  [" \n", []],
])("BERT splits %j", (text, tokens) => {
  const vocabulary = ["[UNK]", ...words];
  const { ids } = wordPieces(vocabulary).encode(text, { add_special_tokens: false });
  expect(ids.map((id) => vocabulary[id])).toEqual(tokens);
});

/** A BERT's file is read for llama.cpp, and as transformers.js reads its model. */
function encodersOf(values: GgufValues): ((text: string) => number[])[] {
  const ofFile = new GgufTokenizer(values);
  const encode = (text: string): number[] => ofFile.encode(text);
  if (values.get("tokenizer.ggml.model") !== "bert") return [encode];
  const ofModel = wordPieces(values.get("tokenizer.ggml.tokens") as string[]);
  return [encode, (text) => ofModel.encode(text, { add_special_tokens: false }).ids];
}

const folder = process.env.VOCABULARIES_PATH;
const published = folder ? readdirSync(folder).filter((name) => name.endsWith(".gguf")) : [];

test.each(published)("%s has the published tokens", async (name) => {
  const path = join(folder!, name);
  const { values } = parseMetadata(new Uint8Array(await readFile(path)));
  const texts = (await readFile(`${path}.inp`, "utf8")).split("\n__ggml_vocab_test__\n");
  const lines = (await readFile(`${path}.out`, "utf8")).split("\n");
  const expected = lines.map((line) => line.split(" ").filter(Boolean).map(Number));
  for (const encode of encodersOf(values)) expect(texts.map(encode)).toEqual(expected);
});
