/** Keys of the parts of files, in a cache of their own. */

/** Holds parts and segments, so that no engine mistakes one for a whole file. */
export const PARTS_CACHE = "infetch/parts";

const PARTS_URL = "https://infetch.invalid/parts";

/** Two versions of a file can be stored at once: one that is used, and one that is downloaded. */
type Slot = 0 | 1;

/** Which bytes of a file its parts hold. */
export interface PartVersion {
  /** The published hash, if there is one, so that parts of two versions are never mixed. */
  hash?: string | undefined;
  /** @default 0 */
  slot?: Slot;
}

/**
 * @param id of the file
 * @param at offset of the part in the file
 */
export function partKey(id: string, { hash, slot = 0 }: PartVersion, at: number): string {
  const version = `${hash === undefined ? "" : `&hash=${encode(hash)}`}${slot === 0 ? "" : "&slot=1"}`;
  return `${PARTS_URL}?of=${encode(id)}${version}&at=${at}`;
}

/** Caches return `'` in a query as %27, and keys are compared with what they return. */
function encode(value: string): string {
  return encodeURIComponent(value).replaceAll("'", "%27");
}

/** The id of the file that the part with this key belongs to; undefined if it is not a part. */
export function partOf(key: string): string | undefined {
  return key.startsWith(`${PARTS_URL}?`) ? (new URL(key).searchParams.get("of") ?? undefined) : undefined;
}

export function slotOf(key: string): Slot {
  return new URL(key).searchParams.get("slot") === "1" ? 1 : 0;
}
