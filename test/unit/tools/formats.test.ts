/** Every tool format: what is written is what is read and what a constraint accepts. */

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { toolFormatTable } from "../../../scripts/reference/tool-formats.ts";
import { checkTools } from "../../../worker/tools/check-tools.ts";
import { constrainCalls } from "../../../worker/tools/constraints.ts";
import { mistralNamed } from "../../../worker/tools/formats/mistral-named.ts";
import { recogniseToolFormat, TOOL_FORMATS } from "../../../worker/tools/formats/recognise.ts";
import { toolCalls } from "../../../worker/tools/formats/tool-calls.ts";
import type { ToolFormat } from "../../../worker/tools/formats/tool-format.ts";
import { parameterTypes } from "../../../worker/tools/parameter-types.ts";
import type { ToolDefinition } from "../../../worker/tools/tool-types.ts";
import { readCalls } from "../../support/tool-reading.ts";
import { GrammarEngine } from "../../support/xgrammar.ts";

let engine: GrammarEngine;
beforeAll(async () => {
  engine = await GrammarEngine.load();
});

const definitions: ToolDefinition[] = [
  {
    type: "function",
    function: {
      name: "find",
      parameters: {
        type: "object",
        properties: {
          text: { type: "string" },
          limit: { type: "integer" },
          exact: { type: "boolean" },
          kind: { enum: ["a", "b"] },
          tags: { type: "array", items: { type: "string" } },
        },
        required: ["text"],
      },
    },
  },
  { type: "function", function: { name: "now", parameters: { type: "object", properties: {} } } },
];

const call = (name: string, args: object) => ({
  id: "call_000000001",
  name,
  arguments: JSON.stringify(args),
});
const TYPES = parameterTypes(definitions);
const FULL = { text: 'it\'s a "<b>" 5', limit: 3, exact: true, kind: "b", tags: ["x", "y"] };

async function verdicts(format: ToolFormat, texts: string[], mode: "required" | "auto" = "required") {
  const checked = checkTools(definitions, undefined, format.callSyntax.dialect);
  if (!checked.ok) throw new Error(checked.message);
  const constraint = constrainCalls(format.callSyntax, { choice: { mode }, tools: checked.tools });
  // Free text.
  if (!constraint) return texts.map(() => "match");
  return engine.judge(constraint, texts);
}

/** Command's own ids are not generated. */
const write = (format: ToolFormat, ...calls: ReturnType<typeof call>[]): string =>
  format.write(calls).replaceAll(/"tool_call_id": "[^"]*", /g, "");

