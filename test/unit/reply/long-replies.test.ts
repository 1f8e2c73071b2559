/** Long and deep replies, in every format: each character is read a few times, however small the pieces are. */

import { expect, test } from "vitest";
import { type ReasoningOptions, ReasoningReader } from "../../../worker/reply/reasoning-reader.ts";
import { ReplyReader } from "../../../worker/reply/reply-reader.ts";
import { ToolCallReader } from "../../../worker/reply/tool-call-reader.ts";
import type { ToolReaderEvent } from "../../../worker/reply/tool-events.ts";
import { functionGemma } from "../../../worker/tools/formats/function-gemma.ts";
import { gemma } from "../../../worker/tools/formats/gemma.ts";
import { hermes } from "../../../worker/tools/formats/hermes.ts";
import { lfm2 } from "../../../worker/tools/formats/lfm2.ts";
import { llama } from "../../../worker/tools/formats/llama.ts";
import { minicpm5 } from "../../../worker/tools/formats/minicpm5.ts";
import { minimaxM3 } from "../../../worker/tools/formats/minimax-m3.ts";
import { mistral } from "../../../worker/tools/formats/mistral.ts";
import { mistralNamed } from "../../../worker/tools/formats/mistral-named.ts";
import type { ToolFormat } from "../../../worker/tools/formats/tool-format.ts";
import { xml } from "../../../worker/tools/formats/xml.ts";

const MEGABYTE = 2 ** 20;
const LFM2 = "<|tool_call_start|>";
const M3 = ']<]minimax[>[<tool_call>]<]minimax[>[<invoke name="f">';
const XML = "<tool_call><function=f>";
const CHANNELS = { open: "<|channel>thought\n", close: "<channel|>", channel: "<|channel>" };
const ANSWER = { open: "<a>", close: "</a>" };
const ESCAPED = "<start_function_call>call:f";

function read(format: ToolFormat, pieces: readonly string[]): ToolReaderEvent[] {
  const reader = new ToolCallReader({
    format: format.callFormat,
    names: new Set(["f"]),
    typesOf: () => ({ a: "string" }),
    mintId: () => "call",
  });
  return [...pieces.flatMap((piece) => reader.push(piece)), ...reader.flush()];
}

const textOf = (events: readonly ToolReaderEvent[]): string =>
  events.map((event) => (event.type === "text" ? event.text : "")).join("");
const argumentsOf = (events: readonly ToolReaderEvent[]): string =>
  events.map((event) => (event.type === "tool-call-delta" ? event.arguments : "")).join("");

// To read the text so far again with each piece would take hours.
test.each<[string, ToolFormat, string, string, string]>([
  ["LFM2, string", lfm2, `${LFM2}[f(a="`, "word ", '")]'],
  ["LFM2, quotes in a string", lfm2, `${LFM2}[f(a='`, "x'), y', z ') ", "')]"],
  ["LFM2, list", lfm2, `${LFM2}[f(a=[`, "'x', ", "])]"],
  ["LFM2, dictionary", lfm2, `${LFM2}[f(a={`, "'k': [1], ", "})]"],
  ["LFM2, number", lfm2, `${LFM2}[f(a=`, "123", ")]"],
  ["LFM2, word", lfm2, `${LFM2}[f(a=`, "word", ")]"],
  ["LFM2, white space before a value", lfm2, `${LFM2}[f(a=`, "    ", "1)]"],
  ["LFM2, white space after a call", lfm2, `${LFM2}[f(a=1)`, "    ", "]"],
  ["LFM2, positional string", lfm2, `${LFM2}[f('`, "word ", "')]"],
  ["LFM2, keyword", lfm2, `${LFM2}[f(`, "word", "=1)]"],
  ["XML, parameter", xml, `${XML}<parameter=a>`, "word ", "</parameter></function>"],
  ["XML, parameter's name", xml, `${XML}<parameter=`, "word", ">1</parameter></function>"],
  [
    "MiniMax M3, text",
    minimaxM3,
    `${M3}]<]minimax[>[<a>`,
    "word ",
    "]<]minimax[>[</a>]<]minimax[>[</invoke>",
  ],
  [
    "MiniMax M3, elements",
    minimaxM3,
    `${M3}]<]minimax[>[<a>`,
    "]<]minimax[>[<b>1]<]minimax[>[</b>",
    "]<]minimax[>[</invoke>",
  ],
  ["MiniMax M3, a tag's name", minimaxM3, `${M3}]<]minimax[>[<`, "word", ""],
  ["FunctionGemma, text", functionGemma, `${ESCAPED}{a:<escape>`, "word ", "<escape>}"],
  ["FunctionGemma, plain text", functionGemma, `${ESCAPED}{a:`, "word ", "}"],
  ["FunctionGemma, white space after a comma", functionGemma, `${ESCAPED}{a:b,`, "    ", "}"],
  ["FunctionGemma, white space after a quote", functionGemma, `${ESCAPED}{a:"b"`, "    ", "}"],
  ["FunctionGemma, list", functionGemma, `${ESCAPED}{a:[`, "1,", "]}"],
  ["FunctionGemma, object", functionGemma, `${ESCAPED}{a:{`, "k:[1],", "}}"],
  [
    "Hermes, white space after a call",
    hermes,
    '<tool_call>{"name": "f", "arguments": {}}',
    "    ",
    "</tool_call>",
  ],
  ["Hermes, a dictionary's string", hermes, "<tool_call>{'name': 'f', 'arguments': {'a': '", "word ", "'}}"],
  ["Hermes, a dictionary's list", hermes, "<tool_call>{'name': 'f', 'arguments': {'a': [", "'x', ", "]}}"],
])("a call with a megabyte in small pieces: %s", (_, format, begin, piece, end) => {
  const pieces = [begin, ...new Array<string>(Math.ceil(MEGABYTE / piece.length)).fill(piece), end];
  const events = read(format, pieces);
  const starts = events.filter(({ type }) => type === "tool-call-start");
  expect([starts.length, events.filter(({ type }) => type === "tool-call-end").length]).toEqual([1, 1]);
});

