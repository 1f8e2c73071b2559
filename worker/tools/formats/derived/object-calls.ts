/** Calls whose arguments are a JSON object: within the object of the call, or after its name. */

import { WRITTEN, type WrittenCalls } from "../../../chat-template/written-calls.ts";
import type { CallFormat, NamedSyntax } from "../../../reply/call-format.ts";
import { JsonScanner } from "../../../reply/scanners/json-scanner.ts";
import type { ToolFormat } from "../tool-format.ts";
import { callMarkers, markersAround, type Surroundings } from "./call-markers.ts";
import { derivedSyntax } from "./derived-syntax.ts";

const { tool, key, value, otherValue, id } = WRITTEN;
const argumentsWith = (text: string): RegExp => new RegExp(String.raw`\{\s*"${key}"\s*:\s*"${text}"\s*\}`);
const FIRST = argumentsWith(value);
const SECOND = argumentsWith(otherValue);
/** The call's id, or a word that may depend on the tool, as the name of a server. */
const FREE_WORD = new RegExp(String.raw`${id}|^[\w.-]+(?=<)`);
const ID_BEFORE = new RegExp(String.raw`"\w+"\s*:\s*"${id}"\s*,\s*`, "g");
const ID_AFTER = new RegExp(String.raw`\s*,\s*"\w+"\s*:\s*"${id}"`, "g");

/** Undefined if the calls have another form. */
export function objectCalls({ one, two }: WrittenCalls): Omit<ToolFormat, "name" | "matches"> | undefined {
  const args = FIRST.exec(one);
  if (!args) return undefined;
  const nameAt = one.lastIndexOf(tool, args.index);
  return nameAt < 0 ? nameLast(one, two, args) : nameFirst(one, two, args, nameAt);
}

type Derived = ReturnType<typeof objectCalls>;

function nameFirst(one: string, two: string | undefined, args: RegExpExecArray, nameAt: number): Derived {
  const before = one.slice(0, nameAt);
  const afterName = one.slice(nameAt + tool.length, args.index);
  const after = one.slice(args.index + args[0].length);
  const between = two === undefined ? betweenInList(before, after, one) : betweenCalls(two);
  const around = { before, after, between };
  const found = inObject(around, one) ?? named(around, afterName);
  const [toId, afterId] = parted(withoutId(afterName), id);
  return (
    found && {
      callFormat: found,
      ...derivedSyntax({ ...withoutIds(around), afterName: toId, afterId, dialect: "json" }),
    }
  );
}

/** The same object, with its members in the other order. */
function nameLast(one: string, two: string | undefined, args: RegExpExecArray): Derived {
  const end = args.index + args[0].length;
  const nameAt = one.indexOf(tool, end);
  if (nameAt < 0) return undefined;
  const before = one.slice(0, args.index);
  const after = one.slice(nameAt + tool.length);
  const between = two === undefined ? betweenInList(before, after, one) : betweenLastNames(two);
  const around = { before, after, between };
  const found = inObject(around, one);
  const beforeName = withoutId(one.slice(end, nameAt));
  return (
    found && { callFormat: found, ...derivedSyntax({ ...withoutIds(around), beforeName, dialect: "json" }) }
  );
}

function withoutIds({ before, after, between }: Surroundings): Surroundings {
  const [begin, end] = [withoutId(before), withoutId(after)];
  return { before: begin, after: end, between: between === undefined ? undefined : withoutId(between) };
}

/** Ids of calls are the API's, and no member of an object. */
function withoutId(text: string): string {
  return text.replace(ID_BEFORE, "").replace(ID_AFTER, "");
}

/** From the end of the first arguments to the name of the second call. */
function betweenCalls(two: string): string | undefined {
  const first = FIRST.exec(two);
  const second = SECOND.exec(two);
  if (!first || !second) return undefined;
  const begin = first.index + first[0].length;
  const end = two.lastIndexOf(tool, second.index);
  return end < begin ? undefined : two.slice(begin, end);
}

/** From the name of the first call to the arguments of the second. */
function betweenLastNames(two: string): string | undefined {
  const second = SECOND.exec(two);
  const name = second ? two.lastIndexOf(tool, second.index) : -1;
  return name < 0 ? undefined : two.slice(name + tool.length, second!.index);
}

/** Where a template writes one call only: as in its list; undefined if it has none. */
function betweenInList(before: string, after: string, one: string): string | undefined {
  const object = enclosingObject(before, after, one);
  if (!object || !isList(before.slice(0, object.begin), after.slice(object.end))) return undefined;
  return `${after.slice(0, object.end)}, ${before.slice(object.begin)}`;
}

