import { describe, expect, it } from "vitest";
import { JsonScanner } from "../../../worker/reply/scanners/json-scanner.ts";
import { cuts } from "../../support/chunks.ts";
import { fc } from "../../support/random.ts";

function scan(pieces: string[]): { status: string; taken: number } {
  const scanner = new JsonScanner();
  let taken = 0;
  for (const piece of pieces) {
    const next = scanner.push(piece);
    taken += next;
    if (next < piece.length) break;
  }
  return { status: scanner.end(), taken };
}

const writtenValues = fc
  .tuple(fc.jsonValue({ noUnicodeString: false }), fc.constantFrom(undefined, 1, 2, "\t"))
  .map(([value, indent]) => JSON.stringify(value, null, indent));

describe("the JSON scanner", () => {
  it("finds the end of any value under every cut", () => {
    fc.assert(
      fc.property(
        writtenValues,
        fc.constantFrom("", " x", "}", "]", ',"a"', "</tool_call>"),
        cuts(),
        (json, tail, cut) => {
          expect(scan(cut(json + tail))).toEqual({ status: "complete", taken: json.length });
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("takes as complete or invalid exactly what JSON.parse does", () => {
    const json = fc.oneof(
      writtenValues,
      fc.string({ unit: fc.constantFrom(...'{}[]:,"\\tru1e-.0 nfals\n'), maxLength: 12 }),
    );
    fc.assert(
      fc.property(
        json,
        fc.nat(),
        fc.constantFrom("", '"', "}", "1", ","),
        cuts(),
        (text, at, damage, cut) => {
          const place = at % (text.length + 1);
          const damaged = text.slice(0, place) + damage + text.slice(place);
          const { status, taken } = scan(cut(damaged));
          const whole = status === "complete" && damaged.slice(taken).trim() === "";
          expect(whole).toBe(parses(damaged));
        },
      ),
      { numRuns: 5000 },
    );
  });

  it("knows how deep it is", () => {
    const scanner = new JsonScanner();
    scanner.push('{"a":[{"b":"}]');
    expect([scanner.depth, scanner.status]).toEqual([3, "open"]);
  });
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
