/**
 * llama.cpp's pre-tokenizers, which split a text before tokens are merged, by name (`tokenizer.ggml.pre`).
 *
 * The patterns reproduce what llama.cpp does, which is not always what a model's own `tokenizer.json` does. In its
 * regular expressions, `\p{Lu}` and the like match any letter. Where a pattern looks back first, it matches nothing
 * else: it only does not try again from every character.
 */

export interface PreTokenizer {
  /** Split patterns, applied in order, each to the pieces of the previous one. */
  patterns: readonly string[];
  /** Which pieces are used without merging if they are tokens themselves. */
  ignoresMerges: "never" | "always" | "newlines";
  /** False if merges join the characters of the text, with `▁` for spaces, instead of byte characters. */
  isByteLevel: boolean;
  /** Whether spaces have no such mark, and what has no token is left out. @default false */
  isVerbatim?: true;
}

const CONTRACTION = "(?i:'s|'t|'re|'ve|'m|'ll|'d)";
const LEAD = "[^\\r\\n\\p{L}\\p{N}]?";
const SYMBOLS = " ?[^\\s\\p{L}\\p{N}]+";
const BEFORE_WORD = "\\s+(?!\\S)|\\s+";
const SPACES = `\\s*[\\r\\n]+|${BEFORE_WORD}`;
const NUMBER = "\\p{N}";
const UP_TO_3 = "\\p{N}{1,3}";
const LINES = "[^\\n]+|\\n+";
const THREE_DIGITS = "[0-9]{3}";

const GPT2 = `'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+|${SYMBOLS}|${BEFORE_WORD}`;

/** Words with an optional character before them; `tail` is all alternatives after the number. */
const words = (number: string, tail = `${SYMBOLS}[\\r\\n]*|${SPACES}`): string =>
  `${CONTRACTION}|${LEAD}\\p{L}+|${number}|${tail}`;
const LLAMA3 = words(UP_TO_3);
const QWEN2 = words(NUMBER);

/** Only ASCII letters have a case. */
const UPPER = "(?:(?![a-z])[\\p{L}\\p{M}])";
const LOWER = "(?:(?![A-Z])[\\p{L}\\p{M}])";
/** `IsACamel` is two words: `Is` and `ACamel`. */
const cased = (upper: string, lower: string, number: string, ending: string): string =>
  `${LEAD}${upper}*${lower}+${ending}|${LEAD}${upper}+${lower}*${ending}|${slashed(number)}`;
const slashed = (number: string): string => `${number}|${SYMBOLS}[\\r\\n/]*|${SPACES}`;
const GPT4O = cased(UPPER, LOWER, UP_TO_3, `${CONTRACTION}?`);
const marked = (number: string): string => `${LEAD}[\\p{L}\\p{M}]+${CONTRACTION}?|${slashed(number)}`;

/** Han characters of llama.cpp's own list. */
const HAN =
  "[\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\u{20000}-\\u{2a6df}\\u{2a700}-\\u{2ebef}\\u{2f800}-\\u{2fa1f}]";
const CHINESE_OR_KANA = "[\\u4e00-\\u9fa5\\u3040-\\u30ff]+";

/** llama.cpp replaces white space above ASCII before it matches such classes. */
const DEEPSEEK_CHINESE = "(?:(?!\\s)[\\u0800-\\u9fa5\\uac00-\\ud7ff])+";
/** The published list of letters with a case, which lacks some alphabets. */
const DEEPSEEK_LETTER =
  "(?:\\u0295|(?![\\u0560-\\u0588\\u10c7-\\u10ff\\u1c80-\\u1c8f\\u2d00-\\u2d2f\\ua790-\\ua7ff\\uab30-\\uab6f" +
  "\\u{10570}-\\u{105bf}\\u{10d50}-\\u{10d8f}\\u{16e40}-\\u{16eff}\\u{1d400}-\\u{1d7ff}\\u{1df00}-\\u{1dfff}])" +
  "[\\p{Lu}\\p{Ll}\\p{Lt}])";

const DEEPSEEK3_WORDS =
  "[!-/:-@\\[-`{-~][A-Za-z]+|[^\\r\\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+| ?[\\p{P}\\p{S}]+";
