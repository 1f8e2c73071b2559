/**
 * A byte stream that pulls only when a reader waits and the queue is empty.
 *
 * WebKit has no byte streams (https://bugs.webkit.org/show_bug.cgi?id=281322) and gets a default stream of the same
 * chunks, without BYOB readers.
 */
export function byteStream(
  start: (controller: BytesController) => void,
  pull: () => void,
  cancel: (reason: unknown) => void,
): ReadableStream<Bytes> {
  const source = { start, pull, cancel } as UnderlyingSource;
  try {
    return new ReadableStream({ ...source, type: "bytes" } as UnderlyingByteSource);
  } catch {
    return new ReadableStream(source, { highWaterMark: 0, size: ({ byteLength }) => byteLength });
  }
}

/** `Uint8Array<ArrayBuffer>`, in declarations that TypeScript before 5.7, where it has no parameter, can read. */
export type Bytes = NonNullable<Response["body"]> extends ReadableStream<infer Chunk> ? Chunk : never;

/** Common controller interface of both stream types; `byobRequest` exists for a pending BYOB read. */
export type BytesController = Pick<
  ReadableByteStreamController,
  "close" | "enqueue" | "error" | "desiredSize"
> &
  Partial<Pick<ReadableByteStreamController, "byobRequest">>;

/** Streams with chunks that only `sendBody` uses, each at most its window and a whole buffer: transferred, not copied. */
export const ownedStreams = new WeakSet<ReadableStream>();
