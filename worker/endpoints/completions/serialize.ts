/** Pure response objects of `POST /v1/completions` (OpenAI reference, Completions, legacy). */

import type { TokenLogprob } from "../../engines/api/chat-engine.ts";
import type { FinishReason } from "../../generation/events.ts";
import type { TokenCounts } from "../../usage/metering/meter.ts";
import type { ResponseIdentity } from "../text/response-identity.ts";
import { usageOf } from "../text/usage.ts";

/** A choice, or the delta of a chunk. */
export interface CompletionChoice {
  index: number;
  text: string;
  /** Undefined if not requested. */
  logprobs: TokenLogprob[] | undefined;
  /** Offset of the first of `logprobs` in the prompt with the text of the choice, as at OpenAI. */
  offset: number;
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

function toChoice({ index, text, logprobs, offset, finishReason }: CompletionChoice) {
  return {
    text,
    index,
    logprobs: logprobs ? legacyLogprobs(logprobs, offset) : null,
    finish_reason: finishReason && publicFinishReason(finishReason),
  };
}

/** The length of the text that each token adds, in UTF-16 code units. */
export function textLengths(tokens: readonly TokenLogprob[]): number[] {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  return tokens.map(({ token, bytes }) => {
    // Part of a character is written as `bytes:…`, and adds text once the character is whole.
    const isPart = token.startsWith("bytes:");
    return isPart ? decoder.decode(Uint8Array.from(bytes), { stream: true }).length : token.length;
  });
}

/** Four parallel lists with one entry per token. */
function legacyLogprobs(tokens: readonly TokenLogprob[], start: number) {
  let offset = start;
  const offsets = textLengths(tokens).map((length) => {
    offset += length;
    return offset - length;
  });
  return {
    tokens: tokens.map(({ token }) => token),
    token_logprobs: tokens.map(({ logprob }) => logprob),
    // Always includes the sampled token, so there may be one more than requested.
    top_logprobs: tokens.map(({ token, logprob, top }) =>
      Object.fromEntries([...top.map((one) => [one.token, one.logprob]), [token, logprob]]),
    ),
    text_offset: offsets,
  };
}

/** This endpoint has no tool calls. */
function publicFinishReason(reason: FinishReason): "stop" | "length" {
  return reason === "length" ? "length" : "stop";
}
