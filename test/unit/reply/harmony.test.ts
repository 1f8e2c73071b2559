/** Replies that are messages with headers, in OpenAI's harmony format, however they are split. */

import { expect, test } from "vitest";
import { HarmonyReader } from "../../../worker/reply/messages/harmony-reader.ts";
import type { ReplyEvent } from "../../../worker/reply/reply-events.ts";
import { ReplyReader } from "../../../worker/reply/reply-reader.ts";
import { harmony } from "../../../worker/tools/formats/harmony.ts";

interface Read {
  thought: string;
  text: string;
  calls: [name: string, json: string][];
}

function read(pieces: readonly string[], { begun = "assistant", single = false } = {}): Read {
  let minted = 0;
  const tools = { format: harmony.callFormat, names: ["f", "g"], constrained: false, single };
  const reasoning = { open: "", close: "", messages: { kind: "harmony" as const, begun } };
  const reader = new ReplyReader({ stop: [], reasoning, tools }, () => `call_${minted++}`);
  const events: ReplyEvent[] = [...pieces.flatMap((piece) => reader.push(piece)), ...reader.flush(true)];
  const all: Read = { thought: "", text: "", calls: [] };
  for (const event of events) {
    if (event.type === "reasoning") all.thought += event.text;
    else if (event.type === "text") all.text += event.text;
    else if (event.type === "tool-call-start") all.calls.push([event.name, ""]);
    else if (event.type === "tool-call-delta") all.calls[event.index]![1] += event.arguments;
  }
  expect(events.filter(({ type }) => type === "tool-call-end")).toHaveLength(all.calls.length);
  return all;
}

/** Whole, by character, at every cut, and at random ones. */
function splits(text: string): string[][] {
  const cuts = Array.from(text, (_, at) => [text.slice(0, at), text.slice(at)]);
  let seed = text.length;
  const random = Array.from({ length: 50 }, () =>
    text.split(/(?:)/u).reduce<string[]>(
      (pieces, char) => {
        seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
        if (seed % 5 === 0) pieces.push(char);
        else pieces[pieces.length - 1] += char;
        return pieces;
      },
      [""],
    ),
  );
  return [[text], [...text], ...cuts, ...random];
}

const THOUGHT = "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant";
const JSON_TEXT = '{"a": "<|end|> {\\"b\\"} é"}';

