/** A text that was read, and how long its bytes were. */
interface ReadText {
  text: string;
  bytes: number;
}

/**
 * Reads a body as UTF-8, whose server may send one that never ends.
 *
 * @param most bytes
 * @returns undefined if it is longer: the rest is not read
 * @throws what the body fails with
 */
export async function readText(
  body: ReadableStream<Uint8Array> | null,
  most: number,
): Promise<ReadText | undefined> {
  const decoder = new TextDecoder();
  const reader = body?.getReader();
  let text = "";
  let bytes = 0;
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done) return { text: text + decoder.decode(), bytes };
    bytes += value.byteLength;
    if (bytes > most) {
      reader!.cancel().catch(() => {});
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}
