import { inputsOf, type RequestLine } from "./request-line.ts";

/** Groups requests with up to `maxInputs` inputs together; a larger one is alone. */
export async function* groupLines(
  lines: AsyncIterable<RequestLine>,
  maxInputs: number,
  sizeOf: (line: RequestLine) => number = inputsOf,
): AsyncGenerator<RequestLine[], void> {
  let group: RequestLine[] = [];
  let inputs = 0;
  for await (const line of lines) {
    const size = sizeOf(line);
    if (group.length > 0 && inputs + size > maxInputs) {
      yield group;
      group = [];
      inputs = 0;
    }
    group.push(line);
    inputs += size;
  }
  if (group.length > 0) yield group;
}
