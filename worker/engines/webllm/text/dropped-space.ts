import type { Tokenizer } from "../tvm/pipeline.ts";

/** Enough to decode the first token of a reply as it is within a text. */
const CONTEXT_TOKENS = 8;

/**
 * The space that SentencePiece drops where a text begins, if it belongs to a reply that continues its prompt's text:
 * "he" after "because" is " he".
 *
 * @param prompt the tokens before the reply
 * @param reply its first tokens
 */
export function droppedSpace(
  tokenizer: Pick<Tokenizer, "decode">,
  prompt: readonly number[],
  reply: readonly number[],
): "" | " " {
  const decode = (ids: readonly number[]): string => tokenizer.decode(Int32Array.from(ids));
  const before = prompt.slice(-CONTEXT_TOKENS);
  if (before.length === 0) return "";
  const within = decode([...before, ...reply]).slice(decode(before).length);
  return within === ` ${decode(reply)}` ? " " : "";
}
