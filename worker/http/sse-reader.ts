/** One server-sent event: its name, if it has one, and its data. */
export interface ServerSentEvent {
  event: string | undefined;
  data: string;
}

/**
 * The events of a body (WHATWG HTML, "Interpreting an event stream"), without ids and retry times, which nobody
 * uses in answers to a POST. An event that the end cuts is left out, as the standard wants.
 */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerSentEvent, void> {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  let rest = "";
  let event: string | undefined;
  let data: string[] = [];
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      rest += part.value;
      // A CR at the very end may be half of a line's end.
      const lines = rest.split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop()!;
      for (const line of lines) {
        if (line === "") {
          if (data.length > 0) yield { event, data: data.join("\n") };
          event = undefined;
          data = [];
        } else if (line.startsWith("data:")) data.push(textBehind(line, "data:"));
        else if (line.startsWith("event:")) event = textBehind(line, "event:");
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** One space behind the colon is no part of the value. */
function textBehind(line: string, field: string): string {
  const value = line.slice(field.length);
  return value.startsWith(" ") ? value.slice(1) : value;
}
