import { type GenerationEvent, NO_TOKENS } from "../../generation/events.ts";
import type { ReplyEvent } from "../../generation/readers/reply-events.ts";
import { toApiError } from "../../http/error-response.ts";
import { SSE_DONE, sseEvent } from "../../http/sse.ts";
import type { RequestMeter } from "../../metering/meter.ts";
import type { AnswerIdentity } from "../endpoint.ts";
import { type ChunkDelta, chatChunk, usageChunk } from "./shape.ts";

interface ChatStream {
  identity: AnswerIdentity;
  first: IteratorResult<GenerationEvent, void>;
  events: AsyncGenerator<GenerationEvent, void>;
  meter: RequestMeter;
  includeUsage: boolean;
}

/**
 * The events of streamed replies: for each the role, what it says, its finish reason; then usage if asked for
 * and `[DONE]`. A failure in the middle becomes an event with `error`, and the stream ends without `[DONE]`.
 */
export async function* chatStream(stream: ChatStream): AsyncGenerator<Uint8Array, void> {
  const { identity, events, meter, includeUsage } = stream;
  let posted = NO_TOKENS;
  let opened = -1;
  try {
    for (let next = stream.first; !next.done; next = await events.next()) {
      const event = next.value;
      const index = event.choice;
      const chunk = (delta: ChunkDelta, rest = {}) =>
        sseEvent(chatChunk(identity, { index, delta, ...rest }, includeUsage));
      // As OpenAI opens a reply: `content` is null where a call comes first.
      const callsFirst = event.type === "reply" && event.events[0]?.type === "tool-call-start";
      if (opened < index) yield chunk({ role: "assistant", content: callsFirst ? null : "", refusal: null });
      opened = index;
      if (event.type === "finish" && event.reason === "abort") {
        await meter.settle("aborted", posted);
        return;
      }
      if (event.type === "finish") yield chunk({}, { finishReason: event.reason });
      else {
        const deltas = event.events.flatMap(toDelta);
        for (const [at, delta] of deltas.entries()) {
          // The tokens of a step leave with the last thing that they said.
          yield chunk(delta, at === deltas.length - 1 ? { logprobs: event.logprobs } : {});
        }
      }
      posted = event.counts;
      meter.checkpoint(posted);
    }
    if (includeUsage) yield sseEvent(usageChunk(identity, posted));
    await meter.settle("completed", posted);
    yield SSE_DONE;
  } catch (error) {
    await meter.settle("failed", posted);
    yield sseEvent(toApiError(error).body());
  } finally {
    // Left early: what was sent is booked (after any other end this changes nothing), and the generation, which
    // still waits at its last event, gives back the queue's turn.
    await meter.settle("aborted", posted);
    await events.return();
  }
}

function toDelta(event: ReplyEvent): ChunkDelta[] {
  switch (event.type) {
    case "text":
      return [{ content: event.text }];
    case "reasoning":
      return [{ reasoning_content: event.text }];
    case "tool-call-start": {
      const { index, id, name } = event;
      return [{ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] }];
    }
    case "tool-call-delta":
      return [{ tool_calls: [{ index: event.index, function: { arguments: event.arguments } }] }];
    case "tool-call-end":
      return [];
  }
}
