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

/** Between two pieces, unless the next one is full. Engines of today make a token in more. */
const PAUSE_MS = 1;

/**
 * Turns a generator of encoded events into a response body. The generator runs at its own pace: an engine
 * never waits for a reader, so what is not read yet stays queued here. A reader that cancels is told to `onCancel`;
 * the generator then runs on to its own end, unheard, because it settles there what was used.
 *
 * An event leaves at once where none left in the last millisecond; else it takes along whatever comes until that
 * is over. No engine of ours is as fast as that, so no token waits; but what is there already, and an engine that
 * outruns its readers, is sent in a few large messages and not in many small ones, each of which costs two threads
 * more than making the event did (docs/benchmarks.md, c).
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
  let leftAtMs = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wake = (): void => {};
  const isReady = (): boolean =>
    end !== undefined ||
    pieces.length > 1 ||
    (pieces.length === 1 && performance.now() - leftAtMs >= PAUSE_MS);
  /** Whatever waits for a piece is woken: now, or when the pause is over. */
  const announce = (): void => {
    if (isReady()) wake();
    else if (pieces.length > 0)
      timer ??= setTimeout(() => {
        timer = undefined;
        leftAtMs = Number.NEGATIVE_INFINITY;
        wake();
      }, PAUSE_MS);
  };
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
        announce();
      }
      end = {};
    } catch (error) {
      end = { error };
    }
    announce();
  };
  void collect();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        while (!isReady()) {
          await new Promise<void>((resolve) => {
            wake = resolve;
            announce();
          });
        }
        const piece = pieces.shift();
        if (piece) controller.enqueue(joined(piece));
        leftAtMs = performance.now();
        if (!end || isCancelled || pieces.length > 0) return;
        if ("error" in end) controller.error(end.error);
        else controller.close();
      },
      cancel() {
        isCancelled = true;
        pieces.length = 0;
        clearTimeout(timer);
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
