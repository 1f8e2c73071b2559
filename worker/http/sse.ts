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
  let pending: Uint8Array[] = [];
  let isCancelled = false;
  let end: { error?: unknown } | undefined;
  let pause = Promise.resolve();
  let wake = (): void => {};
  const collect = async (): Promise<void> => {
    try {
      for await (const event of events) {
        if (isCancelled) continue;
        pending.push(event);
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
        if (pending.length === 0 && !end) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
        if (pending.length > 0) controller.enqueue(joined(takePiece(pending)));
        if (pending.length > 0) return;
        pause = new Promise((resolve) => setTimeout(resolve, 0));
        if (!end || isCancelled) return;
        if ("error" in end) controller.error(end.error);
        else controller.close();
      },
      cancel() {
        isCancelled = true;
        pending = [];
        onCancel();
      },
    },
    // Nothing is taken from the generator's pile before somebody reads.
    { highWaterMark: 0 },
  );
}

/** Takes the first events off the pile, as many as a piece may hold and at least one. */
function takePiece(pending: Uint8Array[]): Uint8Array[] {
  let bytes = 0;
  const first = pending.findIndex((event) => {
    bytes += event.byteLength;
    return bytes > PIECE_BYTES;
  });
  return pending.splice(0, first < 0 ? pending.length : Math.max(first, 1));
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  if (pieces.length === 1) return pieces[0]!;
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.byteLength, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.byteLength;
  }
  return whole;
}
