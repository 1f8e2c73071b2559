import type { GenerationEvent } from "../../generation/events.ts";
import { NO_TOKENS, type TokenCounts } from "../../usage/metering/meter.ts";
import type { ChatReply } from "./serialize.ts";

/**
 * Collects a whole generation.
 *
 * @throws {DOMException} AbortError: an aborted request has no response and is free
 */
export async function collectReplies(
  events: AsyncIterable<GenerationEvent>,
  wantsLogprobs: boolean,
): Promise<{ replies: ChatReply[]; counts: TokenCounts }> {
  const replies: ChatReply[] = [];
  let counts = NO_TOKENS;
  for await (const event of events) {
    counts = event.counts;
    replies[event.choice] ??= emptyReply(wantsLogprobs);
    const reply = replies[event.choice]!;
    if (event.type === "reply") apply(event, reply);
    else if (event.reason === "abort") throw new DOMException("The request was aborted.", "AbortError");
    else reply.finishReason = event.reason;
  }
  return { replies, counts };
}

function emptyReply(wantsLogprobs: boolean): ChatReply {
  const logprobs = wantsLogprobs ? [] : undefined;
  return { content: "", reasoning: "", toolCalls: [], logprobs, finishReason: "stop" };
}

function apply({ events, logprobs }: Extract<GenerationEvent, { type: "reply" }>, reply: ChatReply): void {
  reply.logprobs?.push(...logprobs);
  for (const event of events) {
    if (event.type === "text") reply.content += event.text;
    else if (event.type === "reasoning") reply.reasoning += event.text;
    else if (event.type === "tool-call-start") {
      const { id, name, isCustom = false } = event;
      reply.toolCalls[event.index] = { id, name, arguments: "", isCustom };
    } else if (event.type === "tool-call-delta") reply.toolCalls[event.index]!.arguments += event.arguments;
  }
}
