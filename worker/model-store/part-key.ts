/** Keys of the parts of files, in a cache of their own. */

/** Holds parts and segments, so that no engine mistakes one for a whole file. */
export const PARTS_CACHE = "infetch/parts";

const PARTS_URL = "https://infetch.invalid/parts";

/** Two versions of a file can be stored at once: one that is used, and one that is downloaded. */
export type Slot = 0 | 1;

/**
 * @param id of the file
 * @param at offset of the part in the file
 */
export function partKey(id: string, slot: Slot, at: number): string {
  return `${PARTS_URL}?of=${encodeURIComponent(id)}${slot === 0 ? "" : "&slot=1"}&at=${at}`;
}

/** The id of the file that the part with this key belongs to; undefined if it is not a part. */
export function partOf(key: string): string | undefined {
  return key.startsWith(`${PARTS_URL}?`) ? (new URL(key).searchParams.get("of") ?? undefined) : undefined;
}

export function slotOf(key: string): Slot {
  return new URL(key).searchParams.get("slot") === "1" ? 1 : 0;
}
