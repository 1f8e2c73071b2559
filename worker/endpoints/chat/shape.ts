/** Pure response objects of `POST /v1/chat/completions` (OpenAI reference, Chat). */

import type { FinishReason } from "../../generation/events.ts";
import type { TokenCounts } from "../../metering/meter.ts";

/** What all objects of one answer share. */
export interface ChatIdentity {
  id: string;
  created: number;
  model: string;
  systemFingerprint: string;
}

export function usageOf(counts: TokenCounts) {
  return {
    prompt_tokens: counts.inputTokens,
    completion_tokens: counts.outputTokens,
    total_tokens: counts.inputTokens + counts.outputTokens,
    prompt_tokens_details: { cached_tokens: counts.cachedTokens, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: counts.reasoningTokens,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}

export function chatCompletion(
  identity: ChatIdentity,
  reply: { content: string; finishReason: FinishReason; counts: TokenCounts },
) {
  return {
    id: identity.id,
    object: "chat.completion" as const,
    created: identity.created,
    model: identity.model,
    choices: [
      {
        index: 0,
        message: { role: "assistant" as const, content: reply.content, refusal: null, annotations: [] },
        logprobs: null,
        finish_reason: publicFinishReason(reply.finishReason),
      },
    ],
    usage: usageOf(reply.counts),
    service_tier: "default" as const,
    system_fingerprint: identity.systemFingerprint,
  };
}

interface ChunkDelta {
  role?: "assistant";
  content?: string;
  refusal?: null;
}

/**
 * One chunk with one choice. `includeUsage` is the caller's option: then every chunk has `usage`, null until
 * the last one.
 */
export function chatChunk(
  identity: ChatIdentity,
  delta: ChunkDelta,
  finishReason: FinishReason | null,
  includeUsage: boolean,
) {
  return {
    ...chunkHead(identity),
    choices: [
      {
        index: 0,
        delta,
        logprobs: null,
        finish_reason: finishReason && publicFinishReason(finishReason),
      },
    ],
    ...(includeUsage ? { usage: null } : {}),
  };
}

/** The last chunk where usage was asked for: no choices. */
export function usageChunk(identity: ChatIdentity, counts: TokenCounts) {
  return { ...chunkHead(identity), choices: [], usage: usageOf(counts) };
}

function chunkHead(identity: ChatIdentity) {
  return {
    id: identity.id,
    object: "chat.completion.chunk" as const,
    created: identity.created,
    model: identity.model,
    service_tier: "default" as const,
    system_fingerprint: identity.systemFingerprint,
  };
}

/** OpenAI knows no `abort`; a client that aborted does not see it anyway. */
function publicFinishReason(reason: FinishReason): Exclude<FinishReason, "abort"> {
  return reason === "abort" ? "stop" : reason;
}
