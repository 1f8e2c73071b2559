/** Calls whose arguments are elements: `<function=f><parameter=key>value</parameter></function>`. */

import { commonStart, WRITTEN, type WrittenCalls } from "../../../chat-template/written-calls.ts";
import type { XmlSyntax } from "../../../reply/call-format.ts";
import type { ToolFormat } from "../tool-format.ts";
import { callMarkers, markersAround } from "./call-markers.ts";
import { derivedSyntax } from "./derived-syntax.ts";

const { tool, key, value, otherKey, otherValue, id } = WRITTEN;
/** Ids of calls are the API's. */
const ID = new RegExp(String.raw`\s+\w+="${id}"`, "g");

/** Undefined if the calls have another form. */
export function elementCalls(calls: WrittenCalls): Omit<ToolFormat, "name" | "matches"> | undefined {
  const [one, pair, two = ""] = [calls.one, calls.pair, calls.two].map((text) => text?.replace(ID, "")) as [
    string,
    string,
    string?,
  ];
  const parts = partsOf(pair, tool, key, value, otherKey, otherValue);
  const alone = partsOf(one, tool, key, value);
  if (!parts || !alone) return undefined;
  const [, toKey, afterKey, next, , rest] = parts as [string, string, string, string, string, string];
  const member = memberOf(toKey, next, rest);
  if (!member || !afterKey.includes(">")) return undefined;
  const { before, end } = member;
  const [first, last] = [alone[0]!, alone[3]!];
  if (!last.startsWith(end)) return undefined;
  const [, , , toSecond] = partsOf(two, tool, key, value, tool, key, otherValue) ?? [];
  const between = toSecond?.startsWith(end) ? toSecond.slice(end.length) : undefined;
  const around = { before: first, after: last.slice(end.length), between };
  const afterName = toKey.slice(0, toKey.length - before.length);
  const markers = markersAround(around);
  const isInline = markers.open === "" && first.trim() !== "";
  const syntax: XmlSyntax = {
    call: { before: isInline ? first.trim() : markers.afterOpen, after: afterName.trim() },
    member: { before: before.trim(), ...afterKeyOf(afterKey) },
    memberEnd: end.trim(),
    end: markers.beforeClose === "" && isInline ? markers.close : markers.beforeClose,
    isOnLines: end.startsWith("\n"),
    isEscaped: false,
  };
  return {
    callFormat: {
      ...callMarkers(markers.open, isInline ? "" : markers.close, markers.around),
      bare: false,
      ...(isInline ? { inline: [first.trim()] } : {}),
      body: { kind: "xml", syntax },
    },
    ...derivedSyntax({ ...around, afterName, dialect: { before, after: afterKey, end } }),
  };
}

/** The texts around and between some words, which follow each other. */
function partsOf(text: string, ...words: string[]): string[] | undefined {
  const parts: string[] = [];
  let rest = text;
  for (const word of words) {
    const at = rest.indexOf(word);
    if (at < 0) return undefined;
    parts.push(rest.slice(0, at));
    rest = rest.slice(at + word.length);
  }
  return [...parts, rest];
}

/** What begins and ends an argument. @param next between two, `rest` after the last */
function memberOf(toKey: string, next: string, rest: string): { before: string; end: string } | undefined {
  const common = commonStart(next, rest);
  const tags = common.slice(0, common.lastIndexOf(">") + 1);
  if (tags === "") return undefined;
  const end = tags + /^\s*/.exec(common.slice(tags.length))![0];
  const before = [next.slice(end.length), next.slice(end.length).trimStart()].find((one) =>
    toKey.endsWith(one),
  );
  return before?.includes("<") ? { before, end } : undefined;
}

/** A tag of the value may follow the one that ends the key. */
function afterKeyOf(afterKey: string): Pick<XmlSyntax["member"], "after" | "value"> {
  const at = afterKey.lastIndexOf("<");
  if (at <= 0) return { after: afterKey.trim() };
  return { after: afterKey.slice(0, at).trim(), value: afterKey.slice(at).trim() };
}