const DEEPSEEK3 = `${DEEPSEEK3_WORDS}[\\r\\n]*|${SPACES}`;

/** Groups of three digits from the right; what precedes a number stays with its first group. */
const GROUPED_NUMBERS = "(?<![^\\p{N}])[^\\p{N}]*\\p{N}{1,3}(?=(?:\\p{N}{3})*(?!\\p{N}))";
const ASIAN =
  "[\\u0e40-\\u0eff\\u1000-\\u109f\\u1100-\\u11ff\\u1780-\\u17ff\\u2f00-\\u2fdf\\u3040-\\u30ff\\u3400-\\u4dbf" +
  "\\u4e00-\\u9fff\\u8c48-\\ufaff\\uff65-\\uff9f]+";

const SENTENCE_PARTS = " ?[^\\s(|.,!?…。，、।۔،)]+";

const named = (
  names: string,
  patterns: readonly string[],
  ignoresMerges: PreTokenizer["ignoresMerges"] = "never",
  isByteLevel = true,
): [string, PreTokenizer][] =>
  names.split(" ").map((name) => [name, { patterns, ignoresMerges, isByteLevel }]);

const GPT2_NAMES =
  "gpt-2 phi-2 mpt olmo jais trillion granite-docling gigachat a.x-4.0 exaone4 mellum modern-bert roberta-bpe " +
  "jina-es jina-de jina-v1-en jina-v2-es jina-v2-de jina-v2-code";
const GPT2_DIGIT_NAMES = "smollm starcoder refact command-r codeshell exaone minerva-7b mellum2";
const LLAMA3_NAMES = "llama-bpe llama-v3 llama3 falcon3 falcon-h1 midm-2.0 lfm2 jina-v5-nano";
const QWEN2_NAMES = "qwen2 deepseek-r1-qwen stablelm2 hunyuan megrez kormo f2llmv2 grok-2 solar-open";

