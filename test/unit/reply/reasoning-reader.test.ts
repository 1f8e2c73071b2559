import { describe, expect, it } from "vitest";
import { type ReasoningOptions, ReasoningReader } from "../../../worker/reply/reasoning-reader.ts";
import { anyText, cuts, everyCut } from "../../support/chunks.ts";
import { fc } from "../../support/random.ts";

function read(pieces: string[], options?: ReasoningOptions): { reasoning: string; text: string } {
  const reader = new ReasoningReader(options);
  const all = [...pieces.flatMap((piece) => [...reader.push(piece)]), ...reader.flush()];
  const reply = pieces.join("");
  for (const { kind, text, start } of all)
    if (kind === "text") expect(reply.slice(start, start + text.length)).toBe(text);
  expect(all.every((piece) => piece.text !== "")).toBe(true);
  const of = (kind: string): string =>
    all
      .filter((piece) => piece.kind === kind)
      .map((piece) => piece.text)
      .join("");
  return { reasoning: of("reasoning"), text: of("text") };
}

const trimNewlines = (text: string): string => text.replace(/^\n+|\n+$/g, "");

describe("reasoning", () => {
  it("splits the block off under every cut and drops the newlines around it", () => {
    const thoughts = anyText.filter((text) => !text.includes("</think>"));
    const newlines = fc.string({ unit: fc.constant("\n"), maxLength: 3 });
    fc.assert(
      fc.property(
        thoughts,
        anyText,
        newlines,
        cuts(),
        fc.boolean(),
        (thought, answer, gap, cut, startsInside) => {
          fc.pre(![thought, answer].some((part) => /^\s*<\/?think>/.test(part)));
          const reply = `${startsInside ? "" : `${gap}<think>`}${gap}${thought}${gap}</think>${gap}${answer}`;
          const expected = { reasoning: trimNewlines(thought), text: answer.replace(/^\n+/, "") };
          expect(read(cut(reply), { startsInside })).toEqual(expected);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("leaves a reply without a block as it is", () => {
    fc.assert(
      fc.property(anyText, cuts(), (text, cut) => {
        fc.pre(!/^<\/?think>/.test(text.trimStart()));
        expect(read(cut(text))).toEqual({ reasoning: "", text });
      }),
    );
    for (const text of ["<thin", "<", "\n <thing> x", "a <think>b</think>", " \n"]) {
      for (const pieces of everyCut(text.slice(0, 12))) {
        expect(read(pieces)).toEqual({ reasoning: "", text: text.slice(0, 12) });
      }
    }
  });

  it("takes an unclosed block, and one cut inside its marker, as reasoning", () => {
    for (const pieces of everyCut("<think>a</th")) {
      expect(read(pieces)).toEqual({ reasoning: "a</th", text: "" });
    }
    for (const pieces of everyCut("a\n\n</th\n")) {
      expect(read(pieces, { startsInside: true })).toEqual({ reasoning: "a\n\n</th", text: "" });
    }
    for (const pieces of everyCut("a\n\nb\n")) {
      expect(read(pieces, { startsInside: true })).toEqual({ reasoning: "a\n\nb", text: "" });
    }
  });

  it("never leaks a part of a marker", () => {
    for (const pieces of everyCut("[T]\nx\n[/T]\ny")) {
      const reader = new ReasoningReader({ open: "[T]", close: "[/T]" });
      for (const piece of pieces) {
        for (const out of reader.push(piece)) expect(out.text).toMatch(/^[xy]$/);
      }
    }
  });

  it("says whether reasoning goes on, so that tokens can be counted", () => {
    const reader = new ReasoningReader();
    expect(reader.inside).toBe(false);
    Array.from(reader.push("<think>a"));
    expect(reader.inside).toBe(true);
    Array.from(reader.push("</think>"));
    expect(reader.inside).toBe(false);
  });

  it.each([
    ["<think>\nHm.\n</think>\n\nHi", "Hm.", "Hi"],
    ["\n <think>Hm.</think>Hi", "Hm.", "Hi"],
    ["<think>\n<think>Hm.</think>Hi", "Hm.", "Hi"],
    ["\n Hm.</think>Hi", " Hm.", "Hi"],
    ["<thing> Hm.</think>Hi", "<thing> Hm.", "Hi"],
    ["</think>Hi", "", "Hi"],
    ["\n\n<th", "<th", ""],
    [" \n", "", ""],
  ])("drops the marker that a model writes behind the one of the prompt: %j", (reply, reasoning, text) => {
    for (const pieces of [[reply], [...reply]])
      expect(read(pieces, { startsInside: true })).toEqual({ reasoning, text });
  });

  it.each([
    ["</think>\n\nHi", "Hi"],
    ["\n </think>Hi</think>", "Hi</think>"],
    ["</think>", ""],
    ["</think>\n</think>\n\nHi", "Hi"],
    ["</thin", "</thin"],
    ["\n</thing>", "\n</thing>"],
  ])("drops the end of a thought that there is not: %j", (reply, text) => {
    for (let at = 0; at <= reply.length; at++)
      expect(read([reply.slice(0, at), reply.slice(at)])).toEqual({ reasoning: "", text });
    expect(read([...reply])).toEqual({ reasoning: "", text });
  });

  it.each([
    ["<think>\nHm.\n</think>\n</think>\n\nHi", "Hm.", "Hi"],
    ["<think>Hm.</think> \n</think></think> Hi", "Hm.", " Hi"],
    ["<think>\n<think>\nHm.</think>Hi", "Hm.", "Hi"],
    ["<think>\n\n</think>\n\n<think>\nHm.\n</think>\n\nHi", "Hm.", "Hi"],
    ["<think>Hm.</think>\n<think>More.</think>\nHi", "Hm.More.", "Hi"],
    ["</think><think>Hm.</think>", "Hm.", ""],
    ["<think>Hm.</think>\n<think>More.", "Hm.More.", ""],
    ["<think>Hm.</think>\n\n</th", "Hm.", "</th"],
    ["<think>Hm.</think>\n\n \n", "Hm.", " \n"],
    // After text, it may be about the markers.
    ["<think>Hm.</think>Hi</think> <think>more</think>", "Hm.", "Hi</think> <think>more</think>"],
    ["<think>Hm: <think> and <thin</think>Hi", "Hm: <think> and <thin", "Hi"],
  ])(
    "drops markers that a model repeats, and takes a second thought as one: %j",
    (reply, reasoning, text) => {
      for (let at = 0; at <= reply.length; at++)
        expect(read([reply.slice(0, at), reply.slice(at)])).toEqual({ reasoning, text });
      expect(read([...reply])).toEqual({ reasoning, text });
    },
  );

  it("takes what a prompt leaves of a marker as its end once", () => {
    const options = { variants: [{ open: ">", close: "</think>" }] };
    expect(read([..."> > a quote</think>Hi"], options)).toEqual({ reasoning: " > a quote", text: "Hi" });
    expect(read([...">>a</think>Hi"], options)).toEqual({ reasoning: ">a", text: "Hi" });
  });

  const channels = { open: "<|channel>thought\n", close: "<channel|>", channel: "<|channel>" };

  it.each([
    ["Hi<|channel>thought\n<channel|>", "", "Hi"],
    ["Hi<channel|>", "", "Hi"],
    ["Hi<|channel>", "", "Hi"],
    ["Hi<|channel>thou", "", "Hi"],
    ["Hi<|chan", "", "Hi<|chan"],
    ["<|channel><|channel>thought\nHm<channel|>Hi", "Hm", "Hi"],
    ["<|channel>Hi", "", "Hi"],
    ["<|channel>", "", ""],
    ["<|channel>thought<channel|>Hi", "", "Hi"],
    ["<|channel>thought\nHm<channel|>Look.<|channel>thought\nMore<channel|> So.", "HmMore", "Look. So."],
    ["<|channel>thought\nHm<channel|>\n\n<|channel>thought\nMore<channel|>\nSo.", "HmMore", "So."],
    ["<|channel>thought\nHm <|channel>thought\n</think>", "Hm <|channel>thought\n</think>", ""],
  ])("reads thoughts at every place of %j, without lone markers", (reply, reasoning, text) => {
    for (let at = 0; at <= reply.length; at++)
      expect(read([reply.slice(0, at), reply.slice(at)], channels)).toEqual({ reasoning, text });
    expect(read([...reply], channels)).toEqual({ reasoning, text });
  });

  it("leaves markers inside a call as they are", () => {
    const reply = 'f("<channel|> <|channel>thought\n")';
    expect(read([...reply], { ...channels, inCall: () => true })).toEqual({ reasoning: "", text: reply });
  });

  it("reads channels alike under every cut", () => {
    const parts = fc.constantFrom("<|channel>", "thought", "\n", "<channel|>", "<|chan", "a", " ", "😀");
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 16 }), cuts(), fc.boolean(), (all, cut, startsInside) => {
        const reply = all.join("");
        const options = { ...channels, startsInside };
        expect(read(cut(reply), options)).toEqual(read([reply], options));
      }),
      { numRuns: 1000 },
    );
  });

  const answer = { open: "<answer>", close: "</answer>" };

  it.each([
    ["<think>\na\n</think>\n<answer>\nb\n</answer>", "a", "b"],
    ["<think>a</think><answer>b</answer>\n", "a", "b"],
    ["</think>\n<answer>b</answer>", "", "b"],
    ["<think>a</think>b</answer>", "a", "b</answer>"],
    ["<think>a</think><answer>b</answer> and c", "a", "b</answer> and c"],
    ["<think>a</think><answer>\n\nb\n\nc", "a", "b\n\nc"],
    ["<think>a</think><ans", "a", "<ans"],
    ["<answer>b</answer>", "", "b"],
    ["\n<answer>\nb\n</answer>", "", "b"],
    [" b", "", " b"],
  ])("drops the markers around the answer of %j", (reply, reasoning, text) => {
    for (let at = 0; at <= reply.length; at++)
      expect(read([reply.slice(0, at), reply.slice(at)], { answer })).toEqual({ reasoning, text });
    expect(read([...reply], { answer })).toEqual({ reasoning, text });
  });

  it("ends where a call begins before the block is closed", () => {
    const calls = ["<tool_call>\n<function=f>"];
    const call = "<tool_call>\n<function=f>\n</function>\n</tool_call>";
    for (const pieces of [[`I need f.\n${call}`], [...`I need f.\n${call}`]])
      expect(read(pieces, { startsInside: true, calls })).toEqual({ reasoning: "I need f.", text: call });
    const other = "A <tool_call> is\n<tool_call>\n<function=fun>";
    expect(read([...other], { startsInside: true, calls })).toEqual({ reasoning: other, text: "" });
  });
});
