/** `reasoning_effort` in the words that a model's template knows. */

import { expect, test } from "vitest";
import { CHAT, messages } from "../../support/template-app.ts";
import { plain, testApp } from "../../support/test-app.ts";

/** Short templates with the words of published ones. */
const TEMPLATES = {
  "Hunyuan 3":
    "{% if not reasoning_effort is defined or reasoning_effort not in ['high', 'low', 'no_think'] %}{% set reasoning_effort = 'no_think' %}{% endif %}" +
    "{% for m in messages %}<user>{{ m.content }}{% endfor %}[{{ reasoning_effort }}]<think>{{ '</think>' if reasoning_effort == 'no_think' }}",
  "Mistral Small 4":
    "{% set effort = reasoning_effort if reasoning_effort is defined else 'none' %}{% if effort not in ['none', 'high'] %}{{ raise_exception('effort') }}{% endif %}" +
    "{% for m in messages %}[INST]{{ m.content }}[/INST]{% endfor %}[{{ effort }}]{# [THINK] [/THINK] #}",
  "GLM 5.3":
    "{% set effort = reasoning_effort if reasoning_effort is defined and reasoning_effort in ['low', 'high'] else 'max' %}" +
    "{% for m in messages %}<|user|>{{ m.content }}{% endfor %}[{{ effort }}]<think>",
  "Kimi K3":
    "{% if thinking is undefined %}{% set thinking = true %}{% endif %}{% if thinking_effort is undefined %}{% set thinking_effort = 'max' %}{% endif %}" +
    "{% if thinking and thinking_effort not in ['low', 'high', 'max'] %}{{ raise_exception('effort') }}{% endif %}" +
    "{% for m in messages %}<|user|>{{ m.content }}{% endfor %}[{{ thinking_effort if thinking else 'off' }}]{{ '<think>' if thinking else '<think></think>' }}",
  "North Mini Code":
    "{% set reasoning = reasoning if reasoning is not undefined else (false if reasoning_effort is defined and reasoning_effort | lower == 'none' else true) %}" +
    "{% for m in messages %}<|USER_TOKEN|>{{ m.content }}{% endfor %}[{{ 'on' if reasoning else 'off' }}]{# <|START_THINKING|> #}",
  "Solar Open 2":
    "{% set effort = reasoning_effort if reasoning_effort is defined else 'high' %}{% for m in messages %}<|user|>{{ m.content }}{% endfor %}" +
    "[{{ effort }}]<think>{{ '</think>' if effort in ['low', 'minimal'] }}",
  "capital words":
    "{% set effort = reasoning_effort if reasoning_effort is defined and reasoning_effort in ['Low', 'High', 'xHigh'] else 'Low' %}" +
    "{% for m in messages %}{{ m.content }}{% endfor %}[{{ effort }}]<think>",
  "capital words, none too":
    "{% set effort = reasoning_effort or 'High' %}{% if effort not in ['None', 'Low', 'High'] %}{{ raise_exception('effort') }}{% endif %}" +
    "{% for m in messages %}{{ m.content }}{% endfor %}[{{ effort }}]<think>{{ '</think>' if effort == 'None' }}",
  "any word": "{% for m in messages %}{{ m.content }}{% endfor %}[{{ reasoning_effort }}]<think>",
} as const;
type Name = keyof typeof TEMPLATES;

test.each<[Name, Record<string, string>]>([
  [
    "Hunyuan 3",
    { none: "no_think", minimal: "low", low: "low", medium: "high", high: "high", xhigh: "high" },
  ],
  ["Mistral Small 4", { none: "none", high: "high" }],
  ["GLM 5.3", { low: "low", medium: "high", high: "high", xhigh: "max", max: "max" }],
  ["Kimi K3", { none: "off", minimal: "low", medium: "high", xhigh: "max" }],
  ["North Mini Code", { none: "off", minimal: "on", high: "on" }],
  ["Solar Open 2", { minimal: "minimal", medium: "high", max: "high" }],
  ["capital words", { minimal: "Low", medium: "High", high: "High", max: "xHigh" }],
  ["capital words, none too", { none: "None", minimal: "Low", medium: "High", high: "High" }],
  ["any word", { minimal: "minimal", medium: "medium", max: "max" }],
])("%s: %j", async (name, words) => {
  const template = { source: TEMPLATES[name], bos: "", eos: "", engineAddsBos: false };
  const app = await testApp({ reply: () => ["Hi"], template });
  const shown = async (body: object, path: string): Promise<string> => {
    const { prompt } = await (await app.post(`${path}/render`, { model: plain.id, ...body })).json();
    return /\[(\w+)\](?:<think>.*)?$/s.exec(prompt)![1]!;
  };
  for (const [effort, word] of Object.entries(words)) {
    expect(await shown({ messages, reasoning_effort: effort }, CHAT)).toBe(word);
    expect(await shown({ input: "Hi", reasoning: { effort } }, "/v1/responses")).toBe(word);
  }
});

