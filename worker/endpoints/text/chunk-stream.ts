import type { GenerationEvent } from "../../generation/events.ts";
import { SSE_DONE, sseEvent } from "../../http/sse/sse.ts";
import type { TokenCounts } from "../../usage/metering/meter.ts";
import { meteredStream } from "./metered-stream.ts";
import type { StartedReply } from "./run-text-generation.ts";

interface ChunkStream extends StartedReply {
  /** Chunks of one event of the generation. */
  render: (event: Exclude<GenerationEvent, { type: "abort" }>) => Iterable<object>;
  /** Chunks after the last event, with the final counts. */
  end: (counts: TokenCounts) => Iterable<object>;
}

/**
 * Streams the chunks of a chat or text completion. `[DONE]` ends the stream; if it fails, an event with `error` does.
 */
export function chunkStream({ render, end, ...reply }: ChunkStream): AsyncGenerator<Uint8Array, void> {
  const encode = (chunks: Iterable<object>) => Array.from(chunks, (chunk) => sseEvent(chunk));
  return meteredStream({
    ...reply,
    render: (event) => encode(render(event)),
    end: (counts) => encode(end(counts)),
    last: () => SSE_DONE,
    failed: (error) => sseEvent(error.body()),
  });
}
