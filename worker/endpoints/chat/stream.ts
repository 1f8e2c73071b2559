import type { ReplyEvent } from "../../reply/reply-events.ts";
import { chunkStream } from "../text/chunk-stream.ts";
import type { ResponseIdentity } from "../text/response-identity.ts";
import type { StartedReply } from "../text/run-text-generation.ts";
import { type ChunkDelta, chatChunk, publicFinishReason, usageChunk } from "./serialize.ts";

interface ChatStream extends StartedReply {
  identity: ResponseIdentity;
  includeUsage: boolean;
  /** Calls are returned as the deprecated `function_call`. */
  callsFunctions: boolean;
}

/** Chunks of streamed replies: for each the role, its deltas and finish reason; then usage if requested. */
export function chatStream({
  identity,
  includeUsage,
  callsFunctions,
  ...source
}: ChatStream): AsyncGenerator<Uint8Array, void> {
  const opened = new Set<number>();
  return chunkStream({
    ...source,
    *render(event) {
      const index = event.choice;
      const chunk = (delta: ChunkDelta, rest = {}) =>
        chatChunk(identity, { index, delta, ...rest }, includeUsage);
      // As at OpenAI and DeepSeek, the first `content` is null if the reply starts with a call or a thought.
      const startsLater = event.type === "reply" && event.events[0]?.type !== "text";
      if (!opened.has(index))
        yield chunk({ role: "assistant", content: startsLater ? null : "", refusal: null });
      opened.add(index);
      if (event.type === "finish") {
        return yield chunk({}, { finishReason: publicFinishReason(event.reason, callsFunctions) });
      }
      const deltas = event.events.flatMap((one) => toDelta(one, callsFunctions));
      for (const [at, delta] of deltas.entries()) {
        // Logprobs of a step are sent with its last delta.
        yield chunk(delta, at === deltas.length - 1 ? { logprobs: event.logprobs } : {});
      }
    },
    end: (counts) => (includeUsage ? [usageChunk(identity, counts)] : []),
  });
}

function toDelta(event: ReplyEvent, callsFunctions: boolean): ChunkDelta[] {
  switch (event.type) {
    case "text":
      return [{ content: event.text }];
    case "reasoning":
      return [{ reasoning_content: event.text }];
    case "tool-call-start": {
      const { index, id, name, isCustom } = event;
      if (callsFunctions) return [{ function_call: { name, arguments: "" } }];
      const call = isCustom
        ? { type: "custom" as const, custom: { name, input: "" } }
        : { type: "function" as const, function: { name, arguments: "" } };
      return [{ tool_calls: [{ index, id, ...call }] }];
    }
    case "tool-call-delta": {
      const { index, arguments: text, isCustom } = event;
      if (callsFunctions) return [{ function_call: { arguments: text } }];
      const piece = isCustom ? { custom: { input: text } } : { function: { arguments: text } };
      return [{ tool_calls: [{ index, ...piece }] }];
    }
    case "tool-call-end":
      return [];
  }
}
