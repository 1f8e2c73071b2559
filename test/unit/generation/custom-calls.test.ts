/** Calls of custom tools, of each format and cut anywhere. */

import { expect, test } from "vitest";
import { customDefinition } from "../../../worker/endpoints/params/custom-definition.ts";
import { CustomCalls } from "../../../worker/generation/calls/custom-calls.ts";
import type { ReplyEvent } from "../../../worker/reply/reply-events.ts";
import { ReplyReader } from "../../../worker/reply/reply-reader.ts";
import type { ReplyReasoning } from "../../../worker/reply/reply-reasoning.ts";
import { TOOL_FORMATS } from "../../../worker/tools/formats/recognise.ts";
import type { ToolFormat } from "../../../worker/tools/formats/tool-format.ts";
import { parameterTypes } from "../../../worker/tools/parameter-types.ts";
import { MARKED } from "../../support/tool-reading.ts";

const tools = [customDefinition({ name: "f", format: { type: "text" } })];
const INPUT = "print('hello world')\nx = 1";

/** The call that clients get of this reply. */
function read(text: string, format: ToolFormat, byModel: boolean) {
  const types = parameterTypes(tools, format.callFormat.body?.kind === "nested");
  const reading = { format: format.callFormat, names: ["f"], types, constrained: false, single: false };
  const reasoning = reasoningOf(format);
  const reader = new ReplyReader(
    { stop: [], tools: reading, ...(reasoning ? { reasoning } : {}) },
    () => "call_1",
  );
  const events = [...[...text].flatMap((piece) => reader.push(piece)), ...reader.flush(byModel)];
  const seen = converted(events);
  return {
    begins: seen.some((event) => event.type === "tool-call-start"),
    input: seen.map((event) => (event.type === "tool-call-delta" ? event.arguments : "")).join(""),
    ends: seen.some((event) => event.type === "tool-call-end"),
  };
}

/** Of formats whose calls are messages. */
function reasoningOf({ name, callFormat }: ToolFormat): ReplyReasoning | undefined {
  const tags = { open: "", close: "" };
  if (name === "harmony") return { ...tags, messages: { kind: "harmony", begun: "assistant" } };
  const markers = MARKED.get(callFormat);
  return markers && { ...tags, messages: { kind: "marked", markers, begun: "" } };
}

function converted(events: ReplyEvent[]): ReplyEvent[] {
  const calls = new CustomCalls(new Set(["f"]));
  return events.flatMap((event) => calls.convert(event));
}

test.each(TOOL_FORMATS.map((format) => [format.name, format] as const))("%s", (_, format) => {
  const id = "call_00000001";
  const whole = format.write([{ id, name: "f", arguments: JSON.stringify({ input: INPUT }) }]);
  expect(read(whole, format, true)).toEqual({ begins: true, input: INPUT, ends: true });
  const cuts = Array.from({ length: whole.length }, (_, length) => whole.slice(0, length));
  for (const text of cuts) {
    const { input, ends } = read(text, format, false);
    expect([text, INPUT.startsWith(input)]).toEqual([text, true]);
    if (input !== INPUT) expect([text, ends]).toEqual([text, false]);
  }
});

test("a function's arguments after a call without an end stay as they are", () => {
  const call = { type: "tool-call-start", id: "call_1" } as const;
  const events: ReplyEvent[] = [
    { ...call, index: 0, name: "f" },
    { type: "tool-call-delta", index: 0, arguments: '{"input":"a' },
    { ...call, index: 1, name: "g" },
    { type: "tool-call-delta", index: 1, arguments: '{"x":1}' },
    { type: "tool-call-end", index: 1 },
  ];
  expect(converted(events).slice(2)).toEqual(events.slice(2));
});
