/** Tokens of a chunk: an abort takes effect after it. */
const MAX_CHUNK = 256;

/**
 * How many of the `waiting` tokens of a prompt the next chunk has. The last is never one token alone, which a library
 * computes with other functions, so that a reply does not depend on where a prompt was cut.
 *
 * @param most tokens that the library takes at once
 */
export function chunkOf(waiting: number, most: number): number {
  const size = Math.min(MAX_CHUNK, most);
  return waiting === size + 1 && size > 2 ? size - 1 : Math.min(waiting, size);
}
