import type { GenerationEvent } from "../../generation/events.ts";
import { toApiError } from "../../http/error-response.ts";
import { SSE_DONE, sseEvent } from "../../http/sse.ts";
import type { RequestMeter, TokenCounts } from "../../metering/meter.ts";
import { type ChatIdentity, chatChunk, usageChunk } from "./shape.ts";

interface ChatStream {
  identity: ChatIdentity;
  first: IteratorResult<GenerationEvent, void>;
  events: AsyncGenerator<GenerationEvent, void>;
  meter: RequestMeter;
  includeUsage: boolean;
}

/**
 * The events of one streamed reply: the role, the text, the finish reason, usage if asked for, `[DONE]`.
 * A failure in the middle becomes an event with `error`, and the stream ends without `[DONE]`.
 */
export async function* chatStream(stream: ChatStream): AsyncGenerator<Uint8Array, void> {
  const { identity, events, meter, includeUsage } = stream;
  let posted: TokenCounts = { inputTokens: 0, cachedTokens: 0, outputTokens: 0, reasoningTokens: 0 };
  try {
    yield sseEvent(
      chatChunk(identity, { role: "assistant", content: "", refusal: null }, null, includeUsage),
    );
    for (let next = stream.first; !next.done; next = await events.next()) {
      const event = next.value;
      if (event.type === "text-delta") {
        yield sseEvent(chatChunk(identity, { content: event.text }, null, includeUsage));
        posted = event.counts;
        meter.checkpoint(posted);
        continue;
      }
      if (event.reason === "abort") {
        await meter.settle("aborted", posted);
        return;
      }
      yield sseEvent(chatChunk(identity, {}, event.reason, includeUsage));
      if (includeUsage) yield sseEvent(usageChunk(identity, event.counts));
      await meter.settle("completed", event.counts);
    }
    yield SSE_DONE;
  } catch (error) {
    await meter.settle("failed", posted);
    yield sseEvent(toApiError(error).body());
  }
}
