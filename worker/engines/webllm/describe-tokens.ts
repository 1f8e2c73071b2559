import type { PromptToken, TokenLogprob } from "../../engine-api/chat-engine.ts";
import { finiteLogprob } from "../chat/logprob-aligner.ts";
import { type TokenForm, tokenBytes, tokenText } from "../chat/token-bytes.ts";
import type { RankedToken } from "./slots/prompt-scores.ts";
import type { SampledToken, ScoredToken } from "./token-processor.ts";
import type { Tokenizer } from "./tvm/pipeline.ts";

/** Adds text and bytes to sampled tokens, for reported log probabilities. */
export function describeTokens(
  sampled: readonly SampledToken[],
  tokenizer: Tokenizer,
  form: TokenForm,
): TokenLogprob[] {
  const describe = ({ id, logprob }: ScoredToken): Omit<TokenLogprob, "top"> => ({
    ...describeToken(id, tokenizer, form),
    logprob: finiteLogprob(logprob),
  });
  return sampled.map((token) => ({ ...describe(token), top: token.top.map(describe) }));
}

/** The same for the tokens of a prompt. */
export function describePrompt(
  ids: readonly number[],
  scores: readonly (RankedToken | undefined)[],
  tokenizer: Tokenizer,
  form: TokenForm,
): PromptToken[] {
  const describe = (id: number) => ({ id, ...describeToken(id, tokenizer, form) });
  return ids.map((id, at) => {
    const score = scores[at];
    if (!score) return describe(id);
    const top = score.top.map((one) => ({ ...describe(one.id), logprob: finiteLogprob(one.logprob) }));
    return { ...describe(id), score: { logprob: finiteLogprob(score.logprob), rank: score.rank, top } };
  });
}

function describeToken(
  id: number,
  tokenizer: Tokenizer,
  form: TokenForm,
): Pick<TokenLogprob, "token" | "bytes"> {
  const bytes = tokenBytes(tokenizer.idToToken(id), form);
  return { token: tokenText(bytes), bytes: Array.from(bytes) };
}
