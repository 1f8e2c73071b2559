import { createParser, type ParseError } from "eventsource-parser";

/** Characters of one event, which may hold an image: a server may send one that never ends. */
const MAX_EVENT_CHARACTERS = 64 * 2 ** 20;

/** A server-sent event: its name, if any, and its data. */
export interface ServerSentEvent {
  event: string | undefined;
  data: string;
}

/**
 * Parses events (WHATWG HTML, "Interpreting an event stream"). The last one may lack its line ends, as servers omit
 * them; it may thus be incomplete.
 *
 * @throws {SyntaxError} for an event that is too long
 */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerSentEvent, void> {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  const events: ServerSentEvent[] = [];
  const parser = createParser({
    onEvent: ({ event, data }) => void events.push({ event, data }),
    onError: requireEnd,
    maxBufferSize: MAX_EVENT_CHARACTERS,
  });
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      parser.feed(part.value);
      yield* events.splice(0);
    }
    parser.feed("\n\n");
    yield* events;
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** Other errors are of fields that the standard ignores. */
function requireEnd({ type, message }: ParseError): void {
  if (type === "max-buffer-size-exceeded") throw new SyntaxError(message);
}
