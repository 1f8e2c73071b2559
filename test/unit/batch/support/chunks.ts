/** The bytes in pieces that end at the given places. */
export async function* cutAt(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array, void> {
  const ends = [...new Set([...cuts.filter((cut) => cut < bytes.length), bytes.length])].sort(
    (a, b) => a - b,
  );
  let from = 0;
  for (const end of ends) {
    yield bytes.slice(from, end);
    from = end;
  }
}

/** A stream that takes a chunk only when somebody reads. */
export function streamOf(chunks: AsyncGenerator<Uint8Array, void>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    },
    { highWaterMark: 0 },
  );
}
