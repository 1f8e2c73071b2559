import type { GenerationEvent } from "../generation/events.ts";
import { toApiError } from "../http/error-response.ts";
import { SSE_DONE, sseEvent } from "../http/sse.ts";
import { NO_TOKENS, type TokenCounts } from "../usage/metering/meter.ts";
import type { Delivery } from "./delivery.ts";

interface MeteredStream {
  /** The first event, already awaited to determine the response status. */
  first: IteratorResult<GenerationEvent, void>;
  events: AsyncGenerator<GenerationEvent, void>;
  delivery: Delivery;
  /** Chunks of one event. */
  render: (event: Exclude<GenerationEvent, { type: "abort" }>) => Iterable<object>;
  /** Chunks after the last event, with the final counts. */
  end: (counts: TokenCounts) => Iterable<object>;
}

/**
 * Server-sent events of a generation, metered as they are read: usage is settled before `[DONE]`. A mid-stream
 * failure is sent as an event with `error`, without `[DONE]`.
 */
export async function* meteredStream(stream: MeteredStream): AsyncGenerator<Uint8Array, void> {
  const { events, delivery } = stream;
  let posted = NO_TOKENS;
  try {
    for (let next = stream.first; !next.done; next = await events.next()) {
      const event = next.value;
      if (event.type === "abort") return;
      for (const chunk of stream.render(event)) yield delivery.sent(sseEvent(chunk));
      posted = event.counts;
      delivery.after(posted);
    }
    for (const chunk of stream.end(posted)) yield delivery.sent(sseEvent(chunk));
    await delivery.end("completed");
    yield SSE_DONE;
  } catch (error) {
    await delivery.end("failed");
    yield sseEvent(toApiError(error).body());
  } finally {
    try {
      await delivery.leave();
    } finally {
      // If the client disconnects, the generation is still suspended and holds its turn in the queue.
      await events.return();
    }
  }
}
