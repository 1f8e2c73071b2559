import { beforeAll, describe, expect, it } from "vitest";
import { ANY_OBJECT } from "../../../worker/generation/schemas/compile-request.ts";
import { schemaGrammar } from "../../../worker/json-schema/grammar/grammar.ts";
import { checkSchema } from "../../../worker/json-schema/json-schema.ts";
import { checkTools } from "../../../worker/tools/check-tools.ts";
import {
  type CallConstraintOptions,
  type ConstrainedTool,
  constrainCalls,
  constrainJson,
} from "../../../worker/tools/constraints.ts";
import { TOOL_FAMILIES } from "../../../worker/tools/families/choose-family.ts";
import type { ToolCall, ToolDefinition } from "../../../worker/tools/tool-types.ts";
import { readCalls } from "../../support/tool-reading.ts";
import { GrammarEngine, type Verdict } from "../../support/xgrammar.ts";

const definitions: ToolDefinition[] = ["weather", "weather_now", "time"].map((name) => ({
  type: "function",
  function: {
    name,
    parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  },
}));
const tools = checked(definitions);

function checked(all: ToolDefinition[]): ConstrainedTool[] {
  const check = checkTools(all);
  if (!check.ok) throw new Error(check.message);
  return check.tools;
}

const call = (name: string, json = '{"city": "Rome"}'): ToolCall => ({ id: "call_1", name, arguments: json });

let engine: GrammarEngine;
beforeAll(async () => {
  engine = await GrammarEngine.load();
});

describe.each(TOOL_FAMILIES.map((family) => [family.name, family] as const))(
  "constraints of %s",
  (_, family) => {
    // Mistral renders call ids in the history; the model does not generate them.
    const write = (...calls: ToolCall[]): string =>
      family.renderCalls("", calls).replaceAll(/, "id": "\w{9}"/g, "");
    const judge = async (
      options: Omit<CallConstraintOptions, "tools">,
      texts: string[],
    ): Promise<Verdict[]> =>
      engine.judge(constrainCalls(family.format.callSyntax, { ...options, tools })!, texts);
    const one = write(call("weather"));
    const two = write(call("weather_now"), call("time"));
    const unknown = write(call("nothing"));
    // Where calls begin as ordinary JSON does, that of an unknown tool is text.
    const refused = typeof family.format.callSyntax.trigger === "function" ? "match" : "no";
    const badArguments = write(call("weather", '{"city": 5}'));

    it("required: nothing but calls of the family's form, with arguments that fit", async () => {
      const verdicts = await judge({ choice: { mode: "required" } }, [
        one,
        two,
        unknown,
        badArguments,
        "",
        "Hi",
      ]);
      expect(verdicts).toEqual(["match", "match", "no", "no", "beginning", "no"]);
      const single = await judge({ choice: { mode: "required" }, parallel: false }, [one, two]);
      expect(single).toEqual(["match", "no"]);
    });

    it("a named function: one call of it", async () => {
      const verdicts = await judge({ choice: { mode: "named", name: "weather" } }, [
        one,
        write(call("time")),
        two,
      ]);
      expect(verdicts).toEqual(["match", "no", "no"]);
    });

    it("auto: free text, and calls that are right once they have begun", async () => {
      const texts = ["", "Hi, {} there!", one, `Hi. ${one}`, two, unknown, badArguments];
      const verdicts = await judge({ choice: { mode: "auto" } }, texts);
      expect(verdicts).toEqual(["match", "match", "match", "match", "match", refused, "no"]);
    });

    it("auto: JSON that is no call is free", async () => {
      const texts = ['{"name": "Ann"}', 'Such as {"name": "we", "age": 5}.', '```json\n{"name": "x"}\n```'];
      expect(await judge({ choice: { mode: "auto" } }, texts)).toEqual(["match", "match", "match"]);
    });

    it("allowed tools: no other", async () => {
      const choice = { mode: "auto", names: ["time"] } as const;
      expect(await judge({ choice }, [one, write(call("time"))])).toEqual([refused, "match"]);
    });

    it("lets the model think first", async () => {
      const reasoning = { open: "<think>", close: "</think>" };
      const thought = `<think>\nHm: ${one.slice(0, 15)}…\n</think>\n\n${one}`;
      for (const mode of ["required", "auto"] as const) {
        expect(await judge({ choice: { mode }, reasoning }, [thought, one])).toEqual(["match", "match"]);
      }
      const inside = await judge(
        { choice: { mode: "required" }, reasoning: { ...reasoning, startsInside: true } },
        [thought.slice("<think>".length)],
      );
      expect(inside).toEqual(["match"]);
    });

    it("reads back what it allows", () => {
      const options = { format: family.format.callFormat, names: new Set(tools.map((tool) => tool.name)) };
      const read = readCalls([...`Hi. ${two}`], options);
      expect([read.text.trimEnd(), read.calls.map((each) => each.name)]).toEqual([
        "Hi.",
        ["weather_now", "time"],
      ]);
    });
  },
);

describe("constraints", () => {
  it("end a thought with any of its markers, which may be the same", async () => {
    const grammar = schemaGrammar(ANY_OBJECT);
    const variants = [
      { open: "<a>", close: "</think>" },
      { open: "<b>", close: "</b>" },
    ];
    const reasoning = { open: "<think>", close: "</think>", variants, startsInside: true };
    const texts = ["Hm.</think>{}", "Hm.</b>{}", "Hm.</b>Hi", "Hm. {}"];
    expect(await engine.judge(constrainJson(grammar, reasoning), texts)).toEqual([
      "match",
      "match",
      "no",
      "beginning",
    ]);
  });

  it("are none without tools, and none under `none`", () => {
    const syntax = TOOL_FAMILIES[0]!.format.callSyntax;
    expect(constrainCalls(syntax, { choice: { mode: "none" }, tools })).toBeUndefined();
    expect(constrainCalls(syntax, { choice: { mode: "auto" }, tools: [] })).toBeUndefined();
  });

  it("take 128 tools", async () => {
    const many = checked(
      Array.from({ length: 128 }, (_, at) => ({ type: "function", function: { name: `t${at}` } })),
    );
    const family = TOOL_FAMILIES[0]!;
    const constraint = constrainCalls(family.format.callSyntax, { choice: { mode: "auto" }, tools: many })!;
    const texts = ["t7", "t77", "t127", "t128"].map((name) => family.renderCalls("", [call(name, "{}")]));
    expect(await engine.judge(constraint, texts)).toEqual(["match", "match", "match", "no"]);
  });

  it("hold JSON, behind a thought as well", async () => {
    const texts = ['{"a": [1, {"b": null}]}', "[]", '{"a"', "x"];
    expect(await engine.judge(constrainJson(schemaGrammar(ANY_OBJECT)), texts)).toEqual([
      "match",
      "no",
      "beginning",
      "no",
    ]);
    const schema = checkSchema({ type: "object", properties: { a: { const: 1 } }, required: ["a"] });
    if (!schema.ok) throw new Error(schema.message);
    const constraint = constrainJson(schemaGrammar(schema.schema), { open: "<think>", close: "</think>" });
    const thoughtful = ['<think>Hm {}</think>\n\n{"a": 1}', '{"a":1}', '<think>Hm</think>\n{"a":2}'];
    expect(await engine.judge(constraint, thoughtful)).toEqual(["match", "match", "no"]);
  });
});
