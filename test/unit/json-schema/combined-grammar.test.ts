import { beforeAll, describe, expect, test } from "vitest";
import { toGbnf } from "../../../worker/engines/llamacpp/grammar/gbnf.ts";
import { CombinedGrammar } from "../../../worker/json-schema/grammar/combined-grammar.ts";
import { schemaGrammar } from "../../../worker/json-schema/grammar/grammar.ts";
import { checkSchema } from "../../../worker/json-schema/json-schema.ts";
import { checkTools } from "../../../worker/tools/check-tools.ts";
import { constrainCalls } from "../../../worker/tools/constraints.ts";
import { TOOL_FORMATS } from "../../../worker/tools/formats/recognise.ts";
import type { ToolDefinition } from "../../../worker/tools/tool-types.ts";
import { GrammarEngine } from "../../support/xgrammar.ts";

let engine: GrammarEngine;
beforeAll(async () => {
  engine = await GrammarEngine.load();
});

const linked = (item: string): object => ({
  type: "object",
  properties: { [item]: { type: "integer" }, next: { $ref: "#" } },
  required: [item],
});

function grammarOf(schema: object): string {
  const checked = checkSchema(schema as Record<string, unknown>);
  if (!checked.ok) throw new Error(checked.message);
  return schemaGrammar(checked.schema);
}

describe("combined grammars", () => {
  const all: [schema: object, right: string[], wrong: string[]][] = [
    [
      linked("a"),
      ['{"a": 1}', '{"a": 1, "next": {"a": 2, "next": {"a": 3}}}'],
      ['{"a": 1, "next": {"b": 2}}'],
    ],
    [linked("b"), ['{"b": 1, "next": {"b": 2}}'], ['{"a": 1}', '{"b": 1, "next": {"a": 2}}']],
    [{ type: "string", pattern: "^(ab)+$" }, ['"ab"', '"abab"'], ['"aba"', '"ba"']],
    [{ type: "string", pattern: "^(ba)+$" }, ['"ba"', '"baba"'], ['"ab"', '"bab"']],
    [{ type: "object" }, ['{"x": [1, {"y": null}]}'], ["[]"]],
    [{ type: "array" }, ['[{"x": []}]'], ["{}"]],
  ];

  test("accept what each of them accepts", async () => {
    for (const [at, [, right, wrong]] of all.entries()) {
      const rules = new CombinedGrammar();
      const root = all.map(([schema]) => rules.add(grammarOf(schema)))[at]!;
      const ebnf = `root ::= ${root}\n${rules.text}`;
      const verdicts = await engine.judge({ type: "grammar", ebnf }, [...right, ...wrong]);
      expect(verdicts.map((verdict) => verdict === "match")).toEqual([
        ...right.map(() => true),
        ...wrong.map(() => false),
      ]);
    }
  });

  test("have nothing new for an equal grammar, also where rules name each other", () => {
    const rules = new CombinedGrammar();
    const roots = all.map(([schema]) => rules.add(grammarOf(schema)));
    const { text } = rules;
    expect(all.map(([schema]) => rules.add(grammarOf(schema)))).toEqual(roots);
    expect(rules.text).toBe(text);
    expect(new Set(roots).size).toBe(all.length);
  });

  test("of texts with common beginnings, accept these alone", async () => {
    const rules = new CombinedGrammar();
    const texts = ["xb", "abb", "abbb", "abbbb", "b-c", "b_c"];
    const root = rules.choice(texts.map((text) => ({ text, next: '"!"' })));
    const ebnf = `root ::= ${root}\n${rules.text}`;
    const wrong = ["abbbbb!", "ab!", "abbbbbbbb!", "xb", "b!", "xbb!"];
    const verdicts = await engine.judge({ type: "grammar", ebnf }, [
      ...texts.map((text) => `${text}!`),
      ...wrong,
    ]);
    expect(verdicts.filter((verdict) => verdict === "match")).toHaveLength(texts.length);
    expect(verdicts.slice(0, texts.length)).toEqual(texts.map(() => "match"));
  });
});

describe.each(TOOL_FORMATS)("$name with many tools", ({ callSyntax, write }) => {
  const NAMES = Array.from({ length: 24 }, (_, at) => `mcp_get_${at}`);
  const definitions: ToolDefinition[] = NAMES.map((name, at) => ({
    type: "function",
    function: {
      name,
      parameters: {
        type: "object",
        properties: { [`id_${at}`]: { type: "integer" }, all: { type: "object" }, size: { type: "number" } },
        required: [`id_${at}`],
      },
    },
  }));
  const checked = checkTools(definitions, undefined, callSyntax.dialect);
  if (!checked.ok) throw new Error(checked.message);
  const { tools } = checked;
  const times = (text: string, part: string): number => text.split(part).length - 1;

  test.each(["auto", "required"] as const)(
    "%s: what all share is there once for each way to begin",
    (mode) => {
      const constraint = constrainCalls(callSyntax, { choice: { mode }, tools });
      if (!constraint) return;
      const begins = Array.isArray(callSyntax.trigger) ? callSyntax.trigger.length : 1;
      // The rule of all numbers.
      const number = "[eE] [-+]? [0-9]{1,2}";
      expect(times(JSON.stringify(constraint), number)).toBeLessThanOrEqual(begins);
      expect(times(toGbnf(constraint), number)).toBeLessThanOrEqual(2 * begins);
    },
  );

  test("the arguments of a tool are those of its name", async () => {
    const constraint = constrainCalls(callSyntax, { choice: { mode: "required" }, tools })!;
    const call = (name: string, member: string) => ({
      id: `functions.${name}:0`,
      name,
      arguments: `{"${member}": 1}`,
    });
    // Command R's calls have ids, which no model writes;
    const text = (name: string, member: string) =>
      write([call(name, member)]).replace(/"tool_call_id": "[^"]*", /, "");
    const texts = [
      text("mcp_get_1", "id_1"),
      text("mcp_get_12", "id_12"),
      text("mcp_get_1", "id_12"),
      text("mcp_get", "id_1"),
    ];
    expect(await engine.judge(constraint, texts)).toEqual([
      expect.not.stringMatching("no"),
      expect.not.stringMatching("no"),
      "no",
      "no",
    ]);
  });
});
