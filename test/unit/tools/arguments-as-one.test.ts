/** Templates that write all arguments of a call as one, as they cannot parse JSON. */

import { expect, test } from "vitest";
import { ChatTemplate } from "../../../worker/chat-template/chat-template.ts";
import { toolFormatOf } from "../../../worker/tools/formats/template-format.ts";
import { readCalls } from "../../support/tool-reading.ts";

const CALL =
  "<｜DSML｜invoke name=\"' + c.function.name + '\">\\n" +
  '<｜DSML｜parameter name="arguments" string="false">\' + c.function.arguments | tojson + \'' +
  "</｜DSML｜parameter>\\n</｜DSML｜invoke>\\n";
const SOURCE = `{{ tools | tojson }}{% for m in messages %}<｜{{ m.role }}｜>{{ m.content }}
{%- if m.tool_calls %}{{ '<｜DSML｜tool_calls>\\n' }}
{%- for c in m.tool_calls %}{{ '${CALL}' }}{% endfor %}{{ '</｜DSML｜tool_calls>' }}{% endif %}<｜end｜>
{%- endfor %}{% if add_generation_prompt %}<｜assistant｜>{% endif %}`;

test("calls are those of the published format, each argument an element", () => {
  const template = new ChatTemplate({ source: SOURCE, bos: "", eos: "", engineAddsBos: false });
  const { name, callFormat, callSyntax, write } = toolFormatOf(template)!;
  expect(name).toBe("deepseek-v4");
  expect(callSyntax.begin("find")).toBe('<｜DSML｜invoke name="find">\n');
  const reply = write([{ id: "1", name: "find", arguments: '{"text": "x", "limit": 3}' }]);
  expect(reply).toContain('<｜DSML｜parameter name="limit" string="false">3</｜DSML｜parameter>');
  const { calls, text } = readCalls([...reply], { format: callFormat, names: new Set(["find"]) });
  expect({ text, calls: calls.map((one) => JSON.parse(one.arguments)) }).toEqual({
    text: "",
    calls: [{ text: "x", limit: 3 }],
  });
});
