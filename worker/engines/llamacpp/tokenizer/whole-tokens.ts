/** Tokens of a GGUF file that a text is split at before the rest of it is encoded. */

import type { GgufValues } from "../../../model-store/gguf/metadata.ts";
import { numbers } from "./metadata-lists.ts";

/** ggml types of tokens that are matched as a whole: unknown, control and user-defined ones. */
const WHOLE_TYPES: readonly unknown[] = [2, 3, 4];

/** Tokens that llama.cpp matches as a whole whatever their type. */
const ALWAYS_WHOLE = new Set(
  (
    "<|eot_id|> <|im_end|> <|end|> <|return|> <|call|> <|flush|> <|calls|> <end_of_turn> <|endoftext|> </s> " +
    "<|eom_id|> <EOT> _<EOT> [EOT] [EOS] <|end_of_text|> <end_of_utterance> <eos> <turn|> <|tool_response> " +
    "<｜end▁of▁sentence｜> [e~[ <|channel|> <|message|> <|start|> <|constrain|>"
  ).split(" "),
);

interface WholeToken {
  id: number;
  content: string;
}

/** The tokens that are matched before the text between them is split. */
export function wholeTokens(metadata: GgufValues, tokens: readonly string[]): WholeToken[] {
  const types = numbers(metadata, "tokenizer.ggml.token_type");
  const isGemma4 = tokens.includes("<|tool_response>");
  return tokens.flatMap((content, id) => {
    if (!WHOLE_TYPES.includes(types[id]) && !ALWAYS_WHOLE.has(content)) return [];
    return isGemma4 && content === "</s>" ? [] : [{ id, content, special: true, normalized: false }];
  });
}

/** Phi-3's special tokens and the white space they absorb; llama.cpp recognizes the model by its name. */
export function absorbedSpaces(metadata: GgufValues, whole: readonly WholeToken[]): RegExp | undefined {
  if (!/phi-?3/i.test(String(metadata.get("general.name")))) return undefined;
  const absorbing = whole.filter(({ content }) => !/^<(unk|s|\|endoftext\|)>$/.test(content));
  return absorbing.length > 0 ? new RegExp(`(${sourceOf(absorbing)})[ \\t-\\r]+`, "g") : undefined;
}

/** Any of these tokens, the longest that fits, as the tokenizer finds them. */
export function anyOf(whole: readonly WholeToken[]): RegExp {
  const longestFirst = whole
    .filter(({ content }) => content !== "")
    .sort((one, other) => other.content.length - one.content.length);
  return new RegExp(longestFirst.length > 0 ? `(${sourceOf(longestFirst)})` : "(?!)");
}

function sourceOf(tokens: readonly WholeToken[]): string {
  return tokens.map(({ content }) => content.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|");
}
