/** Lists of calls that begin as ordinary text does are constrained from the first tool's name on. */

import { beforeAll, describe, expect, test } from "vitest";
import { toGbnf } from "../../../worker/engines/llamacpp/grammar/gbnf.ts";
import { checkTools } from "../../../worker/tools/check-tools.ts";
import { type CallConstraintOptions, constrainCalls } from "../../../worker/tools/constraints.ts";
import { functools } from "../../../worker/tools/formats/functools.ts";
import { list } from "../../../worker/tools/formats/list.ts";
import { pythonic } from "../../../worker/tools/formats/pythonic.ts";
import type { ToolCall, ToolDefinition } from "../../../worker/tools/tool-types.ts";
import { readCalls } from "../../support/tool-reading.ts";
import { GrammarEngine } from "../../support/xgrammar.ts";

let engine: GrammarEngine;
beforeAll(async () => {
  engine = await GrammarEngine.load();
});

const NAMES = ["weather", "weather_now", "time"];
const definitions: ToolDefinition[] = NAMES.map((name) => ({
  type: "function",
  function: {
    name,
    parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  },
}));
const call = (name: string, json = '{"city": "Rome"}'): ToolCall => ({ id: "call_1", name, arguments: json });

describe.each([list, functools, pythonic])("$name", (format) => {
  const one = format.write([call("weather")]);
  const two = format.write([call("weather_now"), call("time")]);
  const three = format.write([call("time"), call("time"), call("weather")]);
  const wrong = format.write([call("weather", '{"city": 5}')]);
  const laterWrong = format.write([call("time"), call("weather", '{"city": 5}')]);

  /** Which of the texts match, in both engines' grammars. */
  async function matches(options: Omit<CallConstraintOptions, "tools">, texts: string[]) {
    const checked = checkTools(definitions, undefined, format.callSyntax.dialect);
    if (!checked.ok) throw new Error(checked.message);
    const constraint = constrainCalls(format.callSyntax, { ...options, tools: checked.tools })!;
    const verdicts = await engine.judge(constraint, texts);
    expect(await engine.judge({ type: "grammar", ebnf: toGbnf(constraint) }, texts)).toEqual(verdicts);
    return texts.filter((_, at) => verdicts[at] === "match");
  }

  test("auto: text is free, and a list is right once a tool is named", async () => {
    const auto = { choice: { mode: "auto" } } as const;
    const free = ["", "Hi.", "[1, 2]", '[{"a": 1}]', "See [1](x).", "Use functools.reduce(f, [1])."];
    const right = [...free, one, two, three, `Hi. ${one}`, `${two} Hi.`];
    expect(await matches(auto, [...right, wrong, laterWrong, `Hi. ${wrong}`])).toEqual(right);
  });

  test("auto without parallel calls: one call", async () => {
    const once = { choice: { mode: "auto" }, parallel: false } as const;
    expect(await matches(once, ["Hi.", one, `Hi. ${one}`, two, wrong])).toEqual(["Hi.", one, `Hi. ${one}`]);
  });

  test("required, and a named function", async () => {
    const required = { choice: { mode: "required" } } as const;
    const laterUnknown = format.write([call("time"), call("nothing")]);
    expect(await matches(required, [one, three, "Hi.", "", wrong, laterUnknown])).toEqual([one, three]);
    expect(await matches({ ...required, parallel: false }, [one, two])).toEqual([one]);
    const named = { choice: { mode: "named", name: "weather" } } as const;
    expect(await matches(named, [one, two, format.write([call("time")])])).toEqual([one]);
  });

  test("a thought may come first", async () => {
    const reasoning = { open: "<think>", close: "</think>" };
    const texts = [`<think>\n${wrong}\n</think>\n\n${two}`, `<think>Hm.</think>\n${wrong}`];
    expect(await matches({ choice: { mode: "auto" }, reasoning }, texts)).toEqual([texts[0]]);
  });

  test.each([
    "[1, 2]",
    "[weather](https://weather.example)",
    "[weather, time] are tools",
    "Write [weather(city='Rome')].",
    'Such as functools[{"a": 1}], or functools.reduce.',
    '[{"name": "Ann", "arguments": {}}]',
  ])("an answer without calls: %s", (text) => {
    for (let at = 0; at <= text.length; at++) {
      const pieces = [text.slice(0, at), text.slice(at)];
      const read = readCalls(pieces, { format: format.callFormat, names: new Set(NAMES) });
      expect(read).toMatchObject({ text, calls: [] });
    }
  });
});
