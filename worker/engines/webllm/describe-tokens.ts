import type { TokenLogprob } from "../api/chat-engine.ts";
import { finiteLogprob } from "../chat/logprob-aligner.ts";
import { type TokenForm, tokenBytes, tokenText } from "../chat/token-bytes.ts";
import type { SampledToken, ScoredToken } from "./token-processor.ts";
import type { Tokenizer } from "./tvm/pipeline.ts";

/** Adds text and bytes to sampled tokens, for reported log probabilities. */
export function describeTokens(
  sampled: readonly SampledToken[],
  tokenizer: Tokenizer,
  form: TokenForm,
): TokenLogprob[] {
  const describe = ({ id, logprob }: ScoredToken): Omit<TokenLogprob, "top"> => {
    const bytes = tokenBytes(tokenizer.idToToken(id), form);
    return { token: tokenText(bytes), bytes: Array.from(bytes), logprob: finiteLogprob(logprob) };
  };
  return sampled.map((token) => ({ ...describe(token), top: token.top.map(describe) }));
}
