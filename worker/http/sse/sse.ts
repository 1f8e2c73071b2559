/** Server-sent events in OpenAI's format: `data: <json>` and an empty line. */

import { EventBuffer } from "./event-buffer.ts";

const encoder = new TextEncoder();

export const SSE_HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache",
} as const;

/** Encodes an event. JSON has no raw line breaks, so it fits in one `data:` line. */
export function sseEvent(data: unknown, event?: string): Uint8Array {
  const name = event === undefined ? "" : `event: ${event}\n`;
  return encoder.encode(`${name}data: ${JSON.stringify(data)}\n\n`);
}

/** The line that ends a chat or completion stream. */
export const SSE_DONE = encoder.encode("data: [DONE]\n\n");

/**
 * Converts a generator of encoded events to a response body. The engine never waits for the client: unread events
 * are buffered here. On cancellation, `onCancel` is called and the generator still runs to its end, because it
 * settles usage there; its output is discarded.
 */
export function sseBody(
  events: AsyncGenerator<Uint8Array, void>,
  onCancel: () => void,
): ReadableStream<Uint8Array> {
  const buffer = new EventBuffer();
  let isCancelled = false;
  let failure: { error: unknown } | undefined;
  const collect = async (): Promise<void> => {
    try {
      for await (const event of events) if (!isCancelled) buffer.add(event);
    } catch (error) {
      failure = { error };
    }
    buffer.end();
  };
  void collect();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = await buffer.take();
        if (piece) controller.enqueue(piece);
        if (!buffer.isDone || isCancelled) return;
        if (failure) controller.error(failure.error);
        else controller.close();
      },
      cancel() {
        isCancelled = true;
        buffer.clear();
        onCancel();
      },
    },
    // Dequeue chunks only when the client reads.
    { highWaterMark: 0 },
  );
}
