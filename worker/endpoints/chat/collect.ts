import type { GenerationEvent } from "../../generation/events.ts";
import type { TokenCounts } from "../../usage/metering/meter.ts";
import { collectEvents } from "../text/collect-events.ts";
import type { ChatReply } from "./serialize.ts";

/** Collects a whole generation. @throws as {@link collectEvents} */
export async function collectReplies(
  events: AsyncIterable<GenerationEvent>,
  wantsLogprobs: boolean,
): Promise<{ replies: ChatReply[]; counts: TokenCounts }> {
  const replies: ChatReply[] = [];
  const counts = await collectEvents(events, (event) => {
    replies[event.choice] ??= emptyReply(wantsLogprobs);
    const reply = replies[event.choice]!;
    if (event.type === "reply") apply(event, reply);
    else reply.finishReason = event.reason;
  });
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
