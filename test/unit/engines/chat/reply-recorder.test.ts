import { expect, test } from "vitest";
import type { TokenLogprob } from "../../../../worker/engine-api/chat-engine.ts";
import { ReplyRecorder } from "../../../../worker/engines/chat/reply-recorder.ts";
import type { ReaderOptions } from "../../../../worker/reply/reply-reader.ts";
import { hermes } from "../../../../worker/tools/formats/hermes.ts";

const entry = (token: string): TokenLogprob => ({ token, logprob: -1, bytes: [], top: [] });

test("a token of no text leaves with the text behind it, and an end token never", () => {
  const recorder = new ReplyRecorder({ stop: [] });
  const delivered = [
    recorder.take("A", 1, [entry("A")]),
    recorder.take("", 2, [entry("\\xc3")]),
    recorder.take("é", 3, [entry("\\xa9")]),
    recorder.take("", 4, [entry("<end>")]),
    recorder.finish(),
  ];
  const tokens = delivered.map(({ logprobs }) => logprobs.map(({ token }) => token));
  expect(tokens).toEqual([["A"], [], ["\\xc3", "\\xa9"], [], []]);
  expect(delivered.map(({ events }) => events.length)).toEqual([1, 0, 1, 0, 0]);
});

test("a reply that reports all tokens ends with those that have no text", () => {
  const recorder = new ReplyRecorder({ stop: [] }, true);
  recorder.take("A", 1, [entry("A")]);
  recorder.take("", 2, [entry("<end>")]);
  expect(recorder.finish(true)).toEqual({ events: [], logprobs: [entry("<end>")] });
  const empty = new ReplyRecorder({ stop: [] }, true);
  empty.take("", 1, [entry("<end>")]);
  expect(empty.finish(true).logprobs).toEqual([entry("<end>")]);
});

/** Text and tokens of a reply of these pieces, each of them a token. */
function record(reader: ReaderOptions, pieces: string[]) {
  const recorder = new ReplyRecorder(reader);
  const taken = pieces.map((piece, at) => recorder.take(piece, at + 1, [entry(piece)]));
  const all = [...taken, recorder.finish()];
  const events = all.flatMap((one) => one.events);
  return {
    text: events.map((event) => (event.type === "text" ? event.text : "")).join(""),
    tokens: all.flatMap(({ logprobs }) => logprobs.map(({ token }) => token)),
  };
}

const reasoning = { open: "<think>", close: "</think>" };
const tools = { format: hermes.callFormat, names: ["f"], constrained: false, single: false };
const CALL = ["<tool_call>", '{"name":"f",', '"arguments":{"a":"All"}}', "</tool_call>"];

test.each<[string, ReaderOptions, string[], string[], string?]>([
  [
    "reasoning",
    { stop: [], reasoning },
    ["<think>", "\n", "Hm", "</think>", "\n\n", "It", " is", " 4"],
    ["It", " is", " 4"],
  ],
  ["empty reasoning", { stop: [], reasoning }, ["<think>", "\n\n", "</think>", "\n\n", "4"], ["4"]],
  [
    "a call",
    { stop: [], tools },
    ["I call.", "\n", ...CALL, "\n", "All", " done"],
    ["I call.", "\n", "All", " done"],
  ],
  [
    "a call after a token that also has the white space in front of it",
    { stop: [], tools },
    ["I call", ".\n\n", ...CALL],
    ["I call", ".\n\n"],
    "I call.",
  ],
  ["what is no call", { stop: [], tools }, ["<tool", "_call>", "{}", "!"], ["<tool", "_call>", "{}", "!"]],
  [
    "all of these, and a stop",
    { stop: ["END"], reasoning, tools },
    ["<think>", "a", "</think>", "\n", "Yes", " ", ...CALL, "So", " E", "ND", " x"],
    ["Yes", "So", " E"],
    "YesSo ",
  ],
])(
  "log probabilities are those of the content: %s",
  (_, reader, pieces, content, shown = content.join("")) => {
    const { text, tokens } = record(reader, pieces);
    expect(tokens).toEqual(content);
    expect(text).toBe(shown);
  },
);
