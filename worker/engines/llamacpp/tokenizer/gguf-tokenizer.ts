/** The tokenizer described by a GGUF file, used for counting and decoding because wllama exposes none. */

import { BPE, Tokenizer } from "@huggingface/tokenizers";
import { EngineError } from "../../../engine-api/engine-error.ts";
import type { GgufValues } from "../../../model-store/gguf/metadata.ts";
import { longestToken } from "../../chat/text-bytes.ts";
import { encoderVocabulary } from "./encoder-vocabularies.ts";
import { LongestTokens } from "./longest-tokens.ts";
import { mergeCharacters, type Rank } from "./merge-characters.ts";
import { numbers, texts } from "./metadata-lists.ts";
import { isKnownPreTokenizer, type PreTokenizer, preTokenizerOf } from "./pre-tokenizers.ts";
import { rwkvTokens } from "./rwkv-vocabulary.ts";
import { absorbedSpaces, anyOf, wholeTokens } from "./whole-tokens.ts";

export class GgufTokenizer {
  readonly #tokenizer: Tokenizer;
  readonly #absorbed?: RegExp | undefined;
  readonly #whole: RegExp;
  readonly vocabularySize: number;
  readonly longestTokenBytes: number;
  /** Name of the file's pre-tokenizer if it is not known; token counts are then approximate. */
  readonly unknownPreTokenizer?: string;

  /** @throws {EngineError} `model_load_failed` for an unsupported kind of vocabulary, or lists of a wrong type */
  constructor(metadata: GgufValues) {
    const isRwkv = metadata.get("tokenizer.ggml.model") === "rwkv";
    const written = texts(metadata, "tokenizer.ggml.tokens");
    const tokens = isRwkv ? rwkvTokens(written) : written;
    this.vocabularySize = tokens.length;
    const name = preTokenizerName(metadata);
    if (name !== undefined && !isKnownPreTokenizer(name)) this.unknownPreTokenizer = name;
    const preTokenizer = name === undefined ? undefined : preTokenizerOf(name);
    const isByteLevel = isRwkv || preTokenizer?.isByteLevel === true;
    this.longestTokenBytes = longestToken(tokens, isByteLevel ? "byte_level" : "byte_fallback");
    const encoder = encoderVocabulary(metadata, tokens);
    const parts = isByteLevel
      ? byteLevel(metadata, tokens, preTokenizer)
      : { ...(encoder?.parts ?? plainText(metadata, preTokenizer)), model: NO_MERGES };
    const added_tokens = wholeTokens(metadata, tokens);
    this.#absorbed = absorbedSpaces(metadata, added_tokens);
    this.#whole = anyOf(added_tokens);
    this.#tokenizer = new Tokenizer({ ...parts, post_processor: null, added_tokens }, {});
    if (isRwkv) this.#tokenizer.model = longestModel(tokens);
    else if (!isByteLevel)
      this.#tokenizer.model = encoder?.model ?? textModel(metadata, tokens, preTokenizer);
  }

  /** What is assumed of the vocabulary. */
  get notes(): string[] {
    const name = this.unknownPreTokenizer;
    if (name === undefined) return [];
    return [`The file's pre-tokenizer '${name}' is unknown: tokens are counted with llama.cpp's default.`];
  }

  /** The cause of llama.cpp's error at load, as far as the vocabulary shows it. */
  explain(error: unknown): unknown {
    const name = this.unknownPreTokenizer;
    if (name === undefined) return error;
    const message = `llama.cpp could not read the model's file, whose pre-tokenizer '${name}' is unknown.`;
    return new EngineError("model_load_failed", message, { cause: error });
  }

  /** The tokens that are matched as a whole, and the texts between them: their tokens together are those of the text. */
  split(text: string): string[] {
    return this.#read(text)
      .split(this.#whole)
      .filter((part) => part !== "");
  }

  #read(text: string): string {
    return this.#absorbed ? text.replace(this.#absorbed, "$1") : text;
  }

  /** @throws {EngineError} `context_length_exceeded` for a word with too many tokens for the library */
  encode(text: string): number[] {
    try {
      return this.#tokenizer.encode(this.#read(text), { add_special_tokens: false }).ids;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      const message =
        "A single word of the text has more tokens than any context window. Please reduce its length.";
      throw new EngineError("context_length_exceeded", message, { cause: error });
    }
  }

  decode(tokens: readonly number[]): string {
    if (tokens.length === 0) return "";
    return this.#tokenizer.decode([...tokens], {
      skip_special_tokens: false,
      clean_up_tokenization_spaces: false,
    });
  }
}

/** Vocabularies without a pre-tokenizer. */
const UNSPLIT: ReadonlySet<unknown> = new Set(["llama", "rwkv", "bert", "t5"]);

/**
 * Name of the file's pre-tokenizer; undefined for the vocabularies that have none.
 *
 * @throws {EngineError} `model_load_failed` for an unsupported kind of vocabulary
 */
