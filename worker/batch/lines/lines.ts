/** Lines of a JSONL file, one at a time, across chunk boundaries. */

/** Room for the largest image, 20 MiB, in base64; longer lines are not buffered. */
export const MAX_LINE_BYTES = 32 * 1024 * 1024;

/** A line that is not blank. */
export interface Line {
  /** In the file, from 1; blank lines count. */
  number: number;
  /** Undefined if the line is not UTF-8 or too long. */
  text: string | undefined;
  isTooLong?: true;
}

const LINE_FEED = 0x0a;
const SPACE = 0x20;
const isSpace = (byte: number): boolean => byte === SPACE || (byte >= 0x09 && byte <= 0x0d);
const BYTE_ORDER_MARK = "\ufeff";

/** Lines end in LF or CRLF, optional on the last line. */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes = MAX_LINE_BYTES,
): AsyncGenerator<Line, void> {
  let number = 1;
  let open = new OpenLine(maxBytes);
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
      open.add(chunk.subarray(from, at));
      const line = open.end(number++);
      if (line) yield line;
      open = new OpenLine(maxBytes);
      from = at + 1;
    }
    open.add(chunk.subarray(from));
  }
  const last = open.end(number);
  if (last) yield last;
}

/** A line whose end has not been read. */
class OpenLine {
  readonly #maxBytes: number;
  #pieces: Uint8Array[] = [];
  #length = 0;
  /** Decoding one is slow, and a file may have millions. */
  #isBlank = true;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(piece: Uint8Array): void {
    this.#length += piece.length;
    this.#isBlank &&= piece.every(isSpace);
    if (this.#length > this.#maxBytes) this.#pieces = [];
    else if (piece.length > 0) this.#pieces.push(piece);
  }

  /** The line, or undefined for a blank one. */
  end(number: number): Line | undefined {
    if (this.#length > this.#maxBytes) return { number, text: undefined, isTooLong: true };
    if (this.#isBlank) return undefined;
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    try {
      const decoded = this.#pieces.map((piece) => decoder.decode(piece, { stream: true }));
      const whole = decoded.join("") + decoder.decode();
      const text = number === 1 && whole.startsWith(BYTE_ORDER_MARK) ? whole.slice(1) : whole;
      return text.trim() === "" ? undefined : { number, text };
    } catch {
      return { number, text: undefined };
    }
  }
}
