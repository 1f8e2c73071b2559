/** Pure response objects of `POST /v1/completions` (OpenAI reference, Completions, legacy). */

import type { FinishReason } from "../../generation/events.ts";
import type { TokenCounts } from "../../usage/metering/meter.ts";
import type { ResponseIdentity } from "../text/response-identity.ts";
import { usageOf } from "../text/usage.ts";
import type { LogprobEntry, vllmPromptLogprobs } from "./prompt-scores.ts";

/** A choice, or the delta of a chunk. */
export interface CompletionChoice {
  index: number;
  text: string;
  /** Undefined if not requested. */
  logprobs: readonly LogprobEntry[] | undefined;
  /** Offsets of `logprobs` in the prompt with the text of the choice, as at OpenAI. */
  offsets: number[];
  /** vLLM's field; absent if not requested. */
  promptLogprobs?: ReturnType<typeof vllmPromptLogprobs>;
  finishReason: FinishReason | null;
}

/** A complete choice. */
export interface FinishedChoice extends CompletionChoice {
  finishReason: FinishReason;
}

export function textCompletion(
  identity: ResponseIdentity,
  choices: readonly FinishedChoice[],
  counts: TokenCounts,
) {
  return {
    ...head(identity),
    choices: choices.map((choice) => ({
      ...toChoice(choice),
      finish_reason: publicFinishReason(choice.finishReason),
    })),
    usage: usageOf(counts),
  };
}

export function completionChunk(identity: ResponseIdentity, choice: CompletionChoice, includeUsage: boolean) {
  return { ...head(identity), choices: [toChoice(choice)], ...(includeUsage ? { usage: null } : {}) };
}

export function completionUsageChunk(identity: ResponseIdentity, counts: TokenCounts) {
  return { ...head(identity), choices: [], usage: usageOf(counts) };
}

function head(identity: ResponseIdentity) {
  return {
    id: identity.id,
    object: "text_completion" as const,
    created: identity.created,
    model: identity.model,
    system_fingerprint: identity.systemFingerprint,
  };
}

function toChoice({ index, text, logprobs, offsets, promptLogprobs, finishReason }: CompletionChoice) {
  return {
    text,
    index,
    logprobs: logprobs ? legacyLogprobs(logprobs, offsets) : null,
    finish_reason: finishReason && publicFinishReason(finishReason),
    ...(promptLogprobs ? { prompt_logprobs: promptLogprobs } : {}),
  };
}

/** Four parallel lists with one entry per token. */
function legacyLogprobs(tokens: readonly LogprobEntry[], offsets: number[]) {
  return {
    tokens: tokens.map(({ token }) => token),
    token_logprobs: tokens.map(({ logprob }) => logprob),
    // Always includes the sampled token, so there may be one more than requested.
    top_logprobs: tokens.map(
      ({ token, logprob, top }) =>
        top && Object.fromEntries([...top.map((one) => [one.token, one.logprob]), [token, logprob]]),
    ),
    text_offset: offsets,
  };
}

/** This endpoint has no tool calls. */
function publicFinishReason(reason: FinishReason): "stop" | "length" {
  return reason === "length" ? "length" : "stop";
}
