/** Replies whose visible text is interrupted: by thoughts, dropped markers and calls. */

import { describe, expect, it } from "vitest";
import type { ReplyEvent } from "../../../worker/reply/reply-events.ts";
import { type ReaderOptions, ReplyReader } from "../../../worker/reply/reply-reader.ts";
import { gemma4 } from "../../../worker/tools/formats/function-gemma.ts";
import { cuts } from "../../support/chunks.ts";
import { fc } from "../../support/random.ts";

const reasoning = { open: "<|channel>thought\n", close: "<channel|>", channel: "<|channel>" };
const tools = { format: gemma4.callFormat, names: ["f"], constrained: false, single: false };

function read(pieces: readonly string[], options: Partial<ReaderOptions> = {}) {
  const reader = new ReplyReader({ stop: [], reasoning, tools, ...options }, () => "call_1");
  const reply = pieces.join("");
  const events: ReplyEvent[] = [];
  let spanned = "";
  for (const piece of [...pieces, undefined]) {
    events.push(...(piece === undefined ? reader.flush() : reader.push(piece)));
    for (const { start, end } of reader.takeSpans()) spanned += reply.slice(start, end);
  }
  const of = (type: string, key: string): string =>
    events
      .map((event) => (event.type === type ? (event as unknown as Record<string, string>)[key] : ""))
      .join("");
  const text = of("text", "text");
  expect(spanned).toBe(text);
  return { text, reasoning: of("reasoning", "text"), arguments: of("tool-call-delta", "arguments"), events };
}

describe("channels of Gemma 4", () => {
  const CALL = '<|tool_call>call:f{a:<|"|>x<|"|>}<tool_call|>';

  it.each<[reply: string, expected: object]>([
    [
      `<|channel>thought\nHm<channel|>Look.<|channel>thought\nMore<channel|>${CALL}`,
      { text: "Look.", reasoning: "HmMore", arguments: '{"a": "x"}' },
    ],
    [`Look.\n<|channel>thought\n<channel|>${CALL}<channel|>`, { text: "Look.", arguments: '{"a": "x"}' }],
    [
      '<|tool_call>call:f{a:<|"|><channel|> <|channel>thought\n<|"|>}<tool_call|><|channel>thought\nHm',
      {
        text: "",
        reasoning: "Hm",
        arguments: JSON.stringify({ a: "<channel|> <|channel>thought\n" }).replace(":", ": "),
      },
    ],
    ["Hi <|tool_c<|channel>thought\nHm<channel|>x", { text: "Hi <|tool_cx", reasoning: "Hm" }],
  ])("%j is read at every cut", (reply, expected) => {
    for (let at = 0; at <= reply.length; at++)
      expect(read([reply.slice(0, at), reply.slice(at)])).toMatchObject(expected);
    expect(read([...reply])).toMatchObject(expected);
  });

  it("says where the visible text stands in the reply, under every cut", () => {
    const parts = fc.constantFrom(
      "<|channel>",
      "thought\n",
      "<channel|>",
      CALL,
      "<|tool_",
      "a",
      "\n",
      " END",
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 16 }), cuts(), fc.boolean(), (all, cut, includeStop) => {
        const reply = all.join("");
        const { events: _, ...split } = read(cut(reply), { stop: ["EN", "aa"], includeStop });
        expect(read([reply], { stop: ["EN", "aa"], includeStop })).toMatchObject({ ...split });
      }),
      { numRuns: 1000 },
    );
  });

  it("ends at a stop string: no thought after it is returned", () => {
    const reply = "One. STOP<|channel>thought\nMore<channel|>Two.";
    for (const pieces of [[reply], [...reply]])
      expect(read(pieces, { stop: ["STOP"] })).toMatchObject({ text: "One. ", reasoning: "" });
  });

  it("ends behind the only call that it may make", () => {
    const { events, text } = read([`${CALL}<|channel>thought\nHm<channel|>More`], {
      tools: { ...tools, single: true },
    });
    expect([events.at(-1)?.type, text]).toEqual(["tool-call-end", ""]);
  });

  it("releases the beginning of a stop string in front of a thought", () => {
    const { events } = read([..."One.<|channel>thought\nMore<channel|>\nTwo."], { stop: [".\n"] });
    expect(events.map((event) => (event.type === "text" ? event.text : event.type)).join("")).toMatch(
      /^One\.(reasoning)+\nTwo\.$/,
    );
  });
});
