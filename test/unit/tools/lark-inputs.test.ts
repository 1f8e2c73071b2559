/** Lark grammars of custom tools, as xgrammar enforces them. */

import { describe, expect, test } from "vitest";
import { customDefinition } from "../../../worker/endpoints/params/custom-definition.ts";
import { checkTools } from "../../../worker/tools/check-tools.ts";
import { hermes } from "../../../worker/tools/formats/hermes.ts";
import type { ToolFormat } from "../../../worker/tools/formats/tool-format.ts";
import { xml } from "../../../worker/tools/formats/xml.ts";
import { fc } from "../../support/random.ts";
import { acceptedInputs } from "./support/accepted-inputs.ts";

const checked = (definition: string, dialect = hermes.callSyntax.dialect) =>
  checkTools([customDefinition({ name: "f", format: { type: "lark", definition } })], undefined, dialect);

const accepts = (definition: string, inputs: readonly string[], calls?: ToolFormat): Promise<boolean[]> =>
  acceptedInputs({ type: "lark", definition }, inputs, calls);

const SUMS = `
start: expr
expr: term (SP ADD SP term)* -> add
| term
term: factor (SP MUL SP factor)* -> mul
| factor
factor: INT
SP: " "
ADD: "+"
MUL: "*"
%import common.INT
`;
const PATCH = `
start: begin hunk+ end
begin: "*** Begin" LF   // the first line
end: "*** End" LF?
hunk: add | delete
add: "*** Add: " name LF line+
delete: "*** Delete: " name LF
name: /(.+)/
line: "+" /(.*)/ LF -> line
%import common (LF)
`;
const NESTED = `
?start: value
?value: object | array | ESCAPED_STRING | SIGNED_NUMBER
array: "[" [value ("," value)*] "]"
object: "{" (pair ("," pair)*)? "}"
pair: ESCAPED_STRING ":" value
%import common.ESCAPED_STRING
%import common.SIGNED_NUMBER
%import common.WS
%ignore WS
`;
const LEFT = `
start: sum
sum: product | sum "+" product | sum "-" product
product: atom | product "*" atom
atom: /[0-9]+/ | "(" sum ")"
%ignore " "
`;

describe.each([
  ["JSON", hermes],
  ["elements", xml],
])("in %s", (_, calls) => {
  test.each([
    ["one of OpenAI's examples", SUMS, ["1", "1 + 2 * 3", "12 * 3 + 4"], ["1+2", "1 +", "", "a"]],
    [
      "a patch",
      PATCH,
      ['*** Begin\n*** Add: é.txt\n+a "b"\n+\n*** End', "*** Begin\n*** Delete: x\n*** End\n"],
      ["*** Begin\n*** End", "*** Begin\n*** Add: a\n*** End", "*** Add: a"],
    ],
    [
      "values in values",
      NESTED,
      ['{"a": [1, {"b\\"": []}, "x"]}', "[[[]]]", " 1 ", '[1,2 , "é"]'],
      ["[1,]", "{1: 2}", "[[1]", '{"a" 1}', ""],
    ],
    [
      "rules that begin with themselves",
      LEFT,
      ["1", "1 + 2 - 3*(4 +5)", "((1))"],
      ["1 +", "(1", "1 (2)", "()"],
    ],
    [
      "strings of any case, and ranges",
      'start: "select"i " " "a".."c"',
      ["SELECT a", "Select c"],
      ["select d", "selec"],
    ],
    ["flags of a regex", "start: /ab./is", ["ABé", "ab\n"], ["ab"]],
    ["a class that excludes, of any case", "start: /[^a]+/i", ["b", "-B"], ["a", "bA"]],
    [
      "counts",
      'start: "a"~2 "b"~1..2 "c"{3} "d"{1,} "e"{,1}',
      ["aabcccd", "aabbcccdde"],
      ["aabccd", "aabbbcccd", "aabccc"],
    ],
    [
      "terminals of terminals",
      'start: NAME\nNAME: A B*\nA: "x" | /y/\nB: A | "0".."9"',
      ["x", "y1x"],
      ["1", ""],
    ],
    ["escapes", 'start: "\\n\\t\\"\\\\\\x41\\u00e9" /\\//', ['\n\t"\\Aé/'], ["n"]],
    ["an alternative without anything", 'start: "a" (|"b")', ["a", "ab"], ["b"]],
    [
      "rules that may be empty, repeated",
      'start: list\nlist: item*\nitem: "(" list ")" |',
      ["", "()", "(())()"],
      ["(", "())"],
    ],
    [
      "what may be empty, in itself",
      'start: item+\nitem: "x"? | "(" item ")"',
      ["", "xx", "(x)()x"],
      ["(xx)", "(x"],
    ],
    ["a rule that is empty only", 'start: a b "x"\na: b*\nb: | a', ["x"], ["", "xx"]],
    ["definitions with marks", 'start: a\n?a: B?\n!b: "c"\nB: "b"', ["", "b"], ["c"]],
  ])("%s", async (_name, definition, yes, no) => {
    const expected = [...yes.map(() => true), ...no.map(() => false)];
    expect(await accepts(definition, [...yes, ...no], calls)).toEqual(expected);
  });
});

