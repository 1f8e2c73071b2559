/** Replies as models write them, also where they stray from their formats. */

import type { ReplyReasoning } from "../../../../worker/reply/reply-reasoning.ts";

const INNER = { open: "<|inner_prefix|>", close: "<|inner_suffix|>" };

const THINK = { open: "<think>", close: "</think>" };
const K2 = {
  open: "<ifm|think>",
  close: "</ifm|think>",
  variants: [{ open: "<ifm|think_faster>", close: "</ifm|think_faster>" }],
  startsInside: true,
};
const ERNIE = { ...THINK, answer: { open: "<response>", close: "</response>" } };
const STEPS = {
  open: "Here are my reasoning steps:\n",
  close: "[BEGIN FINAL RESPONSE]",
  answer: { open: "", close: "[END FINAL RESPONSE]" },
};
const kimi = (...calls: string[]) =>
  `<|tool_calls_section_begin|>${calls.map((call) => `<|tool_call_begin|>${call}<|tool_call_end|>`).join("")}<|tool_calls_section_end|>`;
const ARGS = "<|tool_call_argument_begin|>";
const plamoTag = (tag: string, text: string) =>
  `<|plamo:begin_${tag}:plamo|>${text}<|plamo:end_${tag}:plamo|>`;
const PLAMO = { open: "<|plamo:begin_think:plamo|>", close: "<|plamo:end_think:plamo|>" };
const plamoCall = (call: string) => {
  const [name = "", ...args] = call.split(" ");
  const json = `<|plamo:constrain|>json<|plamo:msg|>${args.join(" ")}`;
  return plamoTag("tool_request", plamoTag("tool_name", name) + plamoTag("tool_arguments", json));
};
const plamo = (...calls: string[]) => plamoTag("tool_requests", calls.map(plamoCall).join(""));

/** What the reader is to make of a reply. @default nothing */
interface Expected {
  content?: string;
  reasoning?: string;
  calls?: string[];
}