export function preTokenizerName(metadata: GgufValues): string | undefined {
  const model = metadata.get("tokenizer.ggml.model");
  if (model === "gpt2") return String(metadata.get("tokenizer.ggml.pre") || "default");
  if (model === "gemma4") return "gemma4";
  if (UNSPLIT.has(model)) return undefined;
  // Files of converters that write the network alone.
  if (model === undefined || model === "none" || model === "no_vocab")
    throw new EngineError("model_load_failed", "The model's file has no tokenizer (tokenizer.ggml.model).");
  throw new EngineError(
    "model_load_failed",
    `The model's tokenizer type '${model}' is not supported. Supported types are 'gpt2', 'gemma4', 'llama', 'rwkv', 'bert' and 't5'.`,
  );
}

/** The other fields of a `tokenizer.json` whose tokens are bytes. */
function byteLevel(metadata: GgufValues, tokens: readonly string[], preTokenizer?: PreTokenizer): object {
  return {
    normalizer: null,
    pre_tokenizer: {
      type: "Sequence",
      pretokenizers: [
        ...splits(preTokenizer),
        { type: "ByteLevel", add_prefix_space: false, use_regex: false },
      ],
    },
    model: {
      type: "BPE",
      vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
      merges: texts(metadata, "tokenizer.ggml.merges"),
      ignore_merges: preTokenizer?.ignoresMerges === "always",
    },
    decoder: { type: "ByteLevel" },
  };
}

const splits = (preTokenizer?: PreTokenizer): object[] =>
  (preTokenizer?.patterns ?? []).map((Regex) => ({
    type: "Split",
    pattern: { Regex },
    behavior: "Isolated",
  }));

const SPACE = "\u2581";
const NO_MERGES = { type: "BPE" as const, vocab: {}, merges: [] };

/** The other fields of a `tokenizer.json` whose tokens are text; its model is replaced by `textModel`. */
function plainText(metadata: GgufValues, preTokenizer?: PreTokenizer): object {
  const pre_tokenizer = preTokenizer ? { type: "Sequence", pretokenizers: splits(preTokenizer) } : null;
  if (preTokenizer?.isVerbatim) return { normalizer: null, pre_tokenizer, decoder: { type: "Fuse" } };
  const prefixed = !preTokenizer && metadata.get("tokenizer.ggml.add_space_prefix") !== false;
  const spaces = { type: "Replace", pattern: { String: " " }, content: SPACE };
  return {
    normalizer: {
      type: "Sequence",
      normalizers: prefixed ? [{ type: "Prepend", prepend: SPACE }, spaces] : [spaces],
    },
    pre_tokenizer,
    decoder: {
      type: "Sequence",
      decoders: [
        { type: "Replace", pattern: { String: SPACE }, content: " " },
        { type: "ByteFallback" },
        { type: "Fuse" },
        ...(prefixed ? [{ type: "Strip", content: " ", start: 1, stop: 0 }] : []),
      ],
    },
  };
}

/** Merges by the file's list of merges, or for SentencePiece by the score of the piece that a merge gives. */
function textModel(metadata: GgufValues, tokens: readonly string[], preTokenizer?: PreTokenizer): BPE {
  const model = tokenModel(tokens, tokens[Number(metadata.get("tokenizer.ggml.unknown_token_id") ?? 0)]);
  const ids = model.tokens_to_ids;
  const ranks = new Map(texts(metadata, "tokenizer.ggml.merges").map((merge, rank) => [merge, rank]));
  const scores = numbers(metadata, "tokenizer.ggml.scores");
  const byScore: Rank = (left, right) => {
    const id = ids.get(left + right);
    return id === undefined ? undefined : -(scores[id] ?? 0);
  };
  const rank: Rank = preTokenizer ? (left, right) => ranks.get(`${left} ${right}`) : byScore;
  const keepsNewlines = preTokenizer?.ignoresMerges === "newlines";
  // The library would need every split of every piece as a merge, which takes seconds to list.
  const isKept = (piece: string): boolean => !preTokenizer?.isVerbatim || ids.has(piece);
  model.bpe = (text) =>
    keepsNewlines && text.startsWith("\n") && ids.has(text)
      ? [text]
      : mergeCharacters(text, rank).filter(isKept);
  return model;
}

function longestModel(tokens: readonly string[]): BPE {
  const longest = new LongestTokens(tokens);
  const model = tokenModel(tokens);
  model.bpe = (text) => longest.split(text);
  return model;
}

/** Without merges, which its `bpe` makes. */
function tokenModel(tokens: readonly string[], unk_token = ""): BPE {
  const model = new BPE({ ...NO_MERGES, byte_fallback: true, ignore_merges: false, unk_token });
  model.vocab = [...tokens];
  model.tokens_to_ids = new Map(tokens.map((token, id) => [token, id]));
  return model;
}

/** ggml's type of tokens that are no text. */
const CONTROL = 3;

/** The tokens that structure prompts and are no text. */
export function controlTokens(metadata: GgufValues): string[] {
  const kinds = numbers(metadata, "tokenizer.ggml.token_type");
  return texts(metadata, "tokenizer.ggml.tokens").filter((_, id) => kinds[id] === CONTROL);
}
