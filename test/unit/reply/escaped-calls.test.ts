/** Calls of Gemma 4, as its models also write them. */

import { expect, test } from "vitest";
import { gemma4 } from "../../../worker/tools/formats/function-gemma.ts";
import { readCalls } from "../../support/tool-reading.ts";

const TYPES = { s: "string", n: "integer", "a=b": "integer", "c:d": "string", list: "array" };

function read(pieces: readonly string[]) {
  const { calls, text } = readCalls(pieces, {
    format: gemma4.callFormat,
    names: new Set(["f", "make-file", LONGEST]),
    typesOf: () => TYPES,
  });
  return { calls: calls.map((one) => [one.name, one.arguments]), text };
}

/** Of a function in a namespace. */
const LONGEST = `${"n".repeat(64)}__${"f".repeat(128)}`;

/** What is read of the text, the same for every cut. */
function readAtEveryCut(text: string) {
  const whole = read([text]);
  for (let at = 1; at < text.length; at++)
    expect(read([text.slice(0, at), text.slice(at)]), `cut at ${at}`).toEqual(whole);
  expect(read([...text])).toEqual(whole);
  return whole;
}

// Ollama's issue 17882; oMLX's pull requests 1886 and 1854.
test.each([
  [`call:f{s="it, is",n=1}`, "f", '{"s": "it, is", "n": 1}'],
  [`call:f{n:1,s='report.docx'}`, "f", '{"n": 1, "s": "report.docx"}'],
  [`call:f{s=<|"|>a=b: c<|"|>,list=['x']}`, "f", '{"s": "a=b: c", "list": ["x"]}'],
  [`call:f{s:one, n=1}`, "f", '{"s": "one", "n": 1}'],
  [`call:f{a=b:2,c:d:<|"|>x<|"|>}`, "f", '{"a=b": 2, "c:d": "x"}'],
  [`call:f(s='a', n=1)`, "f", '{"s": "a", "n": 1}'],
  [`call:f(s:<|"|>(a)<|"|>, list=[{n:1}, 2])`, "f", '{"s": "(a)", "list": [{"n": 1}, 2]}'],
  [`call:f(s=a {b}, n=1)`, "f", '{"s": "a {b}", "n": 1}'],
  ["call:f()", "f", "{}"],
  [`call:${LONGEST}{n:1}`, LONGEST, '{"n": 1}'],
  ["call:f( )", "f", "{}"],
  ["call:f(s=g(1, (2)), n=2)", "f", '{"s": "g(1, (2))", "n": 2}'],
  [`call:f("s": 'a', <|"|>n<|"|>:1)`, "f", '{"s": "a", "n": 1}'],
  [`call:f{s = "x", n =1}`, "f", '{"s": "x", "n": 1}'],
  [`call:f{s:"x") y,n:1}`, "f", '{"s": "\\"x\\") y", "n": 1}'],
  [`call:google:mcp:make-file{s:<|"|>x<|"|>}`, "make-file", '{"s": "x"}'],
])("%s is a call", (written, name, args) => {
  const text = `<|tool_call>${written}<tool_call|>`;
  expect(readAtEveryCut(text)).toEqual({ calls: [[name, args]], text: "" });
});

test("the last bracket of such a call may be missing", () => {
  expect(readAtEveryCut(`<|tool_call>call:f(s=<|"|>x<|"|><tool_call|>`)).toEqual({
    calls: [["f", '{"s": "x"}']],
    text: "",
  });
});

test.each(['call:f("x")', 'call:f("x: y")', "call:f(1, n=2)", "call:f((s=1))"])(
  "%s after a marker, without keys, is text with its markers",
  (call) => {
    const text = `<|tool_call>${call}<tool_call|>`;
    expect(readAtEveryCut(text)).toEqual({ calls: [], text });
  },
);

test.each(["call:f(x) is a function", "call:g:f(s=1)", "call:other{n:1}"])(
  "%s without a marker is text",
  (text) => {
    expect(readAtEveryCut(text)).toEqual({ calls: [], text });
  },
);