/** Whole replies: what they show, the format of their calls, the markers of their reasoning, text and expectation. */
export const REPLIES: [
  what: string,
  format: string,
  reasoning: ReplyReasoning,
  reply: string,
  expected: Expected,
][] = [
  [
    "LFM2: the calls once more after their end, and text",
    "lfm2",
    THINK,
    "<|tool_call_start|>[f(a='x'), g()]<|tool_call_end|>\n[f(a='x'), g()]<|tool_call_end|>Done.",
    { content: "Done.", calls: ['f {"a": "x"}', "g {}"] },
  ],
  [
    "LFM2: text that begins like the calls before it",
    "lfm2",
    THINK,
    "<|tool_call_start|>[f(a='x')]<|tool_call_end|>[f(a='x')] is what I called.",
    { content: "[f(a='x')] is what I called.", calls: ['f {"a": "x"}'] },
  ],
  [
    "Hermes: an equal call is one of its own",
    "hermes",
    THINK,
    '<tool_call>{"name": "f", "arguments": {}}</tool_call><tool_call>{"name": "f", "arguments": {}}</tool_call>',
    { calls: ["f {}", "f {}"] },
  ],
  [
    "Kimi: a thought, text and two calls",
    "kimi",
    THINK,
    `<think>Hm.</think>I look. ${kimi(`functions.f:0${ARGS}{"a": "x"}`, `functions.g:1${ARGS}{}`)}`,
    { reasoning: "Hm.", content: "I look.", calls: ['f {"a": "x"}', "g {}"] },
  ],
  [
    "Kimi: a call inside a thought",
    "kimi",
    THINK,
    `<think>Hm. ${kimi(`functions.f:3${ARGS}{"a": "functions.g:1"}`)}`,
    { reasoning: "Hm. ", calls: ['f {"a": "functions.g:1"}'] },
  ],
  [
    "Kimi: two calls inside a thought, and text behind their section",
    "kimi",
    THINK,
    `<think>Hm. ${kimi(`functions.f:0${ARGS}{"a": "x"}`, `functions.g:1${ARGS}{}`)}Now`,
    { reasoning: "Hm. ", calls: ['f {"a": "x"}', "g {}"] },
  ],
  [
    "MiniMax M2: two calls of one block inside a thought",
    "minimax-m2",
    THINK,
    '<think>Hm. <minimax:tool_call>\n<invoke name="f">\n<parameter name="a">x</parameter>\n</invoke>\n<invoke name="g">\n</invoke>\n</minimax:tool_call>',
    { reasoning: "Hm. ", calls: ['f {"a": "x"}', "g {}"] },
  ],
  [
    "MiniMax M2: a call inside a thought, and text in place of the end of its block",
    "minimax-m2",
    THINK,
    '<think>Hm. <minimax:tool_call>\n<invoke name="g">\n</invoke>\nNow <invoke name="g">\n</invoke>\n</minimax:tool_call>',
    { reasoning: "Hm. ", calls: ["g {}"] },
  ],
  [
    "LFM2: a list of calls inside a thought",
    "lfm2",
    THINK,
    "<think>Hm. <|tool_call_start|>[f(a='x'), g()]<|tool_call_end|>\n<|tool_call_start|>[g()]<|tool_call_end|>",
    { reasoning: "Hm. ", calls: ['f {"a": "x"}', "g {}"] },
  ],
  [
    "Hermes: calls inside a thought, each between markers of its own",
    "hermes",
    THINK,
    '<think>Hm. <tool_call>\n{"name": "g", "arguments": {}}\n</tool_call>\n<tool_call>\n{"name": "g", "arguments": {}}\n</tool_call>',
    { reasoning: "Hm. ", calls: ["g {}"] },
  ],
  [
    "Kimi: ids without the prefix or the index, white space, no arguments, a section in the singular",
    "kimi",
    THINK,
    `<|tool_call_section_begin|>\n<|tool_call_begin|> f:0 ${ARGS} {"a":1} <|tool_call_end|>\n<|tool_call_begin|>functions.g${ARGS}<|tool_call_end|>\n<|tool_call_section_end|>`,
    { calls: ['f {"a":1}', "g {}"] },
  ],
  [
    "Kimi: another function is text",
    "kimi",
    THINK,
    `A <|tool_call_begin|>functions.h:0${ARGS}{}<|tool_call_end|>`,
    { content: `A <|tool_call_begin|>functions.h:0${ARGS}{}<|tool_call_end|>` },
  ],
  [
    "Solar: a thought and two calls",
    "solar",
    { open: "<|think|>", close: "<|end|><|begin|>assistant" },
    '<|think|>Hm.<|end|><|begin|>assistant<|tool_calls|><|tool_call:begin|>a1b2c3d4e5<|tool_call:name|>f<|tool_call:args|>{"a": "x"}<|tool_call:end|>' +
      "<|tool_call:begin|> 0<|tool_call:name|>g<|tool_call:args|><|tool_call:end|><|calls|>",
    { reasoning: "Hm.", calls: ['f {"a": "x"}', "g {}"] },
  ],
  [
    "PLaMo: a thought, text and two calls",
    "plamo-3",
    PLAMO,
    `${PLAMO.open}Hm.${PLAMO.close}I look.${plamo('f {"a": "<|plamo:"}', "g {}")}`,
    { reasoning: "Hm.", content: "I look.", calls: ['f {"a": "<|plamo:"}', "g {}"] },
  ],
  [
    "PLaMo: a call inside a thought",
    "plamo-3",
    PLAMO,
    `${PLAMO.open}Hm. ${plamo('f {"a": "x"}')}`,
    { reasoning: "Hm. ", calls: ['f {"a": "x"}'] },
  ],
  [
    "PLaMo: another function is text",
    "plamo-3",
    PLAMO,
    `A ${plamoCall("h {}")}`,
    { content: `A ${plamoCall("h {}")}` },
  ],
  [
    "openPangu: a thought, text and two calls",
    "pangu",
    THINK,
    '<think>Hm.</think>I look.\n<|tool_call_start|>[{"name": "f", "arguments": {"a": "x"}},\n {"name": "g", "arguments": {}}]<|tool_call_end|>',
    { reasoning: "Hm.", content: "I look.", calls: ['f {"a": "x"}', "g {}"] },
  ],
  [
    "openPangu: a call inside a thought",
    "pangu",
    THINK,
    '<think>Hm. <|tool_call_start|>[{"name": "f", "arguments": {"a": "x"}}]<|tool_call_end|>',
    { reasoning: "Hm. ", calls: ['f {"a": "x"}'] },
  ],
  [
    "Intern-S1: a thought and two calls, with spaces between the tokens",
    "internlm",
    THINK,
    '<think>Hm.</think>I look.<|action_start|> <|plugin|>\n{"name": "f", "parameters": {"a": "x"}}<|action_end|>\n<|action_start|><|plugin|>{"name": "g", "parameters": {}}<|action_end|>',
    { reasoning: "Hm.", content: "I look.", calls: ['f {"a": "x"}', "g {}"] },
  ],
  [
    "K2 Horizon: a thought of less effort, closed with another's marker, and two calls",
    "k2-horizon",
    K2,
    "Hm.\n</ifm|think>I look.<ifm|tool_calls>\n<ifm|tool_call>f\n<ifm|arg_key>a</ifm|arg_key>\n<ifm|arg_value>x</ifm|arg_value>\n</ifm|tool_call>\n<ifm|tool_call>g\n</ifm|tool_call>\n</ifm|tool_calls>",
    { reasoning: "Hm.", content: "I look.", calls: ['f {"a": "x"}', "g {}"] },
  ],
  [
    "K2 Horizon: a call in place of the end of a thought",
    "k2-horizon",
    K2,
    "Hm.\n<ifm|tool_calls>\n<ifm|tool_call>f\n<ifm|arg_key>a</ifm|arg_key>\n<ifm|arg_value>x</ifm|arg_value>\n</ifm|tool_call>\n</ifm|tool_calls>",
    { reasoning: "Hm.", calls: ['f {"a": "x"}'] },
  ],
  [
    "ERNIE 4.5: an answer between its markers, and calls behind it",
    "hermes",
    ERNIE,
    '<think>\nHm.\n</think>\n\n<response>\nI look.\n</response>\n\n<tool_call>\n{"name": "f", "arguments": {"a": "x"}}\n</tool_call>\n<tool_call>\n{"name": "g", "arguments": {}}\n</tool_call>\n',
    { reasoning: "Hm.", content: "I look.", calls: ['f {"a": "x"}', "g {}"] },
  ],
  [
    "HyperCLOVAX SEED Think 32B: text and two calls",
    "glm-4.5",
    THINK,
    "<think>Hm.</think>\n\nI look.<tool_call>f\n<arg_key>a</arg_key>\n<arg_value>x</arg_value>\n</tool_call>\n<tool_call>g\n</tool_call>",
    { reasoning: "Hm.", content: "I look.", calls: ['f {"a": "x"}', "g {}"] },
  ],
  [
    "Solar: another function is text",
    "solar",
    { open: "<|think|>", close: "<|end|><|begin|>assistant" },
    "A <|tool_call:begin|>1<|tool_call:name|>h<|tool_call:args|>{}<|tool_call:end|>",
    { content: "A <|tool_call:begin|>1<|tool_call:name|>h<|tool_call:args|>{}<|tool_call:end|>" },
  ],
  [
    "Functionary: text and two calls",
    "functionary-3.2",
    THINK,
    'all\nI look.\n>>>f\n{"a": ">>>g\\n"}>>>g\n{}',
    { content: "I look.", calls: ['f {"a": ">>>g\\n"}', "g {}"] },
  ],
  [
    "Functionary: two calls and text",
    "functionary-3.2",
    THINK,
    'f\n{"a": "x"}>>>g\n{}>>>all\nDone. >>> f',
    { content: "Done. >>> f", calls: ['f {"a": "x"}', "g {}"] },
  ],
  [
    "GLM-4: two calls, and a result that it writes itself",
    "glm-4",
    THINK,
    'f\n{"a": "x"}<|assistant|>g\n{}<|observation|>\n21',
    { calls: ['f {"a": "x"}', "g {}"] },
  ],
  ["GLM-4: a text that begins with a name", "glm-4", THINK, "f\nis {}.", { content: "f\nis {}." }],
  [
    "OLMo 3: text and calls, one in each line",
    "olmo3",
    THINK,
    'I look.\n<function_calls>\nf(a="x\\n\\"y\\"", b=true, c=[1, null])\ng()\nf(a=\'x\')\n</function_calls>',
    {
      content: "I look.",
      calls: ['f {"a": "x\\n\\"y\\"", "b": true, "c": [1, null]}', "g {}", 'f {"a": "x"}'],
    },
  ],
  [
    "OLMo 3: without line breaks around the list, or its end",
    "olmo3",
    THINK,
    '<function_calls>f(a="x")\ng()',
    { calls: ['f {"a": "x"}', "g {}"] },
  ],
  [
    "OLMo 3: text behind calls, and a line that is no call",
    "olmo3",
    THINK,
    "<function_calls>g()</function_calls>Done. <function_calls>g(),\nh()</function_calls>",
    { content: "Done.,\nh()</function_calls>", calls: ["g {}", "g {}"] },
  ],
  [
    "MiniCPM: a thought, calls in a fence, and text",
    "minicpm",
    { open: "<|thought_start|>", close: "<|thought_end|>" },
    '<|thought_start|>\nHm.\n<|thought_end|>\n<|tool_call_start|>\n```python\nf(a="```",b=true)\ng()\n```\n<|tool_call_end|>\nI look: ```python\ng()\n```',
    {
      reasoning: "Hm.",
      content: "\nI look: ```python\ng()\n```",
      calls: ['f {"a": "```", "b": true}', "g {}"],
    },
  ],
  [
    "MiniCPM: a call inside a thought",
    "minicpm",
    { open: "<|thought_start|>", close: "<|thought_end|>" },
    "<|thought_start|>\nHm.\n<|tool_call_start|>\n```python\nf(a='x')\n```\n<|tool_call_end|>",
    { reasoning: "Hm.", calls: ['f {"a": "x"}'] },
  ],
  [
    "Apertus: two calls and text",
    "apertus",
    INNER,
    'I look. <|tools_prefix|>[{"f": {"a": "}]"}}, {"g": {}}]<|tools_suffix|>',
    { content: "I look.", calls: ['f {"a": "}]"}', "g {}"] },
  ],
  [
    "Apertus: a call inside a thought",
    "apertus",
    INNER,
    '<|inner_prefix|>I look.<|tools_prefix|>[{"f": {"a": "x"}}]<|tools_suffix|>',
    { reasoning: "I look.", calls: ['f {"a": "x"}'] },
  ],
  [
    "Apertus: an object of another form is text",
    "apertus",
    INNER,
    '<|tools_prefix|>[{"name": "f", "arguments": {}}]<|tools_suffix|>',
    { content: '<|tools_prefix|>[{"name": "f", "arguments": {}}]<|tools_suffix|>' },
  ],
  [
    "Apertus: results that it writes itself",
    "apertus",
    INNER,
    '<|tools_prefix|>[{"g": {}}, {"g": {}}]<|tools_suffix|>[21, "[]"] It is',
    { calls: ["g {}", "g {}"] },
  ],
  [
    "Apertus 1.5: results that it writes itself",
    "apertus",
    INNER,
    '<|tools_prefix|>[{"g": {}}]<|tools_suffix|><|tool_output_start|>21<|tool_output_end|> It is',
    { calls: ["g {}"] },
  ],
  [
    "Apertus: thoughts without a call, and arguments that are none",
    "apertus",
    INNER,
    '<|inner_prefix|>Hm.<|inner_suffix|>Hi <|tools_prefix|>[{"f": 1}]<|tools_suffix|>',
    { reasoning: "Hm.", content: 'Hi <|tools_prefix|>[{"f": 1}]<|tools_suffix|>' },
  ],
  [
    "Apriel: an answer between its markers",
    "tool-calls",
    STEPS,
    "Here are my reasoning steps:\nHm.\n[BEGIN FINAL RESPONSE]\nHi [1]\n[END FINAL RESPONSE]\n",
    { reasoning: "Hm.", content: "Hi [1]" },
  ],
  [
    "Apriel: calls behind the thought",
    "tool-calls",
    STEPS,
    'Here are my reasoning steps:\nHm.\n[BEGIN FINAL RESPONSE]\n<tool_calls>[{"name": "f", "arguments": {"a": "x"}, "id": "1"}, {"name": "g", "arguments": {}}]</tool_calls>',
    { reasoning: "Hm.", calls: ['f {"a": "x"}', "g {}"] },
  ],
  [
    "Apriel: a call inside a thought",
    "tool-calls",
    STEPS,
    'Here are my reasoning steps:\nHm.\n<tool_calls>[{"name": "f", "arguments": {"a": "x"}}]</tool_calls>',
    { reasoning: "Hm.", calls: ['f {"a": "x"}'] },
  ],
  [
    "InternLM: text and two calls",
    "internlm",
    THINK,
    'I look.<|action_start|><|plugin|>\n{"name": "f", "parameters": {"a": "x"}}<|action_end|>\n<|action_start|><|plugin|>{"name": "g", "arguments": {}}<|action_end|>\n',
    { content: "I look.", calls: ['f {"a": "x"}', "g {}"] },
  ],
  [
    "GigaChat: text and a call",
    "gigachat",
    THINK,
    'I look.<|message_sep|>\n\nfunction call<|role_sep|>\n{"name": "f", "arguments": {"a": "x"}}<|message_sep|>\n\n',
    { content: "I look.", calls: ['f {"a": "x"}'] },
  ],
  [
    "LongCat: two calls",
    "longcat",
    THINK,
    '<longcat_tool_call>\n{"name": "f", "arguments": {"a": "x"}}\n</longcat_tool_call>\n<longcat_tool_call>{"name": "g", "arguments": {}}</longcat_tool_call>',
    { calls: ['f {"a": "x"}', "g {}"] },
  ],
];
