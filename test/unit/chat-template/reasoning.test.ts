/** Markers of thoughts and answers, from a template to the reader of its model's replies. */

import { expect, test } from "vitest";
import { promptByTemplate } from "../../../worker/generation/rendering/prompt-by-template.ts";
import { ReplyCache } from "../../../worker/prompt/reply-cache.ts";
import { ReasoningReader } from "../../../worker/reply/reasoning-reader.ts";

const COMMAND =
  "{% for m in messages %}<|START_OF_TURN_TOKEN|>{{ m.role }}{% if m.role == 'assistant' %}" +
  "<|START_RESPONSE|>{{ m.content }}<|END_RESPONSE|>{% else %}{{ m.content }}{% endif %}<|END_OF_TURN_TOKEN|>{% endfor %}" +
  "<|CHATBOT_TOKEN|>{% if thinking is defined and not thinking %}<|START_THINKING|><|END_THINKING|>{% endif %}";
const GEMMA4 =
  "{% for m in messages %}<|turn>{{ m.role }}\n{{ m.content.split('<channel|>')[-1] }}<turn|>\n{% endfor %}<|turn>model\n" +
  "{% if not enable_thinking %}<|channel>thought\n<channel|>{% endif %}";

const SOLAR =
  "{% for m in messages %}<|begin|>{{ m.role }}{{ '<|think|>' ~ m.reasoning ~ '<|end|><|begin|>assistant' if m.reasoning }}" +
  "{{ '<|tool_response:result|>' if m.role == 'tool' else '<|content|>' }}{{ m.content }}<|end|>{% endfor %}<|begin|>assistant";
const GRANITE32 =
  "{% if thinking %}Begin with 'Here is my thought process:', then 'Here is my response:'.{% endif %}{% for m in messages %}" +
  "<|start_of_role|>{{ m.role }}<|end_of_role|>{{ m.content }}{% endfor %}<|start_of_role|>assistant<|end_of_role|>";
const APRIEL =
  "<|system|>\nReason step by step, then write [BEGIN FINAL RESPONSE] ... [END FINAL RESPONSE].\n<|end|>\n" +
  "{% for m in messages %}<|{{ m.role }}|>\n{{ m.content }}\n<|end|>\n{% endfor %}<|assistant|>\n";

/** A template with tags of its own around a thought. */
const ownTags = (open: string, close: string) =>
  `{% for m in messages %}<[{{ m.role }}]>{% if m.reasoning %}${open}\n{{ m.reasoning }}\n${close}\n{% endif %}` +
  "{{ m.content }}<[end]>{% endfor %}{% if add_generation_prompt %}<[assistant]>{% endif %}";

const OWN_TAGS_OF_EVERY_REPLY =
  "{% for m in messages %}<[{{ m.role }}]>{% if m.role == 'assistant' %}<[musing]>{{ m.reasoning if m.reasoning }}<[musing_end]>{% endif %}" +
  "{{ m.content }}<[end]>{% endfor %}{% if add_generation_prompt %}<[assistant]>{% endif %}";

const KIMI_K3 =
  "{% macro open_tag(tag, attrs=[]) %}{{ '<|open|>' + tag }}{% for a in attrs %}{{ ' ' + a[0] + '=\"' + a[1]|string + '\"' }}{% endfor %}{{ '<|sep|>' }}{% endmacro %}" +
  "{% macro close_tag(tag) %}{{ '<|close|>' + tag + '<|sep|>' }}{% endmacro %}" +
  "{% for m in messages %}{{ open_tag('message', [('role', m.role)]) }}{% if m.role == 'assistant' %}{{ open_tag('response') }}{{ m.content }}{{ close_tag('response') }}" +
  "{% else %}{{ m.content }}{% endif %}{{ close_tag('message') }}<|end_of_msg|>{% endfor %}{{ open_tag('message', [('role', 'assistant')]) }}" +
  "{{ open_tag('think') if false }}";

