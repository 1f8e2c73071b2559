/** Replies that are messages whose headers end with markers, however they are split. */

import { describe, expect, test } from "vitest";
import {
  INKLING_MESSAGES,
  type MessageMarkers,
  MUSE_MESSAGES,
} from "../../../worker/chat-template/traits/message-markers.ts";
import { MarkedMessageReader } from "../../../worker/reply/messages/marked-message-reader.ts";
import type { ReplyEvent } from "../../../worker/reply/reply-events.ts";
import { ReplyReader } from "../../../worker/reply/reply-reader.ts";
import { inkling } from "../../../worker/tools/formats/inkling.ts";
import { muse } from "../../../worker/tools/formats/muse.ts";
import type { ToolFormat } from "../../../worker/tools/formats/tool-format.ts";
import { fc } from "../../support/random.ts";

interface Read {
  thought: string;
  text: string;
  calls: [name: string, args: unknown][];
  ended: boolean;
}

function read(
  pieces: readonly string[],
  markers: MessageMarkers,
  format: ToolFormat,
  { begun = "", names = ["f", "g"] } = {},
): Read {
  let minted = 0;
  const types = { f: { a: "string", n: "integer" }, g: {} } as const;
  const tools = { format: format.callFormat, names, types, constrained: false, single: false };
  const reasoning = { open: "", close: "", messages: { kind: "marked" as const, markers, begun } };
  const reader = new ReplyReader({ stop: [], reasoning, tools }, () => `call_${minted++}`);
  const events: ReplyEvent[] = [...pieces.flatMap((piece) => reader.push(piece)), ...reader.flush(true)];
  const calls: [string, string][] = [];
  const all = { thought: "", text: "" };
  for (const event of events) {
    if (event.type === "reasoning") all.thought += event.text;
    else if (event.type === "text") all.text += event.text;
    else if (event.type === "tool-call-start") calls.push([event.name, ""]);
    else if (event.type === "tool-call-delta") calls[event.index]![1] += event.arguments;
  }
  expect(events.filter(({ type }) => type === "tool-call-end")).toHaveLength(calls.length);
  return { ...all, calls: calls.map(([name, json]) => [name, JSON.parse(json)]), ended: reader.ended };
}

interface Dialect {
  markers: MessageMarkers;
  format: ToolFormat;
  thought: (text: string) => string;
  text: (text: string) => string;
  call: (name: string, args?: object) => string;
  end: string;
}

const parameters = (args: object): string =>
  Object.entries(args)
    .map(([key, value]) => `<atem:parameter name="${key}">${value}</atem:parameter>\n`)
    .join("");

/** Messages as the prompt's header begins them: each begins the next. */
const DIALECTS: Record<string, Dialect> = {
  muse: {
    markers: MUSE_MESSAGES,
    format: muse,
    thought: (text) => ` to=self<|message|>${text}<|eom|><|start|>assistant`,
    text: (text) => ` to=user<|message|>${text}<|eom|><|start|>assistant`,
    call: (name, args = {}) =>
      ` to=${name}<|message|><atem:function_calls>\n<atem:invoke name="${name}">\n${parameters(args)}</atem:invoke>\n` +
      "</atem:function_calls><|eom|><|start|>assistant",
    end: "<|eom|>",
  },
  inkling: {
    markers: INKLING_MESSAGES,
    format: inkling,
    thought: (text) => `<|content_thinking|>${text}<|end_message|><|message_model|>`,
    text: (text) => `<|content_text|>${text}<|end_message|><|message_model|>`,
    call: (name, args = {}) =>
      `${name}<|content_invoke_tool_json|>${JSON.stringify({ name, args })}<|end_message|><|message_model|>`,
    end: "<|end_message|>",
  },
};