const BY_NAME = new Map<string, PreTokenizer>([
  ...named("default", ["[\\p{P}$+<=>^~|]+", GPT2, "\\p{N}+", THREE_DIGITS]),
  ...named(GPT2_NAMES, [GPT2]),
  ...named(GPT2_DIGIT_NAMES, [NUMBER, GPT2]),
  ...named("falcon", ["[\\p{P}$+<=>^~|`]+", GPT2, THREE_DIGITS]),
  ...named(LLAMA3_NAMES, [LLAMA3], "always"),
  ...named("dbrx smaug-bpe chatglm-bpe", [LLAMA3]),
  ...named("glm4 glm5", [LLAMA3], "always"),
  ...named("k2-horizon", [
    `${CONTRACTION}|${LEAD}[\\p{L}\\p{M}\\u200c\\u200d]+|${UP_TO_3}|${SYMBOLS}[\\r\\n]*|${SPACES}`,
  ]),
  ...named(QWEN2_NAMES, [QWEN2]),
  ...named("qwen35", [
    `${CONTRACTION}|${LEAD}[\\p{L}\\p{M}]+|\\p{N}| ?[^\\s\\p{L}\\p{M}\\p{N}]+[\\r\\n]*|${SPACES}`,
  ]),
  ...named("ufakzeka", [`${LEAD}\\p{L}+|\\p{N}|${SYMBOLS}[\\r\\n]*|${SPACES}`]),
  ...named("laguna", [LINES, QWEN2]),
  ...named("minicpm5", [UP_TO_3, words("\\p{N}+")], "always"),
  ...named("bailingmoe bailingmoe2 llada-moe", [
    words(NUMBER, `${SYMBOLS}[\\r\\n]*|\\s*[\\r\\n]|${BEFORE_WORD}`),
  ]),
  ...named("seed-coder", [words(NUMBER, `${SYMBOLS}|${SPACES}`)]),
  ...named("jais-2", [
    words(
      UP_TO_3,
      `${SYMBOLS}[\\r\\n]*|\\s*[\\r\\n]+|` +
        [512, 256, 128, 64, 32, 16, 8, 4, "1,2"].map((n) => `\\s{${n}}(?!\\S)|`).join("") +
        "\\s",
    ),
  ]),
  ...named("exaone-moe", [
    `${CONTRACTION}|${LEAD}(?:\\p{L}\\p{M}*(?: \\p{L}\\p{M}*)*)+|\\p{N}|` +
      `${SYMBOLS}[\\r\\n/]?|\\s*[\\r\\n]|${BEFORE_WORD}`,
  ]),
  ...named("tekken pixtral nemotron-3.5-embed", [cased(UPPER, LOWER, NUMBER, "")], "always"),
  ...named(
    "tekken-num3",
    [cased(UPPER, LOWER, "\\p{N}{1,3}(?=(?:\\p{N}{3})*(?!\\p{N}))|\\p{N}{1,2}", "")],
    "always",
  ),
  ...named("gpt-4o llama4 kanana2 talkie minimax-m2", [GPT4O]),
  ...named("granite-embed-multi-97m", [GPT4O], "always"),
  ...named("tiny_aya cohere2moe", [GROUPED_NUMBERS, marked(UP_TO_3)]),
  ...named(
    "youtu",
    [
      "[\\uac00-\\ud7a3\\u3131-\\u318e]+|[！…“”‘’—：；，\\u3001-\\u303f\\ufe30-\\ufe4f]+|" +
        `[\\u3105-\\u312f]+|${CHINESE_OR_KANA}`,
      marked(NUMBER),
    ],
    "always",
  ),
  ...named("kimi-k2", [
    `${HAN}+|${LEAD}(?:(?!${HAN})\\p{L})+${CONTRACTION}?|${UP_TO_3}|${SYMBOLS}[\\r\\n]*|${SPACES}`,
  ]),
  ...named("deepseek-llm", [
    "[\\r\\n]",
    `\\s?${DEEPSEEK_LETTER}+`,
    "\\s?[!-/:-~！-／：-～‘-‟、-。]+",
    "(?<!\\s)\\s+$",
    DEEPSEEK_CHINESE,
    "\\p{N}+",
  ]),
  ...named("deepseek-coder", ["[\\r\\n]", "\\s?\\p{L}+", "\\s?\\p{P}+", DEEPSEEK_CHINESE, NUMBER]),
  ...named("deepseek-v3 hunyuan-dense joyai-llm hy_v4", [UP_TO_3, CHINESE_OR_KANA, DEEPSEEK3]),
  ...named("spark2_5", [UP_TO_3, CHINESE_OR_KANA, `${DEEPSEEK3_WORDS}|[\\r\\n]|${BEFORE_WORD}`, NUMBER]),
  ...named("afmoe", [GROUPED_NUMBERS, ASIAN, DEEPSEEK3]),
  ...named("poro-chat bloom gpt3-finnish", [SENTENCE_PARTS]),
  ...named("viking", [SENTENCE_PARTS, NUMBER]),
  ...named("superbpe", ["\\p{N}+", "(?=(?:[0-9]{3})+(?![0-9]))"]),
  ...named("chameleon", [
    "<sentinel:[0-9]+>",
    "IMGIMG[A-I]{1,4}Z",
    "[\\t\\n]|    |  ",
    NUMBER,
    "[\\p{P}!-/:-@\\[-`{-~]",
    GPT2,
  ]),
  ...named("gemma4 granite-embed-multi-311m", [LINES], "newlines", false),
  ...named("sarvam-moe", [LINES], "never", false),
  // Jina's embeddings of Chinese.
  ["whitespace", { patterns: ["\\S+"], ignoresMerges: "never", isByteLevel: false, isVerbatim: true }],
]);

const FALLBACK: PreTokenizer = { patterns: [LLAMA3], ignoresMerges: "never", isByteLevel: true };

export function isKnownPreTokenizer(name: string): boolean {
  return BY_NAME.has(name);
}

/** Unknown names use the most common pattern; token counts before a reply are then approximate. */
export function preTokenizerOf(name: string): PreTokenizer {
  return BY_NAME.get(name) ?? FALLBACK;
}

/** All known names, for tests. */
export const preTokenizerNames: readonly string[] = [...BY_NAME.keys()];