describe.each(TOOL_FORMATS.map((format) => [format.name, format] as const))("%s", (_, format) => {
  test("reads what it writes, at every cut", () => {
    const text = format.write([call("find", FULL), call("now", {})]);
    for (let at = 0; at <= text.length; at++) {
      const { calls, text: rest } = readCalls([text.slice(0, at), text.slice(at)], {
        format: format.callFormat,
        names: new Set(["find", "now"]),
        typesOf: (name) => TYPES[name]!,
      });
      expect(calls.map((one) => [one.name, JSON.parse(one.arguments)])).toEqual([
        ["find", FULL],
        ["now", {}],
      ]);
      expect(rest).toBe("");
    }
  });

  test("required: accepts what it writes, and no other tool or type", async () => {
    const one = write(format, call("find", FULL));
    const fitting = [one, write(format, call("now", {})), write(format, call("find", { text: "x" }))];
    const others = [
      write(format, call("nothing", {})),
      write(format, call("find", { text: "x", limit: "many" })),
      write(format, call("find", { limit: 3 })),
      "Hello",
    ];
    const judged = await verdicts(format, [...fitting, ...others]);
    expect(judged.map((verdict) => verdict === "match")).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  test("auto: text is free, and so are brackets and braces in it", async () => {
    const [text, mixed] = await verdicts(
      format,
      ['Look: {"a": [1]} <b>', `Look: ${write(format, call("now", {}))}`],
      "auto",
    );
    expect([text, mixed]).toEqual(["match", "match"]);
  });
});

/** One call of `find` as published, where `write` gives another form. */
const PUBLISHED: Record<string, readonly string[]> = {
  muse: [
    ' to=find<|message|><atem:function_calls>\n<atem:invoke name="find">\n<atem:parameter name="text">x</atem:parameter>\n</atem:invoke>\n</atem:function_calls>',
  ],
  inkling: ['find<|content_invoke_tool_json|>{"name":"find","args":{"text": "x"}}'],
  functionary: ['<function=find>{"text": "x"}</function>'],
  "mistral-named": ['[TOOL_CALLS]find[CALL_ID]123456789[ARGS]{"text": "x"}'],
  kimi: [
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.find:12<|tool_call_argument_begin|>{"text": "x"}<|tool_call_end|><|tool_calls_section_end|>',
  ],
  olmo3: ['<function_calls>find(text="x")</function_calls>'],
  minicpm: ['<|tool_call_start|>\n```python\nfind(text="x")\n```\n<|tool_call_end|>'],
  apertus: ['<|tools_prefix|>[{"find": {"text": "x"}}]<|tools_suffix|>'],
  internlm: ['<|action_start|><|plugin|>\n{"name": "find", "parameters": {"text": "x"}}<|action_end|>'],
  "nemotron-mini": [
    '<toolcall> {"name": "find", "arguments": {"text": "x"}} </toolcall>',
    '<toolcall> {"name": "find", "arguments": {"text": "x"}} </toolcall> <toolcall> {"name": "now", "arguments": {}} </toolcall>',
  ],
  functools: ['functools[{"name": "find", "arguments": {"text": "x"}}]'],
  "granite-fc": ['<function_call> {"name": "find", "arguments": {"text": "x"}}'],
  "gigachat-3.1": ['<|function_call|>{"name": "find", "arguments": {"text": "x"}}'],
  pythonic: ['[find(text="x")]', '[find(text="x"), now()]'],
  gigachat: ['function call<|role_sep|>\n{"name": "find", "arguments": {"text": "x"}}<|message_sep|>'],
  deepseek: [
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>find\n```json\n{"text": "x"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  ],
  "deepseek-v3.2": [
    '<｜DSML｜function_calls>\n<｜DSML｜invoke name="find">\n<｜DSML｜parameter name="text" string="true">x</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
  ],
  "deepseek-v4": [
    '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="find">\n<｜DSML｜parameter name="text" string="true">x</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>',
  ],
  "deepseek-v4.1": [
    '<｜DSML｜ calls>\n<｜DSML｜ invoke name="find">\n<｜DSML｜ parameter name="text" string="true">x</｜DSML｜ parameter>\n</｜DSML｜ invoke>\n</｜DSML｜ calls>',
  ],
  "gigachat-3.5": [
    '<｜GCML｜tool_calls>\n<｜GCML｜invoke name="find">\n<｜GCML｜parameter name="text" string="true">x</｜GCML｜parameter>\n</｜GCML｜invoke>\n</｜GCML｜tool_calls>',
  ],
  "kimi-k3": [
    '<|open|>tools<|sep|><|open|>call tool="find" index="1"<|sep|><|open|>argument key="text" type="string"<|sep|>x<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>',
  ],
  "minimax-m3": [
    ']<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name="find">]<]minimax[>[<text>x]<]minimax[>[</text>]<]minimax[>[</invoke>\n]<]minimax[>[</tool_call>',
  ],
  "minimax-m1": [
    '<tool_calls>\n{"name": "find", "arguments": {"text": "x"}}\n</tool_calls>',
    '<tool_calls>\n{"name": "find", "arguments": {"text": "x"}}\n{"name": "now", "arguments": {}}\n</tool_calls>',
  ],
  "command-action": [
    'Action: ```json\n[\n    {\n        "tool_name": "find",\n        "parameters": {"text": "x"}\n    }\n]```',
  ],
  solar: [
    '<|tool_calls|><|tool_call:begin|>call000000<|tool_call:name|>find<|tool_call:args|>{"text": "x"}<|tool_call:end|>',
  ],
  pangu: ['<|tool_call_start|>[{"name": "find", "arguments": {"text": "x"}}]<|tool_call_end|>'],
  "plamo-3": [
    "<|plamo:begin_tool_requests:plamo|><|plamo:begin_tool_request:plamo|><|plamo:begin_tool_name:plamo|>find<|plamo:end_tool_name:plamo|>" +
      '<|plamo:begin_tool_arguments:plamo|><|plamo:constrain|>json<|plamo:msg|>{"text": "x"}<|plamo:end_tool_arguments:plamo|><|plamo:end_tool_request:plamo|><|plamo:end_tool_requests:plamo|>',
  ],
  "solar-2": [
    "<|tool_call:start|>find\n<|tool_arg:start|>text<|tool_arg:value|>x<|tool_arg:end|>\n<|tool_call:end|>",
    "<|tool_call:start|>find\n<|tool_arg:start|>text<|tool_arg:value|>x<|tool_arg:end|>\n<|tool_call:end|>\n<|tool_call:start|>now\n<|tool_call:end|>",
  ],
  "hunyuan-3": [
    "<tool_calls>\n<tool_call>find<tool_sep>\n<arg_key>text</arg_key>\n<arg_value>x</arg_value>\n</tool_call>\n</tool_calls>",
  ],
  "hunyuan-4": [
    "<tool_calls:6124c78e>\n<tool_call:6124c78e>find\n<arg_key:6124c78e>text</arg_key:6124c78e>\n<arg_value:6124c78e>x</arg_value:6124c78e>\n</tool_call:6124c78e>\n</tool_calls:6124c78e>",
  ],
  "k2-horizon": [
    "<ifm|tool_calls>\n<ifm|tool_call>find\n<ifm|arg_key>text</ifm|arg_key>\n<ifm|arg_value>x</ifm|arg_value>\n</ifm|tool_call>\n</ifm|tool_calls>",
  ],
  "iquest-coder-2": [
    "<iquestcoder_tool_call>find<arg_key>text</arg_key><arg_value>x</arg_value></iquestcoder_tool_call>",
  ],
  "marked-invoke": [
    '<tool_call>\n<invoke name="find">\n<parameter name="text">x</parameter>\n</invoke>\n</tool_call>',
  ],
  "iquest-q1": ["<iquest_tool_call>find<arg_key>text</arg_key><arg_value>x</arg_value></iquest_tool_call>"],
  zaya: [
    "<zyphra_tool_call>\n<function=find>\n<parameter=text>\nx\n</parameter>\n</function>\n</zyphra_tool_call>",
  ],
  dots: [
    '<dots_function_call>\n<invoke name="find">\n<parameter name="text">x</parameter>\n</invoke>\n</dots_function_call>',
  ],
  "functionary-3.2": ['find\n{"text": "x"}', 'find\n{"text": "x"}>>>now\n{}'],
  "glm-4": ['find\n{"text": "x"}'],
  "step-3": [
    '<｜tool_calls_begin｜>\n<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="find">\n<steptml:parameter name="text">x</steptml:parameter>\n</steptml:invoke><｜tool_call_end｜>\n<｜tool_calls_end｜>',
  ],
  "deepseek-v3.1": [
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>find<｜tool▁sep｜>{"text": "x"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>find<｜tool▁sep｜>{"text": "x"}<｜tool▁call▁end｜><｜tool▁call▁begin｜>find<｜tool▁sep｜>{"text": "x"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  ],
};

describe.each(Object.entries(PUBLISHED))("%s as published", (name, texts) => {
  const format = TOOL_FORMATS.find((one) => one.name === name)!;

  test.each(texts)("%s", async (text) => {
    for (let at = 0; at <= text.length; at++) {
      const read = readCalls([text.slice(0, at), text.slice(at)], {
        format: format.callFormat,
        names: new Set(["find", "now"]),
      });
      expect(read.calls[0]).toEqual({ name: "find", arguments: '{"text": "x"}', ended: true });
      expect(read.text).toBe("");
    }
    expect(await verdicts(format, [text])).toEqual(["match"]);
    expect(await verdicts(format, [`Look: ${text}`], "auto")).toEqual(["match"]);
  });
});

test("Jamba's white space in a list of calls is read", () => {
  const text =
    ' <tool_calls>[\n    {"name": "find", "arguments": {"text": "x"}},\n    {"name": "now", "arguments": {}}\n]</tool_calls>';
  const read = readCalls([...text], { format: toolCalls.callFormat, names: new Set(["find", "now"]) });
  expect(read.calls.map((one) => [one.name, one.arguments])).toEqual([
    ["find", '{"text": "x"}'],
    ["now", "{}"],
  ]);
  expect(read.text.trim()).toBe("");
});

test("an id of a call that is none is text", async () => {
  const text = '[TOOL_CALLS]find[CALL_ID]12 34[ARGS]{"text": "x"}';
  const read = readCalls([...text], { format: mistralNamed.callFormat, names: new Set(["find"]) });
  expect(read).toMatchObject({ calls: [], text });
  expect(await verdicts(mistralNamed, [text, text.replace("12 34", "12345")])).toEqual(["no", "no"]);
});

const CALLS = "'<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>' + name + '<｜tool▁sep｜>'";
test.each([
  ["mistral-named", "'[TOOL_CALLS]' + name + '[CALL_ID]' + id + '[ARGS]' + arguments"],
  ["deepseek", `'\`\`\`json' + tool, ${CALLS} + '\n' + '\`\`\`json' + arguments + '<｜tool▁call▁end｜>'`],
  ["deepseek-v3.1", `'\`\`\`json' + tool, ${CALLS} + arguments + '<｜tool▁call▁end｜>'`],
  ["deepseek-v3.2", "set t = '｜DSML｜', '<' + t + 'function_calls>' '<' + t + 'invoke name=\"' + name"],
  ["deepseek-v4", "set t = '｜DSML｜', '<' + t + 'tool_calls>' '<' + t + 'invoke name=\"' + name"],
  ["step-3", "'<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name=\"' + name + '\">'"],
  ["solar", "'<|tool_call:begin|>' + id + '<|tool_call:name|>' + name + '<|tool_call:args|>' + arguments"],
  [
    "plamo-3",
    "'<|plamo:begin_' + tag + ':plamo|>' tag('tool_requests') tag('tool_name') tag('tool_arguments')",
  ],
  ["functionary-3.2", "'Respond in this format:\\n>>>' + recipient + '\\n'"],
  ["glm-4", "'\n在调用上述函数时，请使用 Json 格式表示调用的参数。' + '<|assistant|>'"],
  ["functionary", "'<|python_tag|>' + arguments + '<function=' + name + '>' + arguments + '</function>'"],
  [
    "pangu",
    "'<|pangu_text_start|><|message_start|>system\n' + '<|tool_call_start|>' + calls + '<|tool_call_end|>'",
  ],
  ["lfm2", "ns.system_prompt + 'List of tools: ['"],
  ["lfm2", 'ns.system_prompt + "List of tools: " + (tools | tojson)'],
  ["minicpm5", "'<function name=\"' + name + '\"><param name=\"' + key + '\">'"],
  ["minicpm5", '"<function name=\\"f\\"><param name=\\"a\\">value</param></function>"'],
  // Between the markers of LFM2.
  ["minicpm", "'<|tool_call_start|>\n```python\n' + call + '\n```\n<|tool_call_end|>'"],
  ["minicpm", "'<|tool_call_start|>\\n```python\\n' + call + '\\n```\\n<|tool_call_end|>'"],
  ["gemma-4", "'<|tool_call>call:' + name + '{'"],
  [
    "harmony",
    "'<|start|>assistant to=functions.' + name + '<|channel|>commentary json<|message|>' + arguments",
  ],
  ["hermes", "'<tool_call>\n{\"name\": ' + name + '}\n</tool_call>'"],
  ["kimi", "'<|tool_call_begin|>' + id + '<|tool_call_argument_begin|>' + arguments"],
  [
    "kimi-k3",
    "'<|open|>' + tag + '<|sep|>', '<|close|>' + tag + '<|sep|>', open_tag('call'), open_tag('argument')",
  ],
  ["kimi", "'<|im_system|>tool_declare<|im_middle|>' + tools + '<|im_end|>'"],
  ["olmo3", "'<function_calls>' + name + '(' + arguments + ')</function_calls>'"],
  ["apertus", "set tool_calls_token = '<|tools_prefix|>'"],
  ["internlm", "'<|action_start|><|plugin|>\n' + call"],
  ["internlm", "'<|action_start|> ' ~ '<|plugin|>\n' ~ call"],
  ["gigachat", "{'role': 'function call'}, role_sep='<|role_sep|>\n'"],
  ["gigachat-3.1", "role_sep='<|role_sep|>\n', function_call='<|function_call|>'"],
  ["nemotron-mini", "'<extra_id_1>User' '\n<tool> ' + tool + ' </tool>'"],
  ["functools", "'Write functools[' + calls + '] ' + '<|' + role + '|>'"],
  ["phi", "'<|tool|>' + tools + 'functools[' + calls + ']'"],
  ["granite-fc", "'<|function_call_library|>' + tools, '<function_call> ' + call"],
  [
    "list",
    "'[BEGIN OF AVAILABLE_TOOLS]\\n' + tools|string + '\\n[END OF AVAILABLE_TOOLS]' + \"an empty list '[]'\\n```\\n[\"",
  ],
  ["list", "'Enable deep thinking subroutine.', '[' + call + ']'"],
  ["pythonic", "'Answer [func_name1(param1=value1), func_name2()]'"],
  ["xml", "'<tool_call>\n<function=' + name + '>\n<parameter=' + key + '>'"],
  [
    "mimo-v2",
    "'<tool_call>\n<function=one>\n<parameter=first>value_1</parameter>\n</function>\n</tool_call>'",
  ],
  ["seed-oss", "'<seed:tool_call>\n<function=' + name + '>\n<parameter=' + key + '>'"],
  [
    "minimax-m2",
    "begin = '<minimax:tool_call>' '<invoke name=\"' + name + '\">' '<parameter name=\"' + key + '\">'",
  ],
  ["glm-4.7", "'<tool_call>' + name + '<arg_key>' + key + '</arg_key><arg_value>' + value + '</arg_value>'"],
  [
    "glm-4.5",
    "'<tool_call>' + name + '\n<arg_key>' + key + '</arg_key>\n<arg_value>' + value + '</arg_value>'",
  ],
  ["longcat-2", "'<longcat_tool_call>' + name + '<longcat_arg_key>' + key + '</longcat_arg_key>'"],
  // Hunyuan 3's calls, which are all in one block.
  ["hunyuan-3", "'<tool_calls><tool_call>' + name + '<tool_sep><arg_key>' + key + '</arg_key>'"],
  [
    "hunyuan-3-open",
    "set end = ':opensource', '<tool_call{}>'.format(end) + name + '<tool_sep{}>'.format(end)",
  ],
  ["hunyuan-4", "set end = ':6124c78e', '<tool_calls{}>'.format(end) + name + '<arg_key{}>'.format(end)"],
  ["minimax-m3", "set token = ']<]minimax[>[', token ~ '<tool_call>' ~ token ~ '<invoke name=\"' ~ name"],
  [
    "marked-invoke",
    "set begin = '<tool_call>', begin ~ '<invoke name=\"' + name + '\">' '<parameter name=\"' + key + '\">' + value",
  ],
  // Other calls between the markers of Hermes.
  [undefined, "'<tool_call>' + '<invoke name=\"' + name + '\">'"],
  ["tool-calls", "within <tool_call></tool_call> XML tags: '<tool_calls>[{' + name + '}]</tool_calls>'"],
  ["tool-calls", "{{- '<tool_calls>' -}}{{- '[' -}}"],
  ["tool-calls", "{{- '<tool_calls>' ~ '[' }}{%- endif %}"],
  ["tool-calls", "'<tool_calls>[\\n' + call + '\\n]</tool_calls>'"],
  // No list.
  ["minimax-m1", "'<tool_calls>\n{\"name\": ' + name + '}\n</tool_calls>'"],
  ["minimax-m1", "'<tool_calls>\\n' '{\"name\": ' + name + '}'"],
  ["command-action", "\"Write 'Action:' followed by a json-formatted list of actions\" + tools"],
  [
    "k2-horizon",
    "'\\n<ifm|tool_call>' + name + '\\n<ifm|arg_key>' + key + '</ifm|arg_key>\\n<ifm|arg_value>'",
  ],
  [
    "muse",
    "'<|start|>assistant to=' + name + '<|message|>' + '<atem:function_calls>\\n<atem:invoke name=\"'",
  ],
  ["inkling", "'<|message_model|>' + name + '<|content_invoke_tool_json|>' + call + '<|end_message|>'"],
  ["iquest-q1", "'<iquest_tool_call>' + name + '<arg_key>' + key + '</arg_key><arg_value>'"],
  ["zaya", "'<zyphra_tool_call>\\n<function=' ~ name ~ '>\\n' '<parameter=' ~ key ~ '>\\n'"],
  ["iquest-coder-2", "'<iquestcoder_tool_call>' + name + '<arg_key>' + key + '</arg_key><arg_value>'"],
  ["deepseek-v4.1", "set token = '｜DSML｜', '<' + token + ' calls>\\n<' + token + ' invoke name=\"' + name"],
  [
    "deepseek-v4",
    "set token = '｜DSML｜', '<' + token + 'tool_calls>\\n<' + token + 'invoke name=\"' + name",
  ],
  // Solar Open's later tokens differ by a word.
  ["solar-2", "'<|tool_call:start|>' + name + '\\n<|tool_arg:start|>' + key + '<|tool_arg:value|>' + value"],
  ["solar", "'<|tool_call:begin|>' + id + '<|tool_call:name|>' + name + '<|tool_call:args|>'"],
  // Spark 3's calls are GLM 4.7's; those of Nemotron 3, Step 3.5 and IQuest Coder are Qwen3-Coder's.
  ["glm-4.7", "<tool_call>{name}<arg_key>{key}</arg_key><arg_value>{value}</arg_value></tool_call>"],
  [
    "xml",
    "<tool_call>\\n<function=name>\\n<parameter=key>\\nvalue_1\\n</parameter>\\n</function>\\n</tool_call>",
  ],
  ["gigachat-3.5", "'<｜GCML｜tool_calls>\\n' + '<｜GCML｜invoke name=\"' ~ name, role_sep='<|role_sep|>'"],
])("%s is recognised by the template's text", (name, template) => {
  expect(recogniseToolFormat(template)?.name).toBe(name);
});

test("docs/models.md lists the formats as they are written", () => {
  const guide = readFileSync(resolve(import.meta.dirname, "../../../docs/models.md"), "utf8");
  expect(guide).toContain(`\n${toolFormatTable()}\n`);
});