describe.each(Object.entries(DIALECTS))("%s", (_, { markers, format, thought, text, call, end }) => {
  const last = (written: string): string => written.slice(0, -markers.next.length);
  const header = (name: string): string => call(name).split("<|")[0]!;
  const ARGUMENTS = { a: `x ${end} </b> é`, n: 5 };

  test.each<[name: string, reply: string, expected: Partial<Read>]>([
    ["a thought and an answer", thought("Hm.") + text("Hi.\n"), { thought: "Hm.", text: "Hi.\n" }],
    ["an answer alone", text("Hi."), { text: "Hi." }],
    ["without its end", thought("Hm.") + text("Hi.").split(end)[0], { thought: "Hm.", text: "Hi." }],
    ["a thought that is cut", thought("Hm. So").split(end)[0]!, { thought: "Hm. So" }],
    [
      "a thought without its end",
      thought("Hm.").replace(end, "") + text("Hi."),
      { thought: "Hm.", text: "Hi." },
    ],
    ["text without a header", "Today <|x.", { text: "Today <|x." }],
    ["a word without a header", "Today", { text: "Today" }],
    ["a word without a header before the end", `Today${end}`, { text: "Today" }],
    ["JSON without a header", '{"a": 1}', { text: '{"a": 1}' }],
    ["text without a header after a thought", `${last(thought("Hm."))}Hi`, { thought: "Hm.", text: "Hi" }],
    [
      "text without a header after the beginning of a message",
      `${thought("Hm.")}Hello there.`,
      { thought: "Hm.", text: "Hello there." },
    ],
    [
      "texts without headers between markers",
      `${thought("Hm.")}Hello${end}${markers.next}to you.${markers.next}Bye`,
      { thought: "Hm.", text: "Hello\n\nto you.\n\nBye" },
    ],
    ["a header without its end", thought("Hm.") + header("f"), { thought: "Hm." }],
    ["a header alone", header("f"), {}],
    ["headers without a message", `${header("f")}${end}${markers.next}${header("g")}${end}`, {}],
    [
      "several thoughts and texts",
      thought("A.") + text("B.") + thought("C.") + text("D."),
      { thought: "A.\n\nC.", text: "B.\n\nD." },
    ],
    [
      "a thought, a text and calls",
      thought("Hm.") + text("I look.") + call("f", ARGUMENTS) + call("g"),
      {
        thought: "Hm.",
        text: "I look.",
        calls: [
          ["f", ARGUMENTS],
          ["g", {}],
        ],
      },
    ],
    [
      "calls alone",
      call("g") + call("g"),
      {
        calls: [
          ["g", {}],
          ["g", {}],
        ],
      },
    ],
    ["a call without its end", last(call("f", { a: "x" })).replace(end, ""), { calls: [["f", { a: "x" }]] }],
    ["a text after a call", call("g") + text("Done."), { text: "Done.", calls: [["g", {}]] }],
    [
      "calls that turn out to be texts",
      call("g").replace(/(\|>)[<{].*?(?=<\|e)/s, "$1some text") +
        call("f").replace(/(\|>)[<{].*?(?=<\|e)/s, "$1more") +
        call("g") +
        text("Hi."),
      { text: "some text\n\nmore\n\nHi.", calls: [["g", {}]] },
    ],
    ["another's message", `${call("g")}${markers.others[0]}<|x|>sunny`, { calls: [["g", {}]], ended: true }],
  ])("%s", (_name, reply, expected) => {
    const whole = { thought: "", text: "", calls: [], ended: false, ...expected };
    for (let at = 0; at <= reply.length; at++)
      expect(read([reply.slice(0, at), reply.slice(at)], markers, format)).toEqual(whole);
    expect(read([...reply], markers, format)).toEqual(whole);
  });

  test("a limit may cut a header, and a text that a header could begin with", () => {
    const reader = (reply: string, byModel: boolean) => {
      const each = new MarkedMessageReader({ markers, begun: "", names: ["forecast"] });
      const pieces = [...[...reply].flatMap((piece) => [...each.push(piece)]), ...each.flush(byModel)];
      return pieces.map((piece) => ("kind" in piece ? piece.text : "")).join("");
    };
    const begun = header("forecast").trim().slice(0, 2);
    expect([reader(begun, false), reader(begun, true)]).toEqual(["", begun]);
    expect([reader("Hi", false), reader("Hi", true)]).toEqual(["Hi", "Hi"]);
  });

  // To read it again from each character would take half an hour.
  test("a megabyte of white space that is no header is read once", () => {
    const text = `${" ".repeat(2 ** 20)}!`;
    expect(read([text], markers, format).text).toBe(text);
  });

  test("the prompt may have begun a thought or a text", () => {
    const [begins, kind] = [markers.thought, markers.texts[0]!];
    expect(
      read(["Hm.", last(thought("")).replace(begins, "")], markers, format, { begun: begins }),
    ).toMatchObject({
      thought: "Hm.",
      text: "",
    });
    expect(read(["Hi", "."], markers, format, { begun: kind })).toMatchObject({ thought: "", text: "Hi." });
  });

  test("random messages in random pieces", () => {
    const words = fc
      .string({ minLength: 1, maxLength: 8 })
      .filter((word) => /^[^\s<][^<]*[^\s<]$/.test(word));
    const message = fc.oneof(
      words.map((word) => ({ thought: word })),
      words.map((word) => ({ text: word })),
    );
    fc.assert(
      fc.property(
        fc.array(message, { minLength: 1, maxLength: 4 }),
        fc.array(fc.nat({ max: 6 }), { maxLength: 99 }),
        (messages, sizes) => {
          const reply = messages
            .map((one) => ("text" in one ? text(one.text) : thought(one.thought)))
            .join("");
          const pieces = sizes.map((size, at) => {
            const from = sizes.slice(0, at).reduce((sum, each) => sum + each, 0);
            return reply.slice(from, from + size);
          });
          const rest = reply.slice(pieces.join("").length);
          const joined = (kind: "text" | "thought"): string =>
            messages.flatMap((one) => (one as Record<string, string>)[kind] ?? []).join("\n\n");
          expect(read([...pieces, rest], markers, format)).toMatchObject({
            thought: joined("thought"),
            text: joined("text"),
          });
        },
      ),
    );
  });
});

const read1 = (reply: string, names?: string[]): Read =>
  read([...reply], MUSE_MESSAGES, muse, names && { names });

test("a megabyte like a header, in small pieces, is read once", () => {
  const pieces = ["to=", ...new Array<string>(2 ** 18).fill("word")];
  expect(read(pieces, MUSE_MESSAGES, muse).text).toBe(pieces.join(""));
});

test("muse: a tool is its own namespace", () => {
  const { call } = DIALECTS.muse!;
  expect(read1(call("f.f", { a: "x" }))).toMatchObject({ text: "", calls: [["f", { a: "x" }]] });
});

test("muse: headers of thoughts and texts are no calls of tools of that name", () => {
  const { thought, text, call } = DIALECTS.muse!;
  const names = ["self", "user"];
  const reply = thought("Hm.") + text("Hi.") + muse.write([{ id: "", name: "self", arguments: "{}" }]);
  expect(read1(reply, names)).toMatchObject({ thought: "Hm.", text: "Hi.", calls: [["self", {}]] });
  expect(read1(call("user"), names)).toMatchObject({ text: "", calls: [["user", {}]] });
});

test("muse: a header may follow a thought at once, and a call have another recipient", () => {
  const { call } = DIALECTS.muse!;
  expect(read1(` to=self<|message|>Hm.${call("g")}`)).toMatchObject({ thought: "Hm.", calls: [["g", {}]] });
  expect(read1(call("g").replace("to=g", "to=user"))).toMatchObject({ text: "", calls: [["g", {}]] });
});

test.each<[reply: string, text: string]>([
  [DIALECTS.inkling!.call("other"), '{"name":"other","args":{}}'],
  ["f<|content_invoke_tool_json|>", ""],
  // Arguments alone: they may have a `name` of their own.
  ['f<|content_invoke_tool_json|>{"a":"x"}<|end_message|>', '{"a":"x"}'],
  ["f<|content_invoke_tool_json|>Hi", "Hi"],
])("inkling: %s is no call", (reply, text) => {
  expect(read([...reply], INKLING_MESSAGES, inkling)).toMatchObject({ calls: [], text });
});
