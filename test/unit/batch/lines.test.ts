import { afterEach, expect, test, vi } from "vitest";
import { type Line, readLines } from "../../../worker/batch/lines/lines.ts";
import { parseLine } from "../../../worker/batch/lines/request-line.ts";
import { fc } from "../../support/random.ts";
import { cutAt } from "./support/chunks.ts";

async function linesOf(bytes: Uint8Array, cuts: number[], maxBytes?: number): Promise<Line[]> {
  const lines: Line[] = [];
  for await (const line of readLines(cutAt(bytes, cuts), maxBytes)) lines.push(line);
  return lines;
}

afterEach(() => vi.unstubAllGlobals());

const encode = (text: string) => new TextEncoder().encode(text);

test("a file gives the same lines wherever its chunks end", async () => {
  const text = fc.string({ unit: fc.constantFrom("a", "é", "漢", "🙂", "{", " ", "\r", "\ufeff") });
  const ending = fc.constantFrom("\n", "\r\n", "\n\n", "\r\n \r\n");
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(text, ending)),
      text,
      fc.boolean(),
      fc.array(fc.nat(200)),
      async (parts, last, hasMark, cuts) => {
        const whole = parts.map(([line, end]) => line + end).join("") + last;
        const expected = whole
          .split("\n")
          .map((line, at) => ({ number: at + 1, text: line }))
          .filter(({ text: line }) => line.trim() !== "")
          .map(({ number, text: line }) => ({
            number,
            text: number === 1 && !hasMark && line.startsWith("\ufeff") ? line.slice(1) : line,
          }));
        const found = await linesOf(encode((hasMark ? "\ufeff" : "") + whole), cuts);
        expect(found).toEqual(expected);
      },
    ),
  );
});

test("blank lines count but are not given, and the last line needs no end", async () => {
  expect(await linesOf(encode('\ufeff{"a":1}\r\n\r\n  \n{"b":2}'), [])).toEqual([
    { number: 1, text: '{"a":1}\r' },
    { number: 4, text: '{"b":2}' },
  ]);
  expect(await linesOf(encode("\n\n"), [])).toEqual([]);
  expect(await linesOf(new Uint8Array(), [])).toEqual([]);
});

test("lines of spaces are not decoded, however many", async () => {
  const decoders = vi.fn();
  class CountedDecoder extends TextDecoder {
    constructor(...given: ConstructorParameters<typeof TextDecoder>) {
      super(...given);
      decoders();
    }
  }
  vi.stubGlobal("TextDecoder", CountedDecoder);
  expect(await linesOf(encode("\n \t\r\n\na\n \n"), [2, 5])).toEqual([{ number: 4, text: "a" }]);
  expect(decoders).toHaveBeenCalledOnce();
});

test("a line that is no UTF-8, or too long, has no text; the next one is read", async () => {
  const bytes = new Uint8Array([0xff, 0xfe, 0x0a, ...encode("0123456789\nfine\n")]);
  for (const cuts of [[], [1], [4, 5, 6, 7, 8, 9, 10, 11]]) {
    expect(await linesOf(bytes, cuts, 8)).toEqual([
      { number: 1, text: undefined },
      { number: 2, text: undefined, isTooLong: true },
      { number: 3, text: "fine" },
    ]);
  }
});

test("a line that is too long and one that is no JSON have different messages", () => {
  const endpoint = "/v1/chat/completions";
  const codeAndMessage = (line: Line) => {
    const parsed = parseLine(line, endpoint);
    return parsed.ok ? undefined : [parsed.error.code, parsed.error.message];
  };
  expect(codeAndMessage({ number: 3, text: undefined, isTooLong: true })).toEqual([
    "invalid_json_line",
    "This line is longer than 32 MiB, the limit for a request of a batch.",
  ]);
  expect(codeAndMessage({ number: 3, text: undefined })).toEqual([
    "invalid_json_line",
    "This line is not parseable as valid JSON.",
  ]);
});