test.each<[string, ToolFormat, string, string]>([
  ["a tool's name", lfm2, `${LFM2}[`, "name"],
  ["a tool's name", mistralNamed, "[TOOL_CALLS]", "name"],
  ["a tool's name", functionGemma, "<start_function_call>call:", "name"],
  ["open lists", lfm2, `${LFM2}[f([`, "[["],
  ["white space before a name", mistralNamed, "[TOOL_CALLS]", "    "],
  ["white space before a value", llama, "[f(", "    "],
  ["white space in a list", gemma, "[", "    "],
  ["white space", llama, "", "\n\n"],
  ["white space before an object", hermes, "<tool_call>", "    "],
  ["white space in a dictionary", hermes, "<tool_call>{'name'", "    "],
  ["objects in objects", hermes, "<tool_call>", '{"function": '],
])("a megabyte of text in small pieces comes back: %s", (_, format, begin, piece) => {
  const pieces = [begin, ...new Array<string>(Math.ceil(MEGABYTE / piece.length)).fill(piece), "."];
  const events = read(format, pieces);
  expect(textOf(events) === pieces.join("")).toBe(true);
  expect(argumentsOf(events)).toBe("");
});

test("a megabyte of white space after calls that are written once more, in small pieces, is read once", () => {
  const spaces = new Array<string>(MEGABYTE / 4).fill("    ");
  const events = read(lfm2, [`${LFM2}[f()]<|tool_call_end|>[f()]`, ...spaces, "."]);
  expect(textOf(events) === `[f()]${spaces.join("")}.`).toBe(true);
});

test.each([
  ["[", "]", "]"],
  ["{k:", "}", "{}}"],
])("FunctionGemma: 100 levels of %s, and no more", (open, close) => {
  const nested = (levels: number): string => `{a:${open.repeat(levels - 1)}${close.repeat(levels - 1)}}`;
  const whole = read(functionGemma, [`<start_function_call>call:f${nested(100)}<end_function_call>`]);
  expect(textOf(whole)).toBe("");
  expect(() => JSON.parse(argumentsOf(whole))).not.toThrow();
  const text = `<start_function_call>call:f${nested(101)}<end_function_call>`;
  const deep = read(functionGemma, [text]);
  expect(textOf(deep)).toBe(text.slice(text.indexOf(open + close)));
});

test.each<[string, ReasoningOptions, string, string, string, number]>([
  ["white space at the beginning", {}, "", "\n ", "<think>", 0],
  ["newlines in a thought", {}, "<think>a", "\n\n", "b</think>", MEGABYTE + 2],
  ["white space behind an answer", { answer: ANSWER }, "<a>b</a>", "\n ", "c", MEGABYTE + 6],
  ["lone markers", CHANNELS, "a", "<channel|>", "<|channel>", 1],
  ["empty thoughts", CHANNELS, "a", "<|channel>thought\n<channel|>", "b", 2],
])("a megabyte of %s, in small pieces, is read once", (_, options, begin, piece, end, expected) => {
  const reader = new ReasoningReader(options);
  let length = 0;
  for (const part of [begin, ...new Array<string>(Math.ceil(MEGABYTE / piece.length)).fill(piece), end])
    for (const { text } of reader.push(part)) length += text.length;
  expect(reader.flush()).toEqual([]);
  expect(length).toBe(expected);
});

test("megabytes of markers in one piece are read once, too", () => {
  const lone = [...new ReasoningReader(CHANNELS).push("a<channel|>".repeat(MEGABYTE / 4))];
  expect(lone).toHaveLength(MEGABYTE / 4);
  const members = "<parameter=a>1</parameter>".repeat(MEGABYTE / 8);
  expect(argumentsOf(read(xml, [`${XML}${members}</function>`])).endsWith('"a": "1"}')).toBe(true);
});

// To read the rest again after each of them would take minutes.
test.each<[string, ToolFormat, string]>([
  ["MiniCPM 5's tags", minicpm5, '<function name="'],
  ["Hermes's markers", hermes, "<tool_call>"],
  ["Mistral's markers", mistral, "[TOOL_CALLS]"],
])("a megabyte of beginnings of calls in one piece is text: %s", (_, format, marker) => {
  const text = marker.repeat(Math.ceil(MEGABYTE / marker.length));
  expect(textOf(read(format, [text])) === text).toBe(true);
});

test("a long piece is not cut within a character", () => {
  const text = `${"a".repeat(1023)}😀`;
  const events = read(hermes, [`<tool_call>{"name": "f", "arguments": {"a": "${text}"}}</tool_call>`]);
  const pieces = events.map((event) => (event.type === "tool-call-delta" ? event.arguments : ""));
  expect(pieces.join("")).toBe(`{"a": "${text}"}`);
  expect(pieces.filter((piece) => /\p{Surrogate}/u.test(piece))).toEqual([]);
});

test("a megabyte of thoughts and text, in one piece, stands where it stood", () => {
  const reader = new ReplyReader({ stop: ["END"], reasoning: CHANNELS }, () => "call");
  const text = "a<|channel>thought\nb<channel|>".repeat(MEGABYTE / 32);
  const events = [...reader.push(text), ...reader.flush()];
  expect(events).toHaveLength(MEGABYTE / 16);
  expect(reader.takeSpans().every(({ start, end }) => text.slice(start, end) === "a")).toBe(true);
});
