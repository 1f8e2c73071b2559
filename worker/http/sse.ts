/** Server-sent events as OpenAI writes them: `data: <json>` and an empty line. */

const encoder = new TextEncoder();

export const SSE_HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache",
} as const;

/** One event. JSON never holds a raw line break, so it always fits in one `data:` line. */
export function sseEvent(data: unknown, event?: string): Uint8Array {
  const name = event === undefined ? "" : `event: ${event}\n`;
  return encoder.encode(`${name}data: ${JSON.stringify(data)}\n\n`);
}

/** The line that ends a chat or completion stream. */
export const SSE_DONE = encoder.encode("data: [DONE]\n\n");

/**
 * Turns a generator of encoded events into a response body. The generator runs at its own pace: an engine
 * never waits for a reader, so what is not read yet stays queued here. A reader that cancels is told to `onCancel`;
 * the generator then runs on to its own end, unheard, because it settles there what was used.
 */
export function sseBody(
  events: AsyncGenerator<Uint8Array, void>,
  onCancel: () => void,
): ReadableStream<Uint8Array> {
  let isCancelled = false;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        void (async () => {
          try {
            for await (const event of events) if (!isCancelled) controller.enqueue(event);
            if (!isCancelled) controller.close();
          } catch (error) {
            controller.error(error);
          }
        })();
      },
      cancel() {
        isCancelled = true;
        onCancel();
      },
    },
    { highWaterMark: Number.POSITIVE_INFINITY },
  );
}
