/** Stateless pagination cursor, bound to the filters that it was created for. */

const VERSION = 1;

interface Cursor {
  v: number;
  /** Start of the list page's first window. */
  t: number;
  /** Checksum of the filters. */
  f: string;
}

/** A cursor for the page that begins with this window, in base64url. */
export function encodeCursor(windowStartMs: number, checksum: string): string {
  const cursor: Cursor = { v: VERSION, t: windowStartMs, f: checksum };
  return btoa(JSON.stringify(cursor)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Start of the list page's first window; undefined for a malformed cursor or other filters. */
export function decodeCursor(text: string, checksum: string): number | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(text)) return undefined;
  try {
    const cursor = JSON.parse(atob(text.replaceAll("-", "+").replaceAll("_", "/"))) as Partial<Cursor> | null;
    const isOurs = cursor?.v === VERSION && cursor.f === checksum && Number.isSafeInteger(cursor.t);
    return isOurs && cursor.t! >= 0 ? cursor.t : undefined;
  } catch {
    return undefined;
  }
}

/** Changes if any of the values does (FNV-1a over 32 bits, twice: a check, not a secret). */
export function checksumOf(values: readonly unknown[]): string {
  const text = JSON.stringify(values);
  return [0x811c9dc5, 0x01234567].map((seed) => hash(text, seed).toString(36)).join(".");
}

function hash(text: string, seed: number): number {
  let state = seed;
  for (let at = 0; at < text.length; at++) state = Math.imul(state ^ text.charCodeAt(at), 0x01000193);
  return state >>> 0;
}
