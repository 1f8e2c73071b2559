/** A string value in JSON. */
export interface JsonString {
  /** As written, with its escapes. */
  text: string;
  /** Offsets of its first character and of its closing quote. */
  start: number;
  end: number;
  /** The first eight keys, joined by dots; `#` is an element of an array. Call it before the next value is read. */
  path(): string;
}

const MAX_KEYS = 8;

/** Finds the string values of JSON without parsing it, which would change large numbers. Ends at an open string. */
export function* jsonStrings(json: string): Generator<JsonString, void> {
  const structure = /["{}[\],]/g;
  /** The key of each open object, null for an array. */
  const open: (string | null)[] = [];
  let isKey = false;
  for (let found = structure.exec(json); found; found = structure.exec(json)) {
    const [sign] = found;
    const isInArray = open.at(-1) === null;
    if (sign === "{" || sign === "[") {
      open.push(sign === "[" ? null : "");
      isKey = sign === "{";
    } else if (sign === ",") isKey = !isInArray;
    else if (sign !== '"') {
      open.pop();
      isKey = false;
    } else {
      const start = structure.lastIndex;
      const end = endOfString(json, start);
      if (end < 0) return;
      structure.lastIndex = end + 1;
      const text = json.slice(start, end);
      if (isKey) open[open.length - 1] = text;
      else yield { text, start, end, path: () => pathOf(open) };
      isKey = false;
    }
  }
}

function pathOf(open: readonly (string | null)[]): string {
  return open
    .slice(0, MAX_KEYS)
    .map((key) => key ?? "#")
    .join(".");
}

/** Offset of the closing quote; -1 if there is none. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start); end >= 0; end = json.indexOf('"', end + 1)) {
    let slashes = 0;
    while (json[end - 1 - slashes] === "\\") slashes++;
    if (slashes % 2 === 0) return end;
  }
  return -1;
}
