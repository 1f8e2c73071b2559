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

/** OpenAI's SDK copies the rest of a piece with each event that it finds in it: large ones cost it dearly. */
const PIECE_BYTES = 8_192;

/**
 * Turns a generator of encoded events into a response body. The generator runs at its own pace: an engine
 * never waits for a reader, so what is not read yet stays queued here. A reader that cancels is told to `onCancel`;
 * the generator then runs on to its own end, unheard, because it settles there what was used.
 *
 * The first event leaves at once. Behind a piece that left, a timer must come round before the next one does, and
 * takes along whatever has come meanwhile: an engine that outruns it sends a few large messages, not many small
 * ones, each of which costs two threads more than making the event did (docs/benchmarks.md, c).
 */
export function sseBody(
  events: AsyncGenerator<Uint8Array, void>,
  onCancel: () => void,
): ReadableStream<Uint8Array> {
  /** Events that wait, a piece for each message to come. */
  const pieces: Uint8Array[][] = [];
  let lastBytes = 0;
  let isCancelled = false;
  let end: { error?: unknown } | undefined;
  let pause = Promise.resolve();
  let wake = (): void => {};
  const collect = async (): Promise<void> => {
    try {
      for await (const event of events) {
        if (isCancelled) continue;
        lastBytes += event.byteLength;
        if (pieces.length > 0 && lastBytes <= PIECE_BYTES) pieces.at(-1)!.push(event);
        else {
          lastBytes = event.byteLength;
          pieces.push([event]);
        }
        wake();
      }
      end = {};
    } catch (error) {
      end = { error };
    }
    wake();
  };
  void collect();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await pause;
        if (pieces.length === 0 && !end) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
        const piece = pieces.shift();
        if (piece) controller.enqueue(joined(piece));
        if (pieces.length > 0) return;
        pause = new Promise((resolve) => setTimeout(resolve, 0));
        if (!end || isCancelled) return;
        if ("error" in end) controller.error(end.error);
        else controller.close();
      },
      cancel() {
        isCancelled = true;
        pieces.length = 0;
        onCancel();
      },
    },
    // Nothing is taken from the generator's pile before somebody reads.
    { highWaterMark: 0 },
  );
}

function joined(events: readonly Uint8Array[]): Uint8Array {
  if (events.length === 1) return events[0]!;
  const whole = new Uint8Array(events.reduce((sum, event) => sum + event.byteLength, 0));
  let at = 0;
  for (const event of events) {
    whole.set(event, at);
    at += event.byteLength;
  }
  return whole;
}