/** A random expression, as Lark and as a regular expression. */
const expression = fc.letrec<{ any: [lark: string, regex: string] }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom<[string, string]>(
      ['"a"', "a"],
      ['"ab"', "ab"],
      ["/[ab]/", "[ab]"],
      ['"\\""', '"'],
      ['"é"', "é"],
      ["/[^a]/", "[^a]"],
    ),
    fc
      .tuple(tie("any"), tie("any"))
      .map(([[a, b], [c, d]]): [string, string] => [`${a} ${c}`, `(?:${b})(?:${d})`]),
    fc
      .tuple(tie("any"), tie("any"))
      .map(([[a, b], [c, d]]): [string, string] => [`(${a} | ${c})`, `(?:${b}|${d})`]),
    fc
      .tuple(tie("any"), fc.constantFrom("?", "*", "+", "{1,2}"))
      .map(([[a, b], mark]): [string, string] => [`(${a})${mark}`, `(?:${b})${mark}`]),
  ),
})).any;
const letters = fc
  .array(fc.constantFrom("a", "b", '"', "é", "\n"), { maxLength: 4 })
  .map((all) => all.join(""));

test("whatever a grammar without recursion derives may be written, and nothing else", async () => {
  const inputs = fc.array(letters, { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(expression, inputs, async ([lark, regex], texts) => {
      const expected = texts.map((one) => new RegExp(`^(?:${regex})$`).test(one));
      expect(await accepts(`start: x\nx: ${lark}`, texts)).toEqual(expected);
    }),
    { numRuns: 40 },
  );
});

/** Texts of the grammar `s: "a" | "[" (s ("," s)*)? "]" | s "!"`, by reduction. */
function isNested(input: string): boolean {
  let text = input.includes("x") ? "" : input.replaceAll("a", "x");
  for (let before = ""; before !== text; ) {
    before = text;
    text = text.replace(/x!/, "x").replace(/\[(x(,x)*)?\]/, "x");
  }
  return text === "x";
}

test("whatever a grammar with recursion derives may be written, and nothing else", async () => {
  const definition = 'start: s\ns: "a" | "[" (s ("," s)*)? "]" | s "!"';
  const nested = fc.letrec<{ s: string }>((tie) => ({
    s: fc.oneof(
      { maxDepth: 3 },
      fc.constant("a"),
      fc.array(tie("s"), { maxLength: 3 }).map((all) => `[${all.join(",")}]`),
      tie("s").map((one) => `${one}!`),
    ),
  })).s;
  const broken = fc
    .tuple(nested, fc.nat(20), fc.constantFrom("", "a", "[", "]", ",", "!"))
    .map(([text, at, piece]) => {
      return text.slice(0, at) + piece + text.slice(at + 1);
    });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(nested, broken), { minLength: 1, maxLength: 10 }), async (texts) => {
      const expected = texts.map(isNested);
      for (const calls of [hermes, xml]) expect(await accepts(definition, texts, calls)).toEqual(expected);
    }),
    { numRuns: 25 },
  );
});

