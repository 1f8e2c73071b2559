/** The tool format of a template: one that is published, or that of the calls which the template itself writes. */

import type { ChatTemplate } from "../../chat-template/chat-template.ts";
import { WRITTEN, type WrittenCalls } from "../../chat-template/written-calls.ts";
import { type CallFormat, markersOf } from "../../reply/call-format.ts";
import { ToolCallReader } from "../../reply/tool-call-reader.ts";
import { elementCalls } from "./derived/element-calls.ts";
import { objectCalls } from "./derived/object-calls.ts";
import { pythonCalls } from "./derived/python-calls.ts";
import { matchingFormats, recogniseToolFormat } from "./recognise.ts";
import type { ToolFormat } from "./tool-format.ts";

const found = new WeakMap<ChatTemplate, ToolFormat | false>();

/**
 * Undefined if the template shows no format.
 *
 * @param hasTools whether it renders a request with tools; without them, a model may have another template
 */
export function toolFormatOf(template: ChatTemplate, hasTools = true): ToolFormat | undefined {
  const source = template.source(hasTools);
  if (source !== template.source(true)) return recogniseToolFormat(source);
  const known = found.get(template) ?? findFormat(template) ?? false;
  found.set(template, known);
  return known || undefined;
}

/** A published format that does not read the template's own calls is another one's. */
function findFormat(template: ChatTemplate): ToolFormat | undefined {
  const published = matchingFormats(template.source(true));
  // In messages, headers belong to a call.
  const calls = template.reasoning?.messages ? undefined : template.calls;
  if (!calls) return published[0];
  const own =
    published.find(({ callFormat }) => readsAll(callFormat, calls)) ??
    // A template cannot parse JSON: SGLang's of DeepSeek V4 writes all arguments as one.
    published.find(({ callFormat }) => readsAll(callFormat, calls, (args) => ({ arguments: args })));
  return own ? asWritten(own, calls) : (derivedFormat(calls) ?? published[0]);
}

/** A published format with the template's white space, where it has another one, as EXAONE 4's and Laguna's have. */
function asWritten(format: ToolFormat, calls: WrittenCalls): ToolFormat {
  if (writesAll(format, calls) || !writesAll(format, calls, withoutSpace)) return format;
  const derived = derivedFormat(calls);
  if (!derived || !writesAll(derived, calls)) return format;
  const { callSyntax, write, callFormat } = derived;
  const { endsThought } = callFormat;
  return {
    ...format,
    callSyntax,
    write,
    callFormat: { ...format.callFormat, ...(endsThought ? { endsThought } : {}) },
  };
}

/** A format that reads the calls as a template writes them; undefined if they have none of the known forms. */
function derivedFormat(calls: WrittenCalls): ToolFormat | undefined {
  const format = objectCalls(calls) ?? pythonCalls(calls) ?? elementCalls(calls);
  if (!format || !isFixed(format) || !readsAll(format.callFormat, calls)) return undefined;
  return { name: "template", matches: () => false, ...format, callFormat: withThought(format, calls.one) };
}

const { tool, key, value, otherKey, otherValue, id } = WRITTEN;

/** Whether its markers are the same around each call. */
function isFixed({ callFormat, callSyntax }: Pick<ToolFormat, "callFormat" | "callSyntax">): boolean {
  const { list, separator, begin, tail } = callSyntax;
  const texts = [...markersOf(callFormat), list?.open, separator, begin(""), tail?.(""), list?.close];
  return [tool, key, value, id].every((one) => texts.every((text) => !text?.includes(one)));
}

/** A call may end an open thought if a marker begins it. */
function withThought({ callFormat, callSyntax }: Pick<ToolFormat, "callFormat" | "callSyntax">, one: string) {
  const { list, trigger, begin, tail } = callSyntax;
  if (typeof trigger !== "string" || tail || !list || !one.startsWith(list.open)) return callFormat;
  return { ...callFormat, endsThought: { before: list.open, after: begin("") } };
}

const withoutSpace = (text: string): string => text.replace(/\s+/g, "");

/** @param shown of a text, what counts. @default all but the space around it */
function writesAll(
  { write }: ToolFormat,
  { one, two, pair }: WrittenCalls,
  shown = (text: string): string => text.trim(),
): boolean {
  const written = (...all: object[]): string =>
    shown(write(all.map((args) => ({ id, name: tool, arguments: JSON.stringify(args) }))));
  const first = { [key]: value };
  return (
    written(first) === shown(one) &&
    written({ ...first, [otherKey]: otherValue }) === shown(pair) &&
    (two === undefined || written(first, { [key]: otherValue }) === shown(two))
  );
}

/** @param shown how the arguments are read. @default as they are */
function readsAll(
  format: CallFormat,
  { one, two, pair }: WrittenCalls,
  shown = (args: object): object => args,
): boolean {
  const first = { [key]: value };
  const all = (...calls: object[]): object[] => calls.map(shown);
  return (
    reads(format, one, all(first)) &&
    reads(format, pair, all({ ...first, [otherKey]: otherValue })) &&
    (two === undefined || reads(format, two, all(first, { [key]: otherValue })))
  );
}

function reads(format: CallFormat, text: string, wanted: readonly object[]): boolean {
  const reader = new ToolCallReader({
    format,
    mintId: () => "",
    names: new Set([tool]),
    typesOf: () => ({ [key]: "string", [otherKey]: "string" }),
  });
  const calls: string[] = [];
  for (const event of [...reader.push(text), ...reader.flush(true)]) {
    if (event.type === "text") return false;
    if (event.type === "tool-call-start") calls.push("");
    if (event.type === "tool-call-delta") calls[calls.length - 1] += event.arguments;
  }
  const read = calls.map((args) => args.replace(/\s/g, ""));
  return read.join() === wanted.map((args) => JSON.stringify(args)).join();
}