function isList(before: string, after: string): boolean {
  return before.trimEnd().endsWith("[") && after.trimStart().startsWith("]");
}

/** A call that is an object with the name and the arguments. */
function inObject({ before, after, between }: Surroundings, one: string): CallFormat | undefined {
  const object = enclosingObject(before, after, one);
  if (!object) return undefined;
  const begin = before.slice(object.begin);
  const end = after.slice(0, object.end);
  const outer = {
    before: before.slice(0, object.begin),
    after: after.slice(object.end),
    between: between?.slice(end.length, between.length - begin.length),
  };
  const body = { kind: "json", ...object.keys } as const;
  // A list is in one pair of markers.
  if (isList(outer.before, outer.after)) {
    const [open, close] = [outer.before.trimEnd().slice(0, -1), outer.after.trimStart().slice(1)];
    return { ...alsoUnmarked(callMarkers(open.trim(), endOf(close)), object.keys), body };
  }
  const { begin: open, end: close, around } = markersAround(outer);
  const separator = open + close === "" ? outer.between?.trim() : "";
  const markers = alsoUnmarked(callMarkers(open, endOf(close), around), object.keys);
  return { ...markers, ...(separator ? { separator } : {}), body };
}

/** Small models leave the markers out, or write a fence in their place. An object keyed by a name may be an answer. */
function alsoUnmarked(markers: Omit<CallFormat, "body">, { isKeyed }: Keys): Omit<CallFormat, "body"> {
  if (markers.bare || isKeyed) return markers;
  return { ...markers, close: [...markers.close, FENCE], unmarked: ["", `${FENCE}json`, `${FENCE}\n`] };
}

const FENCE = "```";

/** A closing marker. Braces before it are an outer object's, which the reader does not need. */
function endOf(close: string): string {
  return close.replace(/^[}\]\s]+/, "").trim() || close.trim();
}

/** The outermost object around a call with its name and arguments, as places in the texts before and after it. */
function enclosingObject(
  before: string,
  after: string,
  one: string,
): { begin: number; end: number; keys: Keys } | undefined {
  for (let begin = before.indexOf("{"); begin >= 0; begin = before.indexOf("{", begin + 1)) {
    const scanner = new JsonScanner();
    const last = scanner.push(one, begin);
    const end = last - (one.length - after.length);
    const value = end > 0 && scanner.status === "complete" ? objectIn(one.slice(begin, last)) : undefined;
    const keys = value && keysOf(value);
    if (keys) return { begin, end, keys };
  }
  return undefined;
}

function objectIn(text: string): object | undefined {
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}

type Keys = Partial<Extract<CallFormat["body"], { kind: "json" }>>;

/** Undefined for an object of another form. */
function keysOf(object: object): Keys | undefined {
  const members = Object.entries(object);
  const holds = (one: unknown): boolean => typeof one === "object" && one !== null && key in one;
  const [name] = members.find(([, one]) => one === tool) ?? [];
  const [args] = members.find(([, one]) => holds(one)) ?? [];
  if (args === tool && members.length === 1) return { isKeyed: true };
  if (name !== undefined && args !== undefined) {
    const others = members.map(([one]) => one).filter((one) => one !== name && one !== args);
    return { keys: { name, arguments: args, others } };
  }
  // As the API writes a call.
  const inner = (object as { function?: object }).function;
  return typeof inner === "object" && "name" in inner ? {} : undefined;
}

/** A name, and the object after it. */
function named(around: Surroundings, afterName: string): CallFormat | undefined {
  const markers = markersAround(around);
  const open = markers.open || markers.begin;
  const afterOpen = markers.open === "" ? "" : markers.afterOpen;
  const [head, name] = parted(afterOpen, FREE_WORD);
  const [idMarker, between] = parted(afterName, id);
  if ([open, head, idMarker, between].some((text) => text?.includes(id))) return undefined;
  // Nothing fixed begins the call.
  if (open === "" && between !== undefined) return undefined;
  const syntax: NamedSyntax = {
    before: name === undefined ? afterOpen : "",
    ...(name === undefined ? {} : { name }),
    ...(between === undefined ? {} : { id: idMarker }),
    between: between ?? afterName,
    after: markers.beforeClose,
  };
  return {
    ...callMarkers(open, markers.close, markers.around),
    bare: false,
    // Only the object tells a call from a text that begins with the name.
    ...(open === "" ? { beginsWithName: `${afterName}{` } : {}),
    body: { kind: "named", syntax },
  };
}

/** The texts before and after the call's id; the text alone if it has none. */
function parted(text: string, separator: string | RegExp): [string, string?] {
  const [first = "", ...rest] = text.split(separator);
  return rest.length === 0 ? [text] : [first, rest.join("")];
}
