import type { RequestFacts } from "../../src/protocol/request-facts.ts";
import { type GenerationEvent, NO_TOKENS } from "../generation/events.ts";
import { toApiError } from "../http/error-response.ts";
import { SSE_DONE, sseEvent } from "../http/sse.ts";
import type { RequestMeter, TokenCounts } from "../metering/meter.ts";
import { ReadCounts } from "./read-counts.ts";

interface MeteredStream {
  /** The first event, which had to be awaited to know the status of the answer. */
  first: IteratorResult<GenerationEvent, void>;
  events: AsyncGenerator<GenerationEvent, void>;
  meter: RequestMeter;
  facts: RequestFacts;
  /** The chunks that say one event; `finish: abort` never comes here. */
  render: (event: GenerationEvent) => Iterable<object>;
  /** The chunks behind the last event, with what was counted. */
  end: (counts: TokenCounts) => Iterable<object>;
}

/**
 * The server-sent events of a generation, metered as they are posted (billing.md §5): usage is settled before
 * `[DONE]`. A failure in the middle becomes an event with `error`, and the stream ends without `[DONE]`.
 */
export async function* meteredStream(stream: MeteredStream): AsyncGenerator<Uint8Array, void> {
  const { events, meter } = stream;
  const read = new ReadCounts(stream.facts);
  let posted = NO_TOKENS;
  try {
    for (let next = stream.first; !next.done; next = await events.next()) {
      const event = next.value;
      if (event.type === "finish" && event.reason === "abort") return;
      for (const chunk of stream.render(event)) yield read.sent(sseEvent(chunk));
      posted = event.counts;
      meter.checkpoint(read.after(posted));
    }
    for (const chunk of stream.end(posted)) yield sseEvent(chunk);
    await meter.settle("completed", posted);
    yield SSE_DONE;
  } catch (error) {
    await meter.settle("failed", posted);
    yield sseEvent(toApiError(error).body());
  } finally {
    // Aborted or left early: what was sent is booked (after any other end this changes nothing); where the page
    // was killed, what its last checkpoint says. And the
    // generation, which still waits at its last event, gives back the queue's turn.
    await meter.settle(read.earlyEnd, posted);
    await events.return();
  }
}
