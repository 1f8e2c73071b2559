/** Pure response objects of `POST /v1/responses` (OpenAI reference, Responses; openresponses.org). */

import type { TokenLogprob } from "../../engine-api/chat-engine.ts";
import type { FinishReason } from "../../generation/events.ts";
import type { ApiError } from "../../http/api-error.ts";
import type { TokenCounts } from "../../usage/metering/meter.ts";
import type { ResponseIdentity } from "../text/response-identity.ts";
import type { ResponseSettings, ShownSampling } from "./settings.ts";

export type ItemStatus = "in_progress" | "completed" | "incomplete";

interface MessageItem {
  id: string;
  type: "message";
  status: ItemStatus;
  role: "assistant";
  content: ReturnType<typeof outputText>[];
}

interface ReasoningItem {
  id: string;
  type: "reasoning";
  status: ItemStatus;
  summary: { type: "summary_text"; text: string }[];
  content?: { type: "reasoning_text"; text: string }[];
  /** If requested. */
  encrypted_content?: string;
}

interface FunctionCallItem {
  id: string;
  type: "function_call";
  status: ItemStatus;
  call_id: string;
  /** Only of a tool in a namespace. */
  namespace?: string;
  name: string;
  arguments: string;
}

interface CustomToolCallItem extends Omit<FunctionCallItem, "type" | "arguments"> {
  type: "custom_tool_call";
  input: string;
}

export type OutputItem = MessageItem | ReasoningItem | FunctionCallItem | CustomToolCallItem;

export function outputText(text: string, logprobs: readonly TokenLogprob[]) {
  return { type: "output_text" as const, annotations: [], logprobs: shownLogprobs(logprobs), text };
}

export function shownLogprobs(tokens: readonly TokenLogprob[]) {
  return tokens.map(({ token, logprob, bytes, top }) => ({ token, logprob, bytes, top_logprobs: top }));
}

/** Progress of a response. */
export type Progress =
  | { status: "in_progress" }
  | { status: "completed"; output: OutputItem[]; counts: TokenCounts; completedAt: number }
  | { status: "incomplete"; output: OutputItem[]; counts: TokenCounts }
  | { status: "failed"; output: OutputItem[]; counts: TokenCounts; error: ApiError };

/** @param nowSeconds the time of completion */
export function endedProgress(
  reason: FinishReason,
  output: OutputItem[],
  counts: TokenCounts,
  nowSeconds: number,
): Progress {
  if (reason === "length") return { status: "incomplete", output, counts };
  return { status: "completed", output, counts, completedAt: nowSeconds };
}

export function responseObject(
  identity: ResponseIdentity,
  settings: ResponseSettings & ShownSampling,
  progress: Progress,
) {
  const ended = progress.status !== "in_progress";
  return {
    id: identity.id,
    object: "response" as const,
    created_at: identity.created,
    status: progress.status,
    access_programs: null,
    background: false,
    completed_at: progress.status === "completed" ? progress.completedAt : null,
    conversation: null,
    error: progress.status === "failed" ? shownError(progress.error) : null,
    incomplete_details: progress.status === "incomplete" ? { reason: "max_output_tokens" as const } : null,
    model: identity.model,
    moderation: null,
    output: ended ? progress.output : [],
    previous_response_id: null,
    prompt: null,
    service_tier: "default" as const,
    store: false,
    usage: ended ? responseUsage(progress.counts) : null,
    ...settings,
  };
}

export type ResponseObject = ReturnType<typeof responseObject>;

/** `cache_write_tokens` are billed cache writes at OpenAI; here they are free. */
function responseUsage(counts: TokenCounts) {
  return {
    input_tokens: counts.inputTokens,
    input_tokens_details: { cached_tokens: counts.cachedTokens, cache_write_tokens: 0 },
    output_tokens: counts.outputTokens,
    output_tokens_details: { reasoning_tokens: counts.reasoningTokens },
    total_tokens: counts.inputTokens + counts.outputTokens,
  };
}

/** OpenAI's list of codes is closed, so the runtime's own code is only in HTTP errors. */
function shownError({ status, message }: ApiError) {
  const code =
    status === 429
      ? ("rate_limit_exceeded" as const)
      : status < 500
        ? ("invalid_prompt" as const)
        : ("server_error" as const);
  return { code, message };
}
