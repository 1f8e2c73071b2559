import type { ReplyEvent } from "../../reply/reply-events.ts";
import type { AnswerIdentity } from "../endpoint.ts";
import { meteredStream } from "../metered-stream.ts";
import type { StartedReply } from "../run-text-generation.ts";
import { type ChunkDelta, chatChunk, publicFinishReason, usageChunk } from "./serialize.ts";

interface ChatStream extends StartedReply {
  identity: AnswerIdentity;
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
  const toDelta = deltaWriter(callsFunctions);
  return meteredStream({
    ...source,
    *render(event) {
      const index = event.choice;
      const chunk = (delta: ChunkDelta, rest = {}) =>
        chatChunk(identity, { index, delta, ...rest }, includeUsage);
      // As at OpenAI, the first `content` is null if the reply starts with a call.
      const callsFirst = event.type === "reply" && event.events[0]?.type === "tool-call-start";
      if (!opened.has(index))
        yield chunk({ role: "assistant", content: callsFirst ? null : "", refusal: null });
      opened.add(index);
      if (event.type === "finish") {
        return yield chunk({}, { finishReason: publicFinishReason(event.reason, callsFunctions) });
      }
      const deltas = event.events.flatMap((one) => toDelta(one, index));
      for (const [at, delta] of deltas.entries()) {
        // Logprobs of a step are sent with its last delta.
        yield chunk(delta, at === deltas.length - 1 ? { logprobs: event.logprobs } : {});
      }
    },
    end: (counts) => (includeUsage ? [usageChunk(identity, counts)] : []),
  });
}

/** @returns the deltas of an event, for the reply with this index */
function deltaWriter(callsFunctions: boolean): (event: ReplyEvent, choice: number) => ChunkDelta[] {
  /** The replies whose last call is of a custom tool. */
  const custom = new Set<number>();
  const call = (index: number, text: string, choice: number, head: { id?: string; name?: string } = {}) => {
    const { id, ...name } = head;
    const [type, body] = custom.has(choice)
      ? (["custom", { custom: { ...name, input: text } }] as const)
      : (["function", { function: { ...name, arguments: text } }] as const);
    return [{ tool_calls: [{ index, ...(id === undefined ? {} : { id, type }), ...body }] }];
  };
  return (event, choice) => {
    switch (event.type) {
      case "text":
        return [{ content: event.text }];
      case "reasoning":
        return [{ reasoning_content: event.text }];
      case "tool-call-start": {
        const { index, id, name, isCustom } = event;
        if (callsFunctions) return [{ function_call: { name, arguments: "" } }];
        if (isCustom) custom.add(choice);
        else custom.delete(choice);
        return call(index, "", choice, { id, name });
      }
      case "tool-call-delta":
        if (callsFunctions) return [{ function_call: { arguments: event.arguments } }];
        return call(event.index, event.arguments, choice);
      case "tool-call-end":
        return [];
    }
  };
}
