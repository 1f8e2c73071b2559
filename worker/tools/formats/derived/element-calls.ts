/** Calls whose arguments are elements: `<function=f><parameter=key>value</parameter></function>`. */

import { commonPrefix } from "../../../../src/shared/common-prefix.ts";
import { WRITTEN, type WrittenCalls } from "../../../chat-template/written-calls.ts";
import type { ElementTags } from "../../../json-schema/arguments/element-arguments.ts";
import type { XmlSyntax } from "../../../reply/call-format.ts";
import type { ToolFormat } from "../tool-format.ts";
import { callMarkers, markersAround } from "./call-markers.ts";
import { derivedSyntax } from "./derived-syntax.ts";

const { tool, key, value, otherKey, otherValue, id } = WRITTEN;
/** Attributes of a call beside its name: ids are the API's, and numbers count the calls. */
const OTHER_ATTRIBUTES = new RegExp(String.raw`\s+\w+="(?:${id}|\d+)"`, "g");

/** Undefined if the calls have another form. */
export function elementCalls(calls: WrittenCalls): Omit<ToolFormat, "name" | "matches"> | undefined {
  const plain = (text: string): string => text.replace(OTHER_ATTRIBUTES, "");
  const [one, pair, two] = [plain(calls.one), plain(calls.pair), plain(calls.two ?? "")];
  const parts = partsOf(pair, tool, key, value, otherKey, otherValue);
  const alone = partsOf(one, tool, key, value);
  if (!parts || !alone) return undefined;
  const [, toKey, afterKey, next, , rest] = parts as [string, string, string, string, string, string];
  const member = memberOf(toKey, next, rest);
  const labels = labelsOf(afterKey, plain(calls.flag));
  if (!member || !labels) return undefined;
  const { before, end } = member;
  const [first, last] = [alone[0]!, alone[3]!];
  if (!last.startsWith(end)) return undefined;
  const [, , , toSecond] = partsOf(two, tool, key, value, tool, key, otherValue) ?? [];
  const between = toSecond?.startsWith(end) ? toSecond.slice(end.length) : undefined;
  const around = { before: first, after: last.slice(end.length), between };
  const afterName = toKey.slice(0, toKey.length - before.length);
  const markers = markersAround(around);
  // A tag with the name begins a call: none comes before it.
  const isInline = markers.open === "" && markers.begin !== "";
  const syntax: XmlSyntax = {
    call: { before: isInline ? markers.begin : markers.afterOpen, after: afterName.trim() },
    member: { before: before.trim(), ...labels.read },
    memberEnd: end.trim(),
    end: markers.beforeClose === "" && isInline ? markers.close : markers.beforeClose,
    isOnLines: end.startsWith("\n"),
    isEscaped: false,
  };
  return {
    callFormat: {
      ...callMarkers(markers.open, isInline ? "" : markers.close, markers.around),
      bare: false,
      ...(isInline ? { inline: [markers.begin] } : {}),
      body: { kind: "xml", syntax },
    },
    ...derivedSyntax({ ...around, afterName, dialect: { before, ...labels.written, end } }),
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
  const common = commonPrefix([next, rest]);
  const tags = common.slice(0, common.lastIndexOf(">") + 1);
  if (tags === "") return undefined;
  const end = tags + /^\s*/.exec(common.slice(tags.length))![0];
  const before = [next.slice(end.length), next.slice(end.length).trimStart()].find((one) =>
    toKey.endsWith(one),
  );
  return before?.includes("<") ? { before, end } : undefined;
}

interface Labels {
  /** What the reader expects after a key. */
  read: Pick<XmlSyntax["member"], "after" | "value" | "types">;
  written: Pick<ElementTags, "after" | "types">;
}

/**
 * What follows a key: a tag of the value may, and an attribute that says whether the value is text. Undefined if other values
 * are labelled or quoted otherwise.
 *
 * @param flag the call whose value is true
 */
function labelsOf(afterKey: string, flag: string): Labels | undefined {
  const [, afterFlag] = new RegExp(String.raw`${key}([\s\S]*?)[tT]rue`).exec(flag) ?? [];
  if (!afterKey.includes(">") || afterFlag === undefined) return undefined;
  if (afterFlag === afterKey) {
    const at = afterKey.lastIndexOf("<");
    const [after, value] = at <= 0 ? [afterKey] : [afterKey.slice(0, at), afterKey.slice(at)];
    const read = { after: after.trim(), ...(value === undefined ? {} : { value: value.trim() }) };
    return { read, written: { after: afterKey } };
  }
  const [, attribute] = /^"\s+(\w+)="true">$/.exec(afterKey) ?? [];
  if (attribute === undefined || afterFlag !== afterKey.replace("true", "false")) return undefined;
  const types = { text: `${attribute}="true"`, other: `${attribute}="false"` };
  return {
    read: { after: '"', value: ">", types },
    written: { after: `" ${attribute}="`, types: { text: 'true">', other: 'false">' } },
  };
}