test("enable_thinking switches a template whose words have capitals", async () => {
  const template = { source: TEMPLATES["capital words, none too"], bos: "", eos: "", engineAddsBos: false };
  const app = await testApp({ template });
  const body = { model: plain.id, messages, chat_template_kwargs: { enable_thinking: false } };
  const { prompt } = await (await app.post(`${CHAT}/render`, body)).json();
  expect(prompt).toMatch(/\[None\]<think><\/think>$/);
});

test("enable_thinking switches a template that has efforts only, and its own words stay", async () => {
  const template = { source: TEMPLATES["Hunyuan 3"], bos: "", eos: "", engineAddsBos: false };
  const app = await testApp({ reply: () => ["Hm.</think>Hi"], template });
  const promptOf = async (chat_template_kwargs: object): Promise<string> =>
    (await (await app.post(`${CHAT}/render`, { model: plain.id, messages, chat_template_kwargs })).json())
      .prompt;
  expect(await promptOf({ enable_thinking: false })).toMatch(/\[no_think\]<think><\/think>$/);
  expect(await promptOf({ enable_thinking: true })).toMatch(/\[high\]<think>$/);
  expect(await promptOf({ reasoning_effort: "low" })).toMatch(/\[low\]<think>$/);
  const body = { model: plain.id, messages, reasoning_effort: "low" };
  const { choices } = await (await app.post(CHAT, body)).json();
  expect(choices[0].message).toMatchObject({ content: "Hi", reasoning_content: "Hm." });
});

/** RWKV 7's, with the tag of a thought that the model completes. */
const RWKV =
  "{% for m in messages %}{{ m.role | capitalize }}: {{ m.content }}\n\n{% endfor %}Assistant: " +
  "{{ '<think\\n</think>' if enable_thinking is defined and not enable_thinking else '<think' }}";

test.each([
  [RWKV, {}, "Assistant: <think", "Hm. 2 > 1."],
  [RWKV, { reasoning_effort: "none" }, "Assistant: <think\n</think>", undefined],
  [`${RWKV.split("{{ '<think")[0]}<think{# <think> #}`, {}, "Assistant: <think", "Hm. 2 > 1."],
  [
    `${RWKV.split("{{ '<think")[0]}<think{# <think> #}`,
    { reasoning_effort: "none" },
    "Assistant: <think>\n\n</think>\n\n",
    undefined,
  ],
  [`${RWKV.split("{{ '<think")[0]}<think></think`, {}, "Assistant: <think></think>\n", undefined],
])("a tag whose end is left to the model: %s, %j", async (source, body, end, thought) => {
  const template = { source, bos: "", eos: "", engineAddsBos: false };
  const reply = thought === undefined ? "Hi > all" : `>\n${thought}\n</think>\nHi > all`;
  for (const size of [1, 3, 100]) {
    const pieces = reply.match(new RegExp(`[\\s\\S]{1,${size}}`, "g"))!;
    const app = await testApp({ reply: () => pieces, template });
    const { prompt, reasoning_format } = await (
      await app.post(`${CHAT}/render`, { model: plain.id, messages, ...body })
    ).json();
    expect(prompt.slice(prompt.indexOf("Assistant: "))).toBe(end);
    expect(reasoning_format).toBe("<think>");
    const { choices } = await (await app.post(CHAT, { model: plain.id, messages, ...body })).json();
    expect(choices[0].message.content).toBe("Hi > all");
    expect(choices[0].message.reasoning_content).toBe(thought);
  }
});
