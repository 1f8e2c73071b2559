/** Log probabilities of a prompt: `echo` with `logprobs`, and vLLM's `prompt_logprobs`. */

import type { PromptScore, PromptToken, TokenLogprob } from "../../engine-api/chat-engine.ts";
import { PromptScores } from "../../generation/choices/prompt-scores.ts";
import { badRequest } from "../../http/api-error.ts";
import type { CompletionParams } from "./params.ts";

/** A token of a choice. */
export interface LogprobEntry {
  token: string;
  /** Null for the first token of an echoed prompt, as `top`. */
  logprob: number | null;
  top: readonly Pick<TokenLogprob, "token" | "logprob">[] | null;
}

/** What a request asks the engine for; undefined if nothing. */
export function promptScoresOf({
  echo,
  logprobs,
  promptLogprobs,
  bestOf: choices,
}: CompletionParams): PromptScores | undefined {
  const echoed = echo ? logprobs : undefined;
  if (echoed === undefined && promptLogprobs === undefined) return undefined;
  const top = Math.max(echoed ?? 0, promptLogprobs ?? 0);
  const param = echoed === undefined ? "prompt_logprobs" : "echo";
  return new PromptScores({ top, param, choices });
}

/** Log probabilities of prompts in one response, alternatives included: some 50 MB of JSON, and more in memory. */
const MAX_ENTRIES = 500_000;

/**
 * @param promptTokens of all prompts
 * @throws {ApiError} 400 if the response would be too large
 */
export function requireReportable(
  { choices }: CompletionParams,
  scores: PromptScores | undefined,
  promptTokens: number,
): void {
  if (!scores || promptTokens * (1 + scores.top) * choices <= MAX_ENTRIES) return;
  throw badRequest(
    "invalid_value",
    "prompt",
    `Invalid 'prompt': the log probabilities of its ${promptTokens} tokens are too many for one response, which has ${MAX_ENTRIES} at most, with the alternatives to each token and for each choice. Send fewer prompts in a request.`,
  );
}

/** Entries of the echoed prompt. The first token has no log probability. */
export function echoedLogprobs(tokens: readonly PromptToken[], count: number): LogprobEntry[] {
  return tokens.map(({ token, score }) =>
    score
      ? { token, logprob: score.logprob, top: score.top.slice(0, count) }
      : { token, logprob: null, top: null },
  );
}

/** Where the tokens of a prompt begin in its text (`text_offset`), in UTF-16 code units. */
export function promptOffsets(tokens: readonly PromptToken[], text: string): number[] {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let end = 0;
  return tokens.map(({ token, bytes }) => {
    const offset = Math.min(end, text.length);
    if (token.startsWith("bytes:")) end += decoder.decode(Uint8Array.from(bytes), { stream: true }).length;
    // A prompt may begin with a token that its text lacks, or with a space that SentencePiece puts there.
    else if (end > 0 || text.startsWith(token)) end += token.length;
    else if (text.startsWith(token.slice(1))) end += token.length - 1;
    return offset;
  });
}

/** vLLM's `prompt_logprobs`: for each token, itself and the likeliest ones, by their ids. */
export function vllmPromptLogprobs(tokens: readonly PromptToken[], count: number) {
  return tokens
    .map(({ id, token, score }) => score && { ...likeliest(score, count), [id]: entry(score, token) })
    .map((one) => one ?? null);
}

function likeliest({ top }: PromptScore, count: number) {
  const entries = top
    .slice(0, count)
    .map(({ id, token, logprob }, at) => [id, entry({ logprob, rank: at + 1 }, token)] as const);
  return Object.fromEntries(entries);
}

function entry({ logprob, rank }: Pick<PromptScore, "logprob" | "rank">, token: string) {
  return { logprob, rank, decoded_token: token };
}
