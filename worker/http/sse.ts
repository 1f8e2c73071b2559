/** Server-sent events in OpenAI's format: `data: <json>` and an empty line. */

import { EventQueue } from "./event-queue.ts";

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
 * are queued here. On cancellation, `onCancel` is called and the generator still runs to its end, because it
 * settles usage there; its output is discarded.
 */
export function sseBody(
  events: AsyncGenerator<Uint8Array, void>,
  onCancel: () => void,
): ReadableStream<Uint8Array> {
  const queue = new EventQueue();
  let isCancelled = false;
  let failure: { error: unknown } | undefined;
  const collect = async (): Promise<void> => {
    try {
      for await (const event of events) if (!isCancelled) queue.add(event);
    } catch (error) {
      failure = { error };
    }
    queue.end();
  };
  void collect();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = await queue.take();
        if (piece) controller.enqueue(piece);
        if (!queue.isDone || isCancelled) return;
        if (failure) controller.error(failure.error);
        else controller.close();
      },
      cancel() {
        isCancelled = true;
        queue.clear();
        onCancel();
      },
    },
    // Dequeue chunks only when the client reads.
    { highWaterMark: 0 },
  );
}
