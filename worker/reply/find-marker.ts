/** Finds markers in streamed text, and partial markers at its end. */

/**
 * Length of the longest suffix of `text` that a reader must hold back: the prefix of a marker, or a high surrogate
 * without its pair. Matches inside a surrogate pair do not count.
 */
export function heldEnd(text: string, markers: readonly string[]): number {
  let longest = endsInHighSurrogate(text) ? 1 : 0;
  for (const marker of markers) {
    // Most text has none: there may be hundreds of markers, and each piece is looked at.
    if (!text.includes(marker[0] ?? "")) continue;
    for (let length = Math.min(marker.length - 1, text.length); length > longest; length--) {
      if (splitsPair(text, text.length - length)) continue;
      if (text.endsWith(marker.slice(0, length))) longest = length;
    }
  }
  return longest;
}

/**
 * The first marker of a text, and where the text before it ends; without a marker, where the text ends that is certain
 * not to be the beginning of one.
 */
export function untilMarker(text: string, markers: readonly string[]): { end: number; marker?: string } {
  const match = firstMarker(text, markers);
  if (match) return { end: match.start, marker: match.marker };
  return { end: text.length - heldEnd(text, markers) };
}

/** A text in parts of limited length, none of which ends within a surrogate pair. */
export function partsOf(text: string): readonly string[] {
  return text.length <= PART ? [text] : (text.match(PARTS) ?? []);
}

const PART = 1024;
const PARTS = new RegExp(`[^]{1,${PART}}`, "gu");

interface MarkerMatch {
  marker: string;
  start: number;
  end: number;
}

/**
 * The match that ends first, independent of how the text was split; of two with the same end, the longer one.
 * Matches that begin inside a surrogate pair do not count.
 */
export function firstMarker(text: string, markers: readonly string[]): MarkerMatch | undefined {
  // Searched piece by piece: a marker that is missing must not cost all of a long text at each call.
  for (let length = 256; length < text.length; length *= 2) {
    const first = firstWithin(text.slice(0, length), markers);
    if (first) return first;
  }
  return firstWithin(text, markers);
}

function firstWithin(text: string, markers: readonly string[]): MarkerMatch | undefined {
  let first: MarkerMatch | undefined;
  for (const marker of markers) {
    let start = text.indexOf(marker);
    while (start >= 0 && splitsPair(text, start)) start = text.indexOf(marker, start + 1);
    if (start < 0) continue;
    const end = start + marker.length;
    if (!first || end < first.end || (end === first.end && start < first.start))
      first = { marker, start, end };
  }
  return first;
}

/** Whether a cut at `at` would split a surrogate pair. */
function splitsPair(text: string, at: number): boolean {
  return at > 0 && isLow(text.charCodeAt(at)) && isHigh(text.charCodeAt(at - 1));
}

function endsInHighSurrogate(text: string): boolean {
  return text !== "" && isHigh(text.charCodeAt(text.length - 1));
}

function isHigh(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