test.each<[name: string, source: string, markers: object, reply: string, reasoning: string, text: string]>([
  [
    "Command R7B's answer stands between markers",
    COMMAND,
    { answer: { open: "<|START_RESPONSE|>", close: "<|END_RESPONSE|>" } },
    "<|START_THINKING|>Hm.<|END_THINKING|><|START_RESPONSE|>Hi<|END_RESPONSE|>",
    "Hm.",
    "Hi",
  ],
  [
    "Command R7B's answer without a thought too",
    COMMAND,
    { open: "<|START_THINKING|>" },
    "<|START_RESPONSE|>Hi<|END_RESPONSE|>",
    "",
    "Hi",
  ],
  [
    "Command's newer models name their answer a text",
    COMMAND.replaceAll("RESPONSE", "TEXT"),
    { answer: { open: "<|START_TEXT|>", close: "<|END_TEXT|>" } },
    "<|START_THINKING|>Hm.<|END_THINKING|><|START_TEXT|>Hi<|END_TEXT|>",
    "Hm.",
    "Hi",
  ],
  [
    "Solar's thoughts and answers are messages",
    SOLAR,
    { answer: { open: "<|content|>", close: "<|end|>" } },
    "<|think|>Hm.<|end|><|begin|>assistant<|content|>Hi<|end|>",
    "Hm.",
    "Hi",
  ],
  [
    "Hunyuan 3's template builds its tags",
    "{% set end = '</think{}>'.format(':opensource') %}{% for m in messages %}[{{ m.role }}]{{ m.content.split(end)[-1] }}{% endfor %}",
    { open: "<think:opensource>", close: "</think:opensource>" },
    "<think:opensource>Hm.</think:opensource>Hi",
    "Hm.",
    "Hi",
  ],
  [
    "Hunyuan 4's too",
    "{% set end = '</think{}>'.format(':6124c78e') %}{% for m in messages %}[{{ m.role }}]{{ m.content.split(end)[-1] }}{% endfor %}",
    { open: "<think:6124c78e>", close: "</think:6124c78e>" },
    "<think:6124c78e>Hm.</think:6124c78e>Hi",
    "Hm.",
    "Hi",
  ],
  [
    "Kimi K3's answer and message end with tokens",
    KIMI_K3,
    {
      answer: {
        open: "<|open|>response<|sep|>",
        close: "<|close|>response<|sep|>",
        end: "<|close|>message<|sep|>",
      },
    },
    "<|open|>think<|sep|>Hm.<|close|>think<|sep|><|open|>response<|sep|>Hi<|close|>response<|sep|><|close|>message<|sep|>",
    "Hm.",
    "Hi",
  ],
  [
    "MiniMax M3's thoughts",
    "{% set end = '</mm:think>' %}{% for m in messages %}[{{ m.role }}]{{ m.content.split(end)[-1] }}{% endfor %}",
    { open: "<mm:think>", close: "</mm:think>" },
    "<mm:think>Hm.</mm:think>Hi",
    "Hm.",
    "Hi",
  ],
  [
    "openPangu Embedded's template has no marker of thoughts",
    "{% for m in messages %}{{ '[unused9]' ~ m.role ~ '：' ~ m.content ~ '[unused10]' }}{% endfor %}[unused9]助手：",
    { open: "[unused16]", close: "[unused17]" },
    "[unused16]Hm.[unused17]Hi",
    "Hm.",
    "Hi",
  ],
  ["Solar's answer without a thought", SOLAR, {}, "<|content|>Hi<|end|>", "", "Hi"],
  [
    "Granite 3.2 writes words in place of tokens",
    GRANITE32,
    { open: "Here is my thought process:" },
    "Here is my thought process:\nHm.\n\nHere is my response:\nHi",
    "Hm.",
    "Hi",
  ],
  [
    "Granite 3.2 shortens these words",
    GRANITE32,
    { variants: [{ open: "Here's my thought process:" }] },
    "Here's my thought process: Here is it.\nHere's my response:\nHi",
    " Here is it.",
    "Hi",
  ],
  [
    "Granite 3.2 does not think",
    GRANITE32,
    {},
    "Here's my answer: Here is my response:",
    "",
    "Here's my answer: Here is my response:",
  ],
  [
    "Cogito's template has a switch, but no marker",
    "{% if enable_thinking %}Think deeply first. {% endif %}{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}",
    { open: "<think>", close: "</think>" },
    "<think>\nHm.\n</think>\n\nHi",
    "Hm.",
    "Hi",
  ],
  [
    "Apriel's thought ends where its answer begins",
    APRIEL,
    { answer: { open: "", close: "[END FINAL RESPONSE]" } },
    "Here are my reasoning steps:\nHm.\n[BEGIN FINAL RESPONSE]\nHi\n[END FINAL RESPONSE]\n",
    "Hm.",
    "Hi",
  ],
  [
    "Gemma 4 thinks again later",
    GEMMA4,
    { close: "<channel|>", channel: "<|channel>" },
    "<|channel>thought\nHm<channel|>Hi<|channel>thought\n<channel|>",
    "Hm",
    "Hi",
  ],
  ...(
    [
      ["unknown tags around a thought are found by rendering one", "<[musing]>", "<[musing_end]>"],
      ["a thought that opens as Solar's may end otherwise", "<|think|>", "<|say|>"],
      ["it may end with the first tag of Solar's end", "<|think|>", "<|end|>"],
    ] as const
  ).map(([name, open, close]): [string, string, object, string, string, string] => [
    name,
    ownTags(open, close),
    { open, close },
    `${open}\nHm.\n${close}\nHi`,
    "Hm.",
    "Hi",
  ]),
  [
    "an empty thought may be written too",
    OWN_TAGS_OF_EVERY_REPLY,
    { open: "<[musing]>", close: "<[musing_end]>" },
    "<[musing]>Hm.<[musing_end]>Hi",
    "Hm.",
    "Hi",
  ],
  [
    "the answer's opening tag may end an unknown thought",
    ownTags("<[musing]>", "<response>").replace("<[end]>", "{{ '</response>' if m.reasoning }}<[end]>"),
    { open: "<[musing]>", close: "<response>", answer: { open: "", close: "</response>" } },
    "<[musing]>\nHm.\n<response>\nHi</response>",
    "Hm.",
    "Hi",
  ],
])("%s", (_, source, markers, reply, reasoning, text) => {
  for (const wanted of ["default", "off"] as const) {
    const read = promptOf(source, wanted).reasoning;
    expect(read).toMatchObject(markers);
    const reader = new ReasoningReader(read);
    const pieces = [...[...reply].flatMap((piece) => [...reader.push(piece)]), ...reader.flush()];
    const of = (kind: string): string =>
      pieces.map((piece) => (piece.kind === kind ? piece.text : "")).join("");
    expect([of("reasoning"), of("text")]).toEqual([reasoning, text]);
  }
});

