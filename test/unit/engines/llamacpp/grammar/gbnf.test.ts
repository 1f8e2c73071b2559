import { describe, expect, test } from "vitest";
import { toGbnf } from "../../../../../worker/engines/llamacpp/grammar/gbnf.ts";
import { textUntil } from "../../../../../worker/engines/llamacpp/text-until.ts";
import { ANY_OBJECT } from "../../../../../worker/generation/schemas/compile-request.ts";
import { schemaGrammar } from "../../../../../worker/json-schema/grammar/grammar.ts";
import { constrainCalls, constrainJson } from "../../../../../worker/tools/constraints.ts";
import { hermes } from "../../../../../worker/tools/formats/hermes.ts";
import { mistralNamed } from "../../../../../worker/tools/formats/mistral-named.ts";
import { fc } from "../../../../support/random.ts";

/** Runs the rules of `textUntil` over a text. `read` counts characters up to `next`, or to the end of the text. */
function follow(rules: readonly string[], text: string): { met: boolean; read: number; mayEnd: boolean } {
  let state = 0;
  let read = 0;
  for (const character of text) {
    const options = rules[state]!.split(" ::= ")[1]!.split(/ \| (?=\[|"")/);
    const taken = options.find((option) => accepts(option, character))!;
    read += character.length;
    const target = taken.slice(taken.lastIndexOf("]") + 2);
    if (target === "next") return { met: true, read, mayEnd: false };
    state = Number(target.split("-")[1]);
  }
  return { met: false, read, mayEnd: rules[state]!.endsWith('| ""') };
}

function accepts(option: string, character: string): boolean {
  if (!option.startsWith("[")) return false;
  const set = option.slice(1, option.lastIndexOf("]"));
  const plain = set.replace(/\\x(..)/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
  const unescaped = plain.replaceAll("\\n", "\n");
  return set.startsWith("^") ? !unescaped.slice(1).includes(character) : unescaped === character;
}

describe("free text until a marker", () => {
  const letters = fc.constantFrom("a", "b", "<", "\n", "]", "-");
  const word = (minLength: number, maxLength: number) =>
    fc.array(letters, { minLength, maxLength }).map((parts) => parts.join(""));

  test("ends with the first occurrence of the marker, and nowhere else", () => {
    fc.assert(
      fc.property(word(1, 5), word(0, 30), (marker, text) => {
        const { met, read } = follow(textUntil([{ marker, next: "next" }], "t", true), text);
        const at = text.indexOf(marker);
        expect(met).toBe(at >= 0);
        expect(read).toBe(at < 0 ? text.length : at + marker.length);
      }),
      { numRuns: 1000 },
    );
  });

  test("of several markers, the one that is whole first decides what follows", () => {
    fc.assert(
      fc.property(fc.uniqueArray(word(1, 4), { minLength: 1, maxLength: 4 }), word(0, 30), (words, text) => {
        const markers = words.filter((one) => !words.some((other) => other !== one && one.includes(other)));
        const rules = textUntil(
          markers.map((marker) => ({ marker, next: "next" })),
          "t",
          true,
        );
        const { met, read } = follow(rules, text);
        const ends = markers.flatMap((one) => (text.includes(one) ? [text.indexOf(one) + one.length] : []));
        expect(met).toBe(ends.length > 0);
        expect(read).toBe(ends.length > 0 ? Math.min(...ends) : text.length);
      }),
      { numRuns: 1000 },
    );
    const rules = textUntil(
      [
        { marker: "ab", next: "first" },
        { marker: "cb", next: "second" },
      ],
      "t",
      true,
    );
    expect(rules.filter((rule) => rule.includes("first"))).toHaveLength(1);
  });

  test("may end without the marker only where that is allowed", () => {
    expect(follow(textUntil([{ marker: "</x>", next: "next" }], "t", true), "a </").mayEnd).toBe(true);
    expect(follow(textUntil([{ marker: "</x>", next: "next" }], "t", false), "a </").mayEnd).toBe(false);
  });
});

describe("constraints", () => {
  const grammar = schemaGrammar(ANY_OBJECT);
  const tool = { name: "look", grammar };
  const rulesOf = (grammar: string): Map<string, string> =>
    new Map(grammar.split("\n").map((line) => line.split(/ ::= (.*)/s) as [string, string]));

  test.each([
    ["JSON", constrainJson(grammar)],
    ["JSON after thoughts", constrainJson(grammar, { open: "<think>", close: "</think>" })],
    [
      "free calls",
      constrainCalls(hermes.callSyntax, {
        choice: { mode: "auto" },
        tools: [tool, { ...tool, name: "go" }],
      }),
    ],
    ["calls with ids", constrainCalls(mistralNamed.callSyntax, { choice: { mode: "auto" }, tools: [tool] })],
    ["calls alone", constrainCalls(hermes.callSyntax, { choice: { mode: "required" }, tools: [tool] })],
  ])("%s: every rule is there once, and every name stands for a rule", (_, constraint) => {
    const grammar = toGbnf(constraint!);
    const rules = rulesOf(grammar);
    expect(rules.size).toBe(grammar.split("\n").length);
    for (const [name, body] of rules) {
      const names = body.replace(/"(?:\\.|[^"\\])*"|\[(?:\\.|[^\]\\])*\]/g, " ").match(/[a-z][\w-]*/gi) ?? [];
      for (const used of names) expect(rules.has(used), `${used} in ${name}`).toBe(true);
    }
    expect(rules.has("root")).toBe(true);
  });

  test("a thought ends with one of its markers, whichever, and not without one", () => {
    const variants = [{ open: "<b>", close: "</b>" }];
    const reasoning = { open: "<a>", close: "</a>", variants, startsInside: true };
    const rules = rulesOf(toGbnf(constrainJson(grammar, reasoning)));
    const thought = [...rules].filter(([name]) => name.startsWith("t")).map(([, body]) => body);
    expect(thought.filter((body) => body.includes('[>] ""'))).toHaveLength(2);
    expect(thought.filter((body) => body.endsWith('| ""'))).toEqual([]);
  });

  test("one call only, or several", () => {
    const free = { choice: { mode: "auto" as const }, tools: [tool] };
    const several = toGbnf(constrainCalls(hermes.callSyntax, free)!);
    const once = toGbnf(constrainCalls(hermes.callSyntax, { ...free, parallel: false })!);
    expect(several).toMatch(/\[>\] c\d+ t\d+-0 /);
    expect(once).toMatch(/\[>\] c\d+ \|/);
  });
});
