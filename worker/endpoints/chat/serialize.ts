/** Pure response objects of `POST /v1/chat/completions` (OpenAI reference, Chat). */

import type { TokenLogprob } from "../../engine-api/chat-engine.ts";
import type { FinishReason } from "../../generation/events.ts";
import type { TokenCounts } from "../../usage/metering/meter.ts";
import type { ResponseIdentity } from "../text/response-identity.ts";
import { usageOf } from "../text/usage.ts";

/** A complete reply. */
export interface ChatReply {
  content: string;
  reasoning: string;
  /** Those of custom tools have their input in place of arguments. */
  toolCalls: { id: string; name: string; arguments: string; isCustom: boolean }[];
  /** Undefined if not requested. */
  logprobs: TokenLogprob[] | undefined;
  finishReason: FinishReason;
}

/** @param callsFunctions whether calls are returned as the deprecated `function_call` */
export function chatCompletion(
  identity: ResponseIdentity,
  replies: readonly ChatReply[],
  counts: TokenCounts,
  callsFunctions = false,
) {
  return {
    id: identity.id,
    object: "chat.completion" as const,
    created: identity.created,
    model: identity.model,
    choices: replies.map((reply, index) => ({
      index,
      message: chatMessage(reply, callsFunctions),
      logprobs: reply.logprobs ? chatLogprobs(reply.logprobs) : null,
      finish_reason: publicFinishReason(reply.finishReason, callsFunctions),
    })),
    usage: usageOf(counts),
    service_tier: "default" as const,
    system_fingerprint: identity.systemFingerprint,
  };
}

/** As at OpenAI, `content` is null if there are only calls; `reasoning_content` is DeepSeek's and vLLM's. */
function chatMessage({ content, reasoning, toolCalls }: ChatReply, callsFunctions: boolean) {
  return {
    role: "assistant" as const,
    content: content === "" && toolCalls.length > 0 ? null : content,
    refusal: null,
    annotations: [],
    ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
    ...(toolCalls.length === 0
      ? {}
      : callsFunctions
        ? { function_call: { name: toolCalls[0]!.name, arguments: toolCalls[0]!.arguments } }
        : { tool_calls: toolCalls.map(shownCall) }),
  };
}

function shownCall({ id, name, arguments: text, isCustom }: ChatReply["toolCalls"][number]) {
  if (isCustom) return { id, type: "custom" as const, custom: { name, input: text } };
  return { id, type: "function" as const, function: { name, arguments: text } };
}

function chatLogprobs(tokens: readonly TokenLogprob[]) {
  return {
    content: tokens.map(({ token, logprob, bytes, top }) => ({ token, logprob, bytes, top_logprobs: top })),
    refusal: null,
  };
}

/** The delta of one chunk. */
export interface ChunkDelta {
  role?: "assistant";
  content?: string | null;
  refusal?: null;
  reasoning_content?: string;
  tool_calls?: {
    index: number;
    id?: string;
    type?: "function" | "custom";
    function?: { name?: string; arguments: string };
    custom?: { name?: string; input: string };
  }[];
  function_call?: { name?: string; arguments: string };
}

interface ChunkChoice {
  index: number;
  delta: ChunkDelta;
  logprobs?: TokenLogprob[];
  finishReason?: PublicFinishReason;
}

/**
 * One chunk with one choice. With `stream_options.include_usage`, every chunk has `usage`, null until the last one.
 */
export function chatChunk(
  identity: ResponseIdentity,
  { index, delta, logprobs, finishReason }: ChunkChoice,
  includeUsage: boolean,
) {
  return {
    ...chunkHead(identity),
    choices: [
      {
        index,
        delta,
        logprobs: logprobs && logprobs.length > 0 ? chatLogprobs(logprobs) : null,
        finish_reason: finishReason ?? null,
      },
    ],
    ...(includeUsage ? { usage: null } : {}),
  };
}

/** The last chunk if usage was requested; it has no choices. */
export function usageChunk(identity: ResponseIdentity, counts: TokenCounts) {
  return { ...chunkHead(identity), choices: [], usage: usageOf(counts) };
}

function chunkHead(identity: ResponseIdentity) {
  return {
    id: identity.id,
    object: "chat.completion.chunk" as const,
    created: identity.created,
    model: identity.model,
    service_tier: "default" as const,
    system_fingerprint: identity.systemFingerprint,
  };
}

type PublicFinishReason = FinishReason | "function_call";

export function publicFinishReason(reason: FinishReason, callsFunctions: boolean): PublicFinishReason {
  return reason === "tool_calls" && callsFunctions ? "function_call" : reason;
}