test.each<[name: string, reply: string, expected: Partial<Read>, begun?: string]>([
  [
    "a thought and an answer",
    `${THOUGHT}<|channel|>final<|message|>Hi.<|return|>`,
    { thought: "Hm.", text: "Hi." },
  ],
  ["an answer alone", "<|channel|>final<|message|>Hi.", { text: "Hi." }],
  ["without the end token", `${THOUGHT}<|channel|>final<|message|>Hi.`, { thought: "Hm.", text: "Hi." }],
  ["behind the channel's token", "final<|message|>Hi.", { text: "Hi." }, "assistant<|channel|>"],
  ["behind the whole header", "Hi <|>.", { text: "Hi <|>." }, "assistant<|channel|>final<|message|>"],
  [
    "within a thought",
    "Hm.<|end|><|start|>assistant<|channel|>final<|message|>Hi.",
    { thought: "Hm.", text: "Hi." },
    "assistant<|channel|>analysis<|message|>",
  ],
  [
    "a space after each token, as LLM-jp's models write them",
    "<|channel|> analysis<|message|> Hm.<|end|><|start|> assistant<|channel|> final<|message|>  Hi. <|return|>",
    { thought: "Hm.", text: " Hi. " },
    " assistant",
  ],
  ["a space after the header alone", "<|channel|>final<|message|> Hi.", { text: " Hi." }],
  ["text without a header", "Today <|x.", { text: "Today <|x." }],
  ["the beginning of a header's word", "to", { text: "to" }],
  [
    "text without a header after a thought",
    "<|channel|>analysis<|message|>Hm.<|end|>Hi",
    { thought: "Hm.", text: "Hi" },
  ],
  [
    "several thoughts",
    `${THOUGHT}${THOUGHT}<|channel|>final<|message|>Hi.`,
    { thought: "Hm.\n\nHm.", text: "Hi." },
  ],
  [
    "a channel without an end before it",
    "<|channel|>analysis<|message|>Hm.<|channel|>final <|constrain|>json<|message|>{}<|return|>",
    { thought: "Hm.", text: "{}" },
  ],
  [
    "a preamble",
    `${THOUGHT}<|channel|>commentary<|message|>I look.<|end|><|start|>assistant<|channel|>final<|message|>Hi.`,
    { thought: "Hm.", text: "I look.\n\nHi." },
  ],
  [
    "a call",
    `${THOUGHT}<|channel|>commentary to=functions.f <|constrain|>json<|message|>${JSON_TEXT}<|call|>`,
    { thought: "Hm.", calls: [["f", JSON_TEXT]] },
  ],
  [
    "a recipient behind the role",
    ` to=functions.f<|channel|>commentary json<|message|>{}<|call|>`,
    { calls: [["f", "{}"]] },
  ],
  [
    "a recipient behind the role of a later message",
    `${THOUGHT} to=functions.f<|channel|>commentary code<|message|>{ "a": 1 }`,
    { thought: "Hm.", calls: [["f", '{ "a": 1 }']] },
  ],
  [
    "a call in the channel of thoughts",
    '<|channel|>analysis to=functions.f<|message|>{"a":1}<|call|>',
    { calls: [["f", '{"a":1}']] },
  ],
  [
    "a name alone",
    "<|channel|>commentary to=f<|constrain|>json<|message|>{}<|call|>",
    { calls: [["f", "{}"]] },
  ],
  [
    "a call without arguments",
    "<|channel|>commentary to=functions.g<|message|><|call|>",
    { calls: [["g", "{}"]] },
  ],
  ["a call that ends there", "<|channel|>commentary to=functions.g<|message|>", { calls: [["g", "{}"]] }],
  [
    "a header that begins twice",
    "<|channel|>commentary to=assistant<|channel|>commentary to=functions.f json<|message|>{}",
    { calls: [["f", "{}"]] },
  ],
  [
    "two calls and a thought between them",
    `<|channel|>commentary to=functions.f json<|message|>{}<|end|><|start|>assistant${THOUGHT} to=functions.g<|channel|>commentary json<|message|>{"b": []}<|call|>`,
    {
      thought: "Hm.",
      calls: [
        ["f", "{}"],
        ["g", '{"b": []}'],
      ],
    },
  ],
  [
    "a brace too many",
    "<|channel|>commentary to=functions.f json<|message|>{}}<|call|>",
    { calls: [["f", "{}"]] },
  ],
  ["a call of no tool", "<|channel|>commentary to=functions.x json<|message|>{}<|call|>", { text: "{}" }],
  [
    "a built-in tool's call",
    `<|channel|>analysis to=python code<|message|>1 + 1<|call|>`,
    { thought: "1 + 1" },
  ],
  ["no object", "<|channel|>commentary to=functions.f<|message|>Hi<|end|>", { text: "Hi" }],
  [
    "a result that the model writes itself",
    "<|channel|>commentary to=functions.f json<|message|>{}<|call|><|start|>functions.f to=assistant<|channel|>commentary<|message|>5<|end|><|start|>assistant<|channel|>final<|message|>5",
    { calls: [["f", "{}"]] },
  ],
  [
    "the user's turn",
    "<|channel|>final<|message|>Hi.<|end|><|start|>user<|message|>And?<|end|>",
    { text: "Hi." },
  ],
  [
    "a header without an end",
    `<|channel|>final ${"long ".repeat(100)}<|end|>`,
    { text: "long ".repeat(100) },
  ],
  [
    "an answer without its token",
    `${THOUGHT}<|channel|>final The answer\nis 42.`,
    { thought: "Hm.", text: "The answer\nis 42." },
  ],
  [
    "a thought without its token",
    "<|channel|>analysis I must refuse.<|end|><|start|>assistant<|channel|>final<|message|>No.<|return|>",
    { thought: "I must refuse.", text: "No." },
  ],
  [
    "a call without its token",
    `${THOUGHT}<|channel|>commentary to=functions.f <|constrain|>json{"a": 1}<|call|>`,
    { thought: "Hm.", calls: [["f", '{"a": 1}']] },
  ],
  [
    "a long call without its token",
    `<|channel|>commentary to=functions.f json {"a": "${"b".repeat(300)}"}`,
    { calls: [["f", `{"a": "${"b".repeat(300)}"}`]] },
  ],
  ["neither channel nor token", `${THOUGHT} Hi.<|return|>`, { thought: "Hm.", text: "Hi." }],
  [
    "another's message without its token",
    `${THOUGHT}<|channel|>final<|message|>Hi.<|end|><|start|>user And?`,
    { thought: "Hm.", text: "Hi." },
  ],
  ["a header alone", `${THOUGHT}<|channel|>commentary to=functions.f <|constrain|>json`, { thought: "Hm." }],
  ["a part of a header", `${THOUGHT}<|channel|>final <|constr`, { thought: "Hm." }],
  ["a word without an end", `<|channel|>${"x".repeat(300)}<|message|>Hi`, { text: `${"x".repeat(64)}Hi` }],
])("%s", (_, reply, expected, begun = "assistant") => {
  for (const pieces of splits(reply))
    expect(read(pieces, { begun })).toEqual({ thought: "", text: "", calls: [], ...expected });
});

test("a single call ends the reply", () => {
  const call = "<|channel|>commentary to=functions.f json<|message|>{}<|end|><|start|>assistant";
  for (const pieces of splits(call + call))
    expect(read(pieces, { single: true }).calls).toEqual([["f", "{}"]]);
});

test("a call that a limit cuts has begun only with its arguments", () => {
  const reader = new HarmonyReader({ begun: "assistant", names: new Set(["f"]), mintId: () => "call_0" });
  const begun = [...reader.push("<|channel|>commentary to=functions.f json<|message|>")];
  expect([...begun, ...reader.flush(false)]).toEqual([]);
});

test("places are those in the reply, and a thought is no text", () => {
  const reader = new HarmonyReader({ begun: "assistant", names: new Set(), mintId: () => "" });
  const reply = `${THOUGHT}<|channel|>final<|message|>Hi.<|return|>`;
  const inside: boolean[] = [];
  const pieces = [...reply].flatMap((char) => {
    const found = [...reader.push(char)];
    inside.push(reader.inside);
    return found;
  });
  for (const piece of pieces)
    if ("kind" in piece) expect(reply.slice(piece.start, piece.start + piece.text.length)).toBe(piece.text);
  expect(inside.indexOf(true)).toBe("<|channel|>analysi".length);
  expect(inside.lastIndexOf(true)).toBe(reply.indexOf("<|end|>") + "<|end|>".length - 2);
});
