/** The vocabularies of encoders in GGUF files: WordPiece (`bert`) and Unigram (`t5`, also of XLM-RoBERTa). */

import { type Model, Unigram, WordPiece } from "@huggingface/tokenizers";
import type { GgufValues } from "../../../model-store/gguf/metadata.ts";
import { numbers } from "./metadata-lists.ts";

/** Marks the beginning of a word. */
const WORD = "\u2581";

interface EncoderVocabulary {
  /** The other fields of a `tokenizer.json`, but the model. */
  parts: object;
  model: Model;
}

/** @returns undefined for the vocabularies of other models */
export function encoderVocabulary(
  metadata: GgufValues,
  tokens: readonly string[],
): EncoderVocabulary | undefined {
  const kind = metadata.get("tokenizer.ggml.model");
  if (kind === "bert") return wordPieces(metadata, tokens);
  return kind === "t5" ? unigrams(metadata, tokens) : undefined;
}

/** The file marks where words begin, in place of BERT's `##` where they go on. */
function wordPieces(metadata: GgufValues, tokens: readonly string[]): EncoderVocabulary {
  const unk_token = tokens[Number(metadata.get("tokenizer.ggml.unknown_token_id") ?? 100)] ?? "[UNK]";
  const model = new WordPiece({
    type: "WordPiece",
    vocab: {},
    unk_token,
    continuing_subword_prefix: "",
  } as never);
  const ids = new Map(tokens.map((token, id) => [token, id]));
  const longest = tokens.reduce((most, token) => Math.max(most, token.length), 0);
  Object.assign(model, { vocab: [...tokens], tokens_to_ids: ids, unk_token_id: ids.get(unk_token) });
  // The library leaves out words of more than a hundred letters, and takes cubic time for longer ones.
  model.encode = (words) => words.flatMap((word) => longestPieces(WORD + word, ids, longest) ?? [unk_token]);
  return {
    parts: {
      normalizer: {
        type: "BertNormalizer",
        clean_text: true,
        handle_chinese_chars: true,
        lowercase: metadata.get("tokenizer.ggml.normalizer.lowercase") !== false,
        strip_accents: metadata.get("tokenizer.ggml.normalizer.strip_accents") ?? null,
      },
      pre_tokenizer: { type: "BertPreTokenizer" },
      decoder: { type: "Sequence", decoders: [{ type: "Fuse" }, spaces] },
    },
    model,
  };
}

/** From the left, always the longest; undefined for a word that has a part without one. */
function longestPieces(
  word: string,
  ids: ReadonlyMap<string, number>,
  longest: number,
): string[] | undefined {
  const pieces: string[] = [];
  for (let start = 0; start < word.length; ) {
    let end = Math.min(word.length, start + longest);
    while (end > start && !ids.has(word.slice(start, end))) end--;
    if (end === start) return undefined;
    pieces.push(word.slice(start, end));
    start = end;
  }
  return pieces;
}

function unigrams(metadata: GgufValues, tokens: readonly string[]): EncoderVocabulary {
  const scores = numbers(metadata, "tokenizer.ggml.scores");
  const unk_id = Number(metadata.get("tokenizer.ggml.unknown_token_id") ?? 2);
  const eos = tokens[Number(metadata.get("tokenizer.ggml.eos_token_id") ?? 1)] ?? "";
  const vocab = tokens.map((token, id): [string, number] => [token, scores[id] ?? 0]);
  // Only its presence tells: the library computes what all published ones do.
  const isMapped = metadata.get("tokenizer.ggml.precompiled_charsmap") !== undefined;
  const collapsed = [
    { type: "Replace", pattern: { Regex: " {2,}" }, content: " " },
    { type: "Replace", pattern: { Regex: "^ | $" }, content: "" },
  ];
  return {
    parts: {
      normalizer: {
        type: "Sequence",
        normalizers: [
          ...(isMapped ? [{ type: "Precompiled" }] : []),
          ...(metadata.get("tokenizer.ggml.remove_extra_whitespaces") === false ? [] : collapsed),
        ],
      },
      pre_tokenizer: {
        type: "Metaspace",
        replacement: WORD,
        prepend_scheme: metadata.get("tokenizer.ggml.add_space_prefix") === false ? "never" : "always",
      },
      decoder: { type: "Sequence", decoders: [{ type: "Fuse" }, spaces] },
    },
    model: new Unigram({ type: "Unigram", vocab, unk_id } as never, eos),
  };
}

const spaces = { type: "Replace", pattern: { String: WORD }, content: " " };