test.each([
  ["no start", 'a: "b"', "there is no rule 'start'"],
  ["an unknown name", "start: a", "line 1: 'a' is not defined"],
  ["a syntax error", 'start: ("a"', "line 1: expected ')'"],
  ["an unknown character", 'start: "a" & "b"', "line 1: '& \"b\"' is not valid Lark, or not supported"],
  ["a rule in a terminal", 'start: A\nA: b\nb: "c"', "line 2: a terminal cannot have rules"],
  ["a terminal that leads to itself", 'start: A\nA: "a" A?', "line 2: the terminal 'A' leads to itself"],
  ["a rule without an end", 'start: a\na: "b" a', "nothing that can be generated matches"],
  ["only itself", "start: a\na: a", "the rule 'a' has no end"],
  ["left recursion through rules", 'start: a\na: b "x" | "y"\nb: a | "z"', "may begin with itself"],
  ["left recursion after nothing", 'start: a\na: "x"? a "y" | "z"', "may begin with itself"],
  ["templates", 'start: list{"a"}\nlist{x}: x+', "templates are not supported"],
  ["priorities", 'start: A\nA.2: "a"', "priorities are not supported"],
  ["%declare", "start: A\n%declare A", "'%declare' is not supported"],
  ["other imports", "%import python.NAME\nstart: NAME", "only 'common' can be imported"],
  ["an unknown import", "%import common.NAME\nstart: NAME", "there is no terminal 'NAME' in 'common'"],
  ["lookaround", "start: /(?=a)b/", "lookaround is not supported"],
  ["two definitions", 'start: "a"\nstart: "b"', "'start' is defined twice"],
  ["a count that is backwards", 'start: "a"~3..1', "a repetition ends before it begins"],
])("%s is an error that says why", (_, definition, message) => {
  const check = checked(definition);
  expect(check).toMatchObject({ ok: false, code: "invalid_grammar", param: "tools[0].function.grammar" });
  expect((check as { message: string }).message).toContain(message);
});

test.each([
  [
    "rules that double",
    `start: a0\n${Array.from({ length: 40 }, (_, at) => `a${at}: a${at + 1} a${at + 1}`).join("\n")}\na40: "x"`,
  ],
  ["counts of counts", 'start: ((("a"~1..1000)~1..1000)~1..1000)~1..1000'],
  ["groups in groups", `start: ${"(".repeat(20_000)}"a"${")".repeat(20_000)}`],
  [
    "a chain of rules",
    `start: a0\n${Array.from({ length: 900 }, (_, at) => `a${at}: a${at + 1}`).join("\n")}\na900: "x"`,
  ],
  ["many rules", Array.from({ length: 2000 }, (_, at) => `a${at}: "x"`).join("\n")],
  ["a long text", `start: "${"a".repeat(70_000)}"`],
  [
    "many rules that lead to each other",
    `start: a0\n${Array.from({ length: 900 }, (_, at) => `a${at}: "x" a${(at * 7) % 900} | "y" a${(at * 13 + 1) % 900} | "z"`).join("\n")}`,
  ],
  ["many equal alternatives", `start: a\na: "x" (a${"|a".repeat(30_000)}) | "y"`],
  [
    "patterns that nest deeper than the grammar",
    `start: r0\nz0: "x"\n${Array.from({ length: 76 }, (_, at) => `r${at}: "a" r${(at + 1) % 76} | "b" z${at}\nz${at + 1}: ${"(".repeat(200)}z${at}${")?".repeat(200)}`).join("\n")}`,
  ],
  [
    "large patterns in many rules",
    `start: r0\nz0: "ab"\n${Array.from({ length: 14 }, (_, at) => `z${at + 1}: z${at} z${at}`).join("\n")}\n${Array.from({ length: 900 }, (_, at) => `r${at}: "x" z14 r${(at + 1) % 900} | "y"`).join("\n")}`,
  ],
  ["an open string", `start: "${"\\".repeat(60_001)}`],
])("hostile grammars end soon: %s", (_, definition) => {
  expect(checked(definition).ok).toBeTypeOf("boolean");
});
