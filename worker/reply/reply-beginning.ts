import type { CallFormat } from "./call-format.ts";

/** What a reply begins with in place of an opening marker. */
type Beginning =
  /** `isStrict`: only an object with `arguments` is a call then. */
  | { kind: "call"; marker: string; isStrict: boolean }
  /** A text, and the marker of texts in front of it. */
  | { kind: "text"; marker: string }
  /** More of the reply is needed to tell. */
  | { kind: "open" };

interface BeginningOptions {
  format: CallFormat;
  names?: ReadonlySet<string>;
  constrained?: boolean;
}

/** @param text of the reply, without white space before it */
export function beginningOf(
  text: string,
  { format, names = new Set(), constrained = false }: BeginningOptions,
): Beginning | undefined {
  const { open, bare, unmarked = [], beginsWithName, beginsText = "" } = format;
  const isBare = bare || constrained;
  const markers = isBare ? [""] : unmarked;
  const isMarked = open.some((one) => one.startsWith(text) || text.startsWith(one));
  const isAlone = /^[{[]/.test(text) && !isMarked;
  const marker = markers.find((one) => (one === "" ? isAlone : text.startsWith(one)));
  if (marker !== undefined) return { kind: "call", marker, isStrict: !isBare };
  const mayBeginWith = (one: string): boolean => text !== "" && one.startsWith(text);
  if (markers.some(mayBeginWith)) return { kind: "open" };
  const named = beginsWithName === undefined ? [] : Array.from(names, (name) => name + beginsWithName);
  if (named.some((line) => text.startsWith(line))) return { kind: "call", marker: "", isStrict: false };
  if (beginsText !== "" && text.startsWith(beginsText)) return { kind: "text", marker: beginsText };
  return [...named, beginsText].some(mayBeginWith) ? { kind: "open" } : undefined;
}
