/** Grammars of the inputs of custom tools, in every way to write arguments, as xgrammar enforces them. */

import { expect, test } from "vitest";
import { customDefinition } from "../../../worker/endpoints/params/custom-definition.ts";
import { Compilation } from "../../../worker/json-schema/compilation.ts";
import type { InputFormat } from "../../../worker/json-schema/input-format.ts";
import { compileText } from "../../../worker/json-schema/plain-text.ts";
import { checkTools } from "../../../worker/tools/check-tools.ts";
import { constrainCalls } from "../../../worker/tools/constraints.ts";
import { deepseekV32 } from "../../../worker/tools/formats/deepseek-dsml.ts";
import { functionGemma, gemma4 } from "../../../worker/tools/formats/function-gemma.ts";
import { glm47 } from "../../../worker/tools/formats/glm.ts";
import { hermes } from "../../../worker/tools/formats/hermes.ts";
import { lfm2 } from "../../../worker/tools/formats/lfm2.ts";
import { xml } from "../../../worker/tools/formats/xml.ts";
import { fc } from "../../support/random.ts";
import { acceptedInputs } from "./support/accepted-inputs.ts";

const regex = (definition: string): InputFormat => ({ type: "regex", definition });
const lark = (definition: string): InputFormat => ({ type: "lark", definition });

test.each([
  ["hermes", hermes],
  ["xml", xml],
  ["glm47", glm47],
  ["deepseekV32", deepseekV32],
  ["functionGemma", functionGemma],
  ["gemma4", gemma4],
  ["lfm2", lfm2],
])("a regex is enforced in %s", async (_, calls) => {
  const inputs = ["SELECT 1;", 'SELECT "a"\n\\b;', "SELECT <é😀>;", "SELECT ;x", "SELECT", "select 1;"];
  const expected = [true, true, true, false, false, false];
  expect(await acceptedInputs(regex("SELECT [^;]+;"), inputs, calls)).toEqual(expected);
});

test.each([
  [xml, "</parameter>"],
  [glm47, "</arg_value>"],
  [deepseekV32, "</｜DSML｜parameter>"],
  [functionGemma, "<escape>"],
  [gemma4, '<|"|>'],
])("a plain input does not have the end of itself: %#", async (calls, end) => {
  const begun = end.slice(0, -1);
  const inputs = ["<a>", "x<", begun, `${begun}x`, `<${begun}`, `a${end}b`];
  const isAscii = /^[\0-\x7f]*$/.test(end);
  expect(await acceptedInputs(regex("[^\\n]*"), inputs, calls)).toEqual([
    true,
    true,
    isAscii,
    isAscii,
    isAscii,
    false,
  ]);
});

test.each([
  [
    "OpenAI's example",
    "^(?P<month>May|June)\\s+(?P<day>\\d{1,2})(?:st|nd)?$",
    ["May  1st", "June 22"],
    ["May", " May 1"],
  ],
  ["without anchors, the whole text matches", "ab|c", ["ab", "c"], ["abc", "xab"]],
  ["upper and lower case", "(?i)straße k\\x{41}?", ["STRASSE K", "StraßE ka"].slice(1), ["straße b"]],
  ["what a class excludes, in both cases", "(?i)[^a-z]+", ["1", "é"], ["abc", "ABC", "1a"]],
  ["what an escape excludes", "(?i)\\W\\D", ["-k"], ["k-", "-1"]],
  ["any character", "(?s)a.b", ["a\nb", "aéb"], ["ab"]],
  ["all but a line feed", "a.b", ["a\rb", "a b"], ["a\nb"]],
  ["anchors of Rust", "\\Aa+\\z", ["aa"], ["ab"]],
  ["a bracket that comes first in a class", "[]a]+", ["]a"], ["b"]],
  ["counts without a minimum", "a{,2}b", ["b", "aab"], ["aaab"]],
])("%s", async (_, definition, yes, no) => {
  expect(await acceptedInputs(regex(definition), [...yes, ...no])).toEqual([
    ...yes.map(() => true),
    ...no.map(() => false),
  ]);
});

test("whatever a regex matches may be written, and nothing else", async () => {
  const atom = fc.constantFrom("a", "b", "[ab]", "[^a]", '"', "\\\\", "\\n", "é", "(a|bb)", "(ab|a)", ".");
  const piece = fc.tuple(atom, fc.constantFrom("", "?", "*", "+", "{2}", "{1,2}")).map((two) => two.join(""));
  const source = fc.array(piece, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(""));
  const input = fc.array(fc.constantFrom("a", "b", '"', "\\", "\n", "é", "<"), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(source, fc.array(input, { minLength: 1, maxLength: 8 }), async (definition, all) => {
      const inputs = all.map((one) => one.join(""));
      const expected = inputs.map((one) =>
        new RegExp(`^(?:${definition.replaceAll(".", "[^\\n]")})$`).test(one),
      );
      for (const calls of [hermes, xml])
        expect(await acceptedInputs(regex(definition), inputs, calls)).toEqual(expected);
    }),
    { numRuns: 40 },
  );
});

test.each(["[a-z]{15000}", "(?:[a-z]{9000}x)*"])("a long regex fits the stack: %s", (definition) => {
  const check = checkTools([customDefinition({ name: "f", format: regex(definition) })]);
  if (!check.ok) throw new Error(check.message);
  for (const mode of ["auto", "required"] as const)
    expect(constrainCalls(hermes.callSyntax, { choice: { mode }, tools: check.tools })).toBeDefined();
});

test("classes of many characters count in the budget", () => {
  const range = (at: number) =>
    `\\u{${(0x4e00 + at * 256).toString(16)}}-\\u{${(0x4eff + at * 256).toString(16)}}`;
  const definition = `(?:[${Array.from({ length: 60 }, (_, at) => range(at)).join("")}]?){300}`;
  const check = checkTools([customDefinition({ name: "f", format: regex(definition) })]);
  expect(check).toMatchObject({ ok: false, code: "invalid_grammar" });
  expect((check as { message: string }).message).toContain("automaton members");
});

test.each([
  ["a regex whose texts all have the end tag", regex("a</parameter>b"), "nothing that can be generated"],
  ["a grammar of such texts", lark('start: "a</parameter>b"'), "nothing that can be generated"],
  ["a lone surrogate", regex("\ud83da"), "lone surrogates"],
  ["an escaped lone surrogate", lark('start: "\\ud83d" "a"'), "lone surrogates"],
  ["a long regex", regex("a".repeat(70_000)), "longer than 65536 characters"],
])("%s is refused in elements", (_, format, message) => {
  const definition = customDefinition({ name: "f", format });
  const check = checkTools([definition], undefined, xml.callSyntax.dialect);
  expect(check).toMatchObject({ ok: false, code: "invalid_grammar", param: "tools[0].function.grammar" });
  expect((check as { message: string }).message).toContain(message);
});

test("with JSON, an input may have the tags of other formats", async () => {
  expect(await acceptedInputs(regex("a</parameter>b"), ["a</parameter>b", "a"])).toEqual([true, false]);
});

test.each([
  ["a dollar after an escaped backslash is an anchor", "a\\\\$", ["a\\"], ["a\\$"]],
  ["a dollar that is escaped is a character", "^a\\$", ["a$"], ["a"]],
])("%s", async (_, definition, yes, no) => {
  expect(await acceptedInputs(regex(definition), [...yes, ...no])).toEqual([true, false]);
});

test("backslashes of a long regex are read once", () => {
  const pattern = `${"\\".repeat(400_000)}n`;
  expect(compileText({ type: "regex", pattern }, new Compilation()).ok).toBe(false);
});
