/** The vocabulary of Llama 2 in the forms that llama.cpp and Hugging Face's tokenizers read. */

import type { MetadataValue } from "../../../models/gguf/gguf-file.ts";
import type { Piece } from "./llama2c.ts";

const SPECIAL = ["<unk>", "<s>", "</s>"];
const BYTES = 256;
/** llama.cpp's token types. */
const KIND = { normal: 1, unknown: 2, control: 3, byte: 6 };

/** The pieces as SentencePiece writes them. */
function spelled(pieces: readonly Piece[]): string[] {
  return pieces.map(({ text }, token) => {
    const byte = token - SPECIAL.length;
    if (byte < 0) return SPECIAL[token]!;
    if (byte < BYTES) return `<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`;
    return text.replaceAll(" ", "▁");
  });
}

export function ggufVocabulary(pieces: readonly Piece[]): Record<string, MetadataValue> {
  const kind = (token: number): number => {
    if (token === 0) return KIND.unknown;
    if (token < SPECIAL.length) return KIND.control;
    return token < SPECIAL.length + BYTES ? KIND.byte : KIND.normal;
  };
  return {
    "tokenizer.ggml.model": { type: "string", value: "llama" },
    "tokenizer.ggml.tokens": { type: "array", of: "string", values: spelled(pieces) },
    "tokenizer.ggml.scores": { type: "array", of: "float32", values: pieces.map(({ score }) => score) },
    "tokenizer.ggml.token_type": {
      type: "array",
      of: "int32",
      values: pieces.map((_, token) => kind(token)),
    },
    "tokenizer.ggml.unknown_token_id": { type: "uint32", value: 0 },
    "tokenizer.ggml.bos_token_id": { type: "uint32", value: 1 },
    "tokenizer.ggml.eos_token_id": { type: "uint32", value: 2 },
  };
}

/** `tokenizer.json` of a Llama 2. */
export function tokenizerJson(pieces: readonly Piece[]): object {
  const tokens = spelled(pieces);
  const vocab = Object.fromEntries(tokens.map((token, id) => [token, id]));
  const flags = { single_word: false, lstrip: false, rstrip: false, normalized: false, special: true };
  const bos = { SpecialToken: { id: "<s>", type_id: 0 } };
  const sequence = (id: string) => ({ Sequence: { id, type_id: 0 } });
  return {
    version: "1.0",
    truncation: null,
    padding: null,
    added_tokens: SPECIAL.map((content, id) => ({ id, content, ...flags })),
    normalizer: {
      type: "Sequence",
      normalizers: [
        { type: "Prepend", prepend: "▁" },
        { type: "Replace", pattern: { String: " " }, content: "▁" },
      ],
    },
    pre_tokenizer: null,
    post_processor: {
      type: "TemplateProcessing",
      single: [bos, sequence("A")],
      pair: [bos, sequence("A"), bos, sequence("B")],
      special_tokens: { "<s>": { id: "<s>", ids: [1], tokens: ["<s>"] } },
    },
    decoder: {
      type: "Sequence",
      decoders: [
        { type: "Replace", pattern: { String: "▁" }, content: " " },
        { type: "ByteFallback" },
        { type: "Fuse" },
        { type: "Strip", content: " ", start: 1, stop: 0 },
      ],
    },
    model: {
      type: "BPE",
      dropout: null,
      unk_token: "<unk>",
      continuing_subword_prefix: null,
      end_of_word_suffix: null,
      fuse_unk: true,
      byte_fallback: true,
      vocab,
      merges: mergesOf(pieces, tokens, vocab),
    },
  };
}

/** Every way to make a piece of two others; the pieces with the highest scores first. */
function mergesOf(
  pieces: readonly Piece[],
  tokens: readonly string[],
  vocab: Record<string, number>,
): string[] {
  const first = SPECIAL.length + BYTES;
  const ranked = tokens.map((_, token) => token).slice(first);
  ranked.sort((one, other) => pieces[other]!.score - pieces[one]!.score || one - other);
  return ranked.flatMap((token) => {
    const characters = [...tokens[token]!];
    const pairs = characters.slice(1).map((_, at): [string, string] => {
      return [characters.slice(0, at + 1).join(""), characters.slice(at + 1).join("")];
    });
    const known = pairs.filter((pair) =>
      pair.every((piece) => vocab[piece] !== undefined && vocab[piece]! >= first),
    );
    known.sort(([one], [other]) => vocab[one]! - vocab[other]!);
    return known.map((pair) => pair.join(" "));
  });
}
