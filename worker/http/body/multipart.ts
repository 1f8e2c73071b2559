/**
 * Streaming parser of `multipart/form-data` (RFC 7578) that never buffers a whole part. `Request.formData()` and
 * the npm parsers that run in browsers hold every file in memory.
 */

import { type ApiError, badRequest } from "../api-error.ts";
import { concatBytes } from "./concat-bytes.ts";

/** A field of the form. `content` must be read before the next part is requested. */
export interface Part {
  name: string;
  /** File name; undefined for a text field. */
  filename: string | undefined;
  content: AsyncGenerator<Uint8Array, void>;
}

const MAX_HEADER_BYTES = 16 * 1024;
const CR = 0x0d;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Returns the boundary between parts.
 *
 * @throws {ApiError} 400 for another content type
 */
export function requireBoundary(contentType: string | null): string {
  const [, quoted, plain] = /^multipart\/form-data\b.*;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(
    contentType ?? "",
  ) ?? [undefined, undefined, undefined];
  const boundary = quoted ?? plain;
  if (boundary) return boundary;
  throw badRequest(
    "invalid_content_type",
    null,
    "This endpoint takes 'multipart/form-data' with a boundary. Send a FormData, and let it set the content type.",
  );
}

/**
 * Yields the parts of a form in order. Returning early cancels the stream.
 *
 * @throws {ApiError} 400 `invalid_multipart`, also for a truncated body
 */
export async function* readMultipart(
  stream: ReadableStream<Uint8Array>,
  boundary: string,
): AsyncGenerator<Part, void> {
  const reader = stream.getReader();
  const source = new Source(reader);
  const delimiter = encoder.encode(`\r\n--${boundary}`);
  try {
    for await (const _ of source.until(delimiter)) {
      // Skip the preamble.
    }
    while (!(await source.startsWith("--"))) {
      const headers = await source.textUntil("\r\n\r\n", MAX_HEADER_BYTES);
      const content = source.until(delimiter);
      yield { ...describe(headers), content };
      for await (const _ of content) {
        // Skip unread content.
      }
    }
  } finally {
    reader.cancel("The form was left.").catch(() => {});
  }
}

/** Splits a byte stream at delimiters, which may span chunks. */
class Source {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  /** The first delimiter may be at the start of the body, without a preceding line break. */
  #rest: Uint8Array = encoder.encode("\r\n");

  constructor(reader: ReadableStreamDefaultReader<Uint8Array>) {
    this.#reader = reader;
  }

  /** Yields everything before the delimiter, and consumes the delimiter. */
  async *until(delimiter: Uint8Array): AsyncGenerator<Uint8Array, void> {
    while (true) {
      const at = indexOf(this.#rest, delimiter);
      // A delimiter may span two chunks.
      const safe = at >= 0 ? at : this.#rest.length - delimiter.length + 1;
      const before = this.#rest.subarray(0, Math.max(0, safe));
      this.#rest = this.#rest.subarray(before.length + (at >= 0 ? delimiter.length : 0));
      if (before.length > 0) yield before;
      if (at >= 0) return;
      await this.#readMore();
    }
  }

  async textUntil(delimiter: string, maxBytes: number): Promise<string> {
    const pieces: Uint8Array[] = [];
    let length = 0;
    for await (const piece of this.until(encoder.encode(delimiter))) {
      pieces.push(piece);
      length += piece.length;
      if (length > maxBytes) throw malformed("the headers of a part are too long");
    }
    return decoder.decode(concatBytes(pieces));
  }

  async startsWith(text: string): Promise<boolean> {
    while (this.#rest.length < text.length) await this.#readMore();
    return decoder.decode(this.#rest.subarray(0, text.length)) === text;
  }

  async #readMore(): Promise<void> {
    const { done, value } = await this.#reader.read();
    if (done) throw malformed("it ends before its last boundary");
    this.#rest = this.#rest.length === 0 ? value : concatBytes([this.#rest, value]);
  }
}

/** Index of `pattern`, which must begin with a carriage return; -1 if not found. */
function indexOf(bytes: Uint8Array, pattern: Uint8Array): number {
  const last = bytes.length - pattern.length;
  for (let at = bytes.indexOf(CR); at >= 0 && at <= last; at = bytes.indexOf(CR, at + 1)) {
    if (pattern.every((byte, offset) => bytes[at + offset] === byte)) return at;
  }
  return -1;
}

function describe(headers: string): Pick<Part, "name" | "filename"> {
  // A line break before white space continues the line (RFC 5322, section 2.2.3).
  const lines = headers.replace(/\r\n(?=[ \t])/g, "");
  // Not `.`, `^` and `$`: U+2028 and U+2029, which names may contain, end a line there.
  const disposition = /(?:^|[\r\n])content-disposition:([^\r\n]*)/i.exec(lines)?.[1] ?? "";
  const parameters = parametersOf(disposition);
  const name = parameters.get("name");
  if (name === undefined) throw malformed("a part has no name");
  return { name, filename: extendedValue(parameters.get("filename*")) ?? parameters.get("filename") };
}

/** The text of `UTF-8''<percent-encoded>` (RFC 8187): .NET and aiohttp send names beyond ASCII legibly only so. */
function extendedValue(parameter = ""): string | undefined {
  const encoded = /^utf-8'[^']*'(.+)$/is.exec(parameter)?.[1];
  try {
    return encoded && decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

/** A quote after a backslash ends the value only where the next parameter or the end follows. */
const PARAMETER = /;[ \t]*([^ \t"=;]+)=(?:"((?:\\"(?![ \t]*(?:;|$))|[^"])*)"|([^ \t";]+))/g;

const ESCAPES: Record<string, string> = { "%22": '"', '\\"': '"', "%0D": "\r", "%0A": "\n" };

/**
 * Reads the parameters of a header from left to right; the first of a name counts. Browsers escape quotes as `%22`
 * and leave backslashes (HTML, multipart/form-data), other clients escape quotes with a backslash.
 */
function parametersOf(header: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, name = "", quoted, plain = ""] of header.matchAll(PARAMETER)) {
    const key = name.toLowerCase();
    if (found.has(key)) continue;
    const value = quoted?.replace(/%22|\\"|%0D|%0A/gi, (one) => ESCAPES[one.toUpperCase()] ?? one);
    found.set(key, value ?? plain);
  }
  return found;
}

function malformed(why: string): ApiError {
  return badRequest("invalid_multipart", null, `We could not parse the form of your request: ${why}.`);
}