test.each([
  [
    "tags of every reply",
    "{% for m in messages %}<{{ m.role }}>{{ m.thinking }}<sep>{{ m.content }}<end>{% endfor %}",
  ],
  [
    "brackets around a message as JSON",
    "{% for m in messages %}[{{ m | tojson }}]{{ m.content }}{% endfor %}",
  ],
  ["tags that end every message", ownTags("<[musing]>", "<[end]>")],
])("%s are no markers of thoughts", (_, source) => {
  expect(promptOf(source, "default").reasoning).toBeUndefined();
});

const TURNS =
  "{% for m in messages %}<{{ m.role }}>{{ m.content.split('</think>')[-1] }}{% endfor %}<assistant>";
const CLOSED = "<think>\n\n</think>\n\n";

test.each([
  ["show_reasoning", `${TURNS}{% if show_reasoning is defined and not show_reasoning %}${CLOSED}{% endif %}`],
  ["skip_reasoning", `${TURNS}{% if skip_reasoning %}${CLOSED}{% endif %}`],
  [
    "thinking_hidden",
    `${TURNS}{{ '<think>\n' if not thinking_hidden else '${CLOSED.replaceAll("\n", "\\n")}' }}`,
  ],
  [
    "skip_reasoning",
    `${TURNS}{% if force_reasoning %}<think>\n{% elif skip_reasoning %}${CLOSED}{% endif %}`,
  ],
  ["no_think", `{% if no_think %}Answer at once.{% endif %}${TURNS}`],
])("thinking is turned off by the template's own variable '%s'", (name, source) => {
  expect(promptOf(source, "off").prompt).toMatch(name === "no_think" ? /^Answer at once/ : /<\/think>\n\n$/);
  expect(promptOf(source, "default").prompt).not.toContain("</think>");
  expect(promptOf(source, "default").mayThink).toBe(true);
  expect(promptOf(source, "off").mayThink).toBe(false);
});

test("variables that change no prompt, or are no switches, are left alone", () => {
  const source = `{% set reasons = true %}{% if keep_reasoning and reasoning_level %}{% endif %}${TURNS}<think>\n`;
  const { prompt } = promptOf(source, "off");
  expect(prompt).toBe(`<user>Hi<assistant>${CLOSED}`);
});

test("a variable whose text is written is no switch", () => {
  const source = `{{ 'Think in ' ~ (thinking_language or 'English') ~ '. ' }}${TURNS}<think>\n`;
  expect(promptOf(source, "off").prompt).toBe(`Think in English. <user>Hi<assistant>${CLOSED}`);
  expect(promptOf(source, "default").mayThink).toBe(true);
  expect(promptOf(source, "on").prompt).toMatch(/^Think in English/);
});

test("efforts may have a variable of another name", () => {
  const source =
    "{% if thinking_level in ['low', 'high'] %}Effort: {{ thinking_level }}. {% endif %}" +
    `${TURNS}<think>\n`;
  const withEffort = (effort: string) => promptOf(source, "default", { reasoning_effort: effort }).prompt;
  expect(withEffort("high")).toMatch(/^Effort: high\. /);
  expect(withEffort("minimal")).toMatch(/^Effort: low\. /);
  expect(promptOf(source, "default").prompt).toMatch(/^<user>/);
});

function promptOf(source: string, reasoning: "default" | "on" | "off", templateVariables = {}) {
  const chat = {
    messages: [{ role: "user", text: "Hi" }],
    tools: [],
    toolChoice: { mode: "auto" },
    reasoning,
    templateVariables,
  };
  const template = { source, bos: "", eos: "", engineAddsBos: false };
  return promptByTemplate(chat as never, template, {
    model: { id: "m" } as never,
    replies: new ReplyCache(),
    promptParam: "messages",
  });
}
