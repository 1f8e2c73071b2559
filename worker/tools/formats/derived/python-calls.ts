/** Calls as Python writes them: `f(key="value")`. */

import { WRITTEN, type WrittenCalls } from "../../../chat-template/written-calls.ts";
import type { ToolFormat } from "../tool-format.ts";
import { callMarkers, markersAround } from "./call-markers.ts";
import { derivedSyntax } from "./derived-syntax.ts";

const { tool, key, value, otherValue } = WRITTEN;
const callWith = (text: string): RegExp => new RegExp(String.raw`${tool}\(\s*${key}=(["'])${text}\1\s*\)`);

/** Undefined if the calls have another form. */
export function pythonCalls({
  one,
  two,
  flag,
}: WrittenCalls): Omit<ToolFormat, "name" | "matches"> | undefined {
  const first = callWith(value).exec(one);
  if (!first) return undefined;
  const before = one.slice(0, first.index);
  const after = one.slice(first.index + first[0].length);
  const isList = /\[\s*$/.test(before) && /^\s*\]/.test(after);
  const oneOnly = isList ? ", " : undefined;
  const between = two === undefined ? oneOnly : betweenCalls(two);
  const outer = {
    before: isList ? before.replace(/\[\s*$/, "") : before,
    after: isList ? after.replace(/^\s*\]/, "") : after,
    between: isList ? undefined : between,
  };
  const markers = markersAround(outer);
  return {
    callFormat: {
      ...callMarkers(markers.begin, markers.end, markers.around),
      body: { kind: "python" },
    },
    ...derivedSyntax({
      before,
      after: `)${after}`,
      between: between === undefined ? undefined : `)${between}`,
      afterName: "(",
      dialect: flag.includes(`${key}=true`) ? "keywords" : "python",
    }),
  };
}

function betweenCalls(two: string): string | undefined {
  const first = callWith(value).exec(two);
  const second = callWith(otherValue).exec(two);
  if (!first || !second) return undefined;
  return two.slice(first.index + first[0].length, second.index);
}
