import { describe, expect, it } from "vitest";
import { checkTools } from "../../../worker/tools/check-tools.ts";
import type { ToolDefinition } from "../../../worker/tools/tool-types.ts";

const tool = (fields: Record<string, unknown>): ToolDefinition =>
  ({ type: "function", function: { name: "f", ...fields } }) as ToolDefinition;

describe("the check of tools", () => {
  it.each([
    [[tool({}), tool({})], "tools[1].function.name", "invalid_value"],
    [[tool({ parameters: [] })], "tools[0].function.parameters", "invalid_function_parameters"],
    [[tool({ parameters: null })], "tools[0].function.parameters", "invalid_function_parameters"],
    [
      [tool({ parameters: { type: "string" } })],
      "tools[0].function.parameters",
      "invalid_function_parameters",
    ],
    [
      [tool({ parameters: { type: "object", properties: { a: { type: "x" } } } })],
      "tools[0].function.parameters",
      "invalid_function_parameters",
    ],
    [
      [tool({ strict: true, parameters: { type: "object", properties: {} } })],
      "tools[0].function.parameters",
      "invalid_function_parameters",
    ],
  ])("names what is wrong with %j", (tools, param, code) => {
    expect(checkTools(tools)).toMatchObject({ ok: false, param, code });
  });

  it("words a bad schema as OpenAI does", () => {
    const parameters = { type: "object", properties: { a: { type: "string" } }, additionalProperties: false };
    expect(checkTools([tool({ strict: true, parameters })])).toMatchObject({
      message:
        "Invalid schema for function 'f': In context=(), 'required' is required to be supplied and to be an array including every key in properties. Missing 'a'.",
    });
  });

  it("takes no parameters, empty ones, and what clients send without strict", () => {
    const odd = {
      type: "object",
      properties: { a: { type: "array", items: { type: "string" }, uniqueItems: true } },
      $schema: "x",
    };
    const tools = [
      tool({ name: "a" }),
      tool({ name: "b", parameters: {} }),
      tool({ name: "c", parameters: odd }),
    ];
    expect(checkTools(tools).ok).toBe(true);
  });
});
