import type { GenerationEvent } from "../../generation/events.ts";
import type { ApiError } from "../../http/api-error.ts";
import { toApiError } from "../../http/error-response.ts";
import { NO_TOKENS, type TokenCounts } from "../../usage/metering/meter.ts";
import type { StartedReply } from "./run-text-generation.ts";

/** A reply and how it is written as server-sent events. */
interface MeteredStream extends StartedReply {
  /** What is sent for one event of the generation. */
  render: (event: Exclude<GenerationEvent, { type: "abort" }>) => Iterable<Uint8Array>;
  /** What follows, before the usage is settled. @default nothing */
  end?: (counts: TokenCounts) => Iterable<Uint8Array>;
  /** The last event, sent once the usage is settled. */
  last: (counts: TokenCounts) => Uint8Array;
  /** The last event of a stream that fails. */
  failed: (error: ApiError, counts: TokenCounts) => Uint8Array;
  /** Called once when the stream ends, also when the client disconnects. */
  onEnd?: () => void;
}

/** Server-sent events of a generation, metered as they are read. */
export async function* meteredStream(stream: MeteredStream): AsyncGenerator<Uint8Array, void> {
  const { events, delivery } = stream;
  let posted = NO_TOKENS;
  try {
    for (let next = stream.first; !next.done; next = await events.next()) {
      const event = next.value;
      if (event.type === "abort") return;
      for (const piece of stream.render(event)) yield delivery.sent(piece);
      posted = event.counts;
      delivery.after(posted);
    }
    for (const piece of stream.end?.(posted) ?? []) yield delivery.sent(piece);
    await delivery.end("completed");
    yield stream.last(posted);
  } catch (error) {
    await delivery.end("failed");
    yield stream.failed(toApiError(error), posted);
  } finally {
    stream.onEnd?.();
    try {
      await delivery.leave();
    } finally {
      // If the client disconnects, the generation is still suspended and holds its turn in the queue.
      await events.return();
    }
  }
}
