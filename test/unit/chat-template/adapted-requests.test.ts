/** Requests that a template refuses, and how they are changed to fit. */

import { expect, test } from "vitest";
import { ChatTemplate } from "../../../worker/chat-template/chat-template.ts";
import type { TemplateMessage } from "../../../worker/chat-template/traits/template-message.ts";

const templateOf = (source: string) => new ChatTemplate({ source, bos: "", eos: "", engineAddsBos: false });
const turn = (role: TemplateMessage["role"], content: string): TemplateMessage => ({ role, content });

/** As Gemma 2 and Mistral write turns, with a system message if `hasSystem`. */
const alternating = (hasSystem: boolean) =>
  `${hasSystem ? "{% if messages[0].role == 'system' %}S:{{ messages[0].content }}|{% set messages = messages[1:] %}{% endif %}" : ""}` +
  "{% for m in messages %}{% if (m.role == 'user') != (loop.index0 % 2 == 0) %}" +
  "{{ raise_exception('Roles must alternate') }}{% endif %}{{ m.role[0] }}:{{ m.content }}|{% endfor %}";

test.each([
  [true, "S:Be kind.|u:|a:Hello|u:Hi|"],
  [false, "u:Be kind.|a:Hello|u:Hi|"],
])("a greeting of the assistant comes first (system messages: %s)", (hasSystem, prompt) => {
  const greeted = [turn("assistant", "Hello"), turn("user", "Hi")];
  const template = templateOf(alternating(hasSystem));
  expect(template.render({ messages: [turn("system", "Be kind."), ...greeted] })).toBe(prompt);
  expect(template.render({ messages: greeted })).toBe("u:|a:Hello|u:Hi|");
});

test("a template that refuses an empty turn gets a word", () => {
  const refusing = alternating(true).replace(
    "{{ m.role[0] }}",
    "{{ m.role[0] if m.content else raise_exception('empty') }}",
  );
  const messages = [turn("assistant", "Hello"), turn("user", "Hi")];
  expect(templateOf(refusing).render({ messages })).toBe("u:Hello.|a:Hello|u:Hi|");
});

test("a template that puts tools into the first message, as Llama 3's does, leaves a greeting to the assistant", () => {
  const source =
    "{% if tools %}u:{{ tools | length }} {{ messages[0].content }}|{% set messages = messages[1:] %}{% endif %}" +
    "{% for m in messages %}{{ m.role[0] }}:{{ m.content }}|{% endfor %}";
  const messages = [turn("assistant", "Hello"), turn("user", "Hi")];
  const tools = [{ type: "function", function: { name: "add", description: "", parameters: {} } }];
  expect(templateOf(source).render({ messages, tools })).toBe("u:1 |a:Hello|u:Hi|");
  expect(templateOf(source).render({ messages })).toBe("a:Hello|u:Hi|");
});

test("a template without roles, as DialoGPT's, gets no turn of the user before a greeting", () => {
  const template = templateOf("{% for m in messages %}{{ m.content }}<end>{% endfor %}");
  expect(template.render({ messages: [turn("assistant", "Hello"), turn("user", "Hi")] })).toBe(
    "Hello<end>Hi<end>",
  );
});

test("a template that takes any order gets the messages as they are", () => {
  const template = templateOf("{% for m in messages %}{{ m.role[0] }}:{{ m.content }}|{% endfor %}");
  expect(template.render({ messages: [turn("assistant", "Hello"), turn("user", "Hi")] })).toBe(
    "a:Hello|u:Hi|",
  );
});

test("a tool without description and parameters has empty ones, if the template joins them", () => {
  const messages = [turn("user", "Hi")];
  const tools = [{ type: "function", function: { name: "f" } }];
  const joins =
    "{% for t in tools %}{{ t.function.name + ': ' + t.function.description }}{{ t.function.parameters.properties }}{% endfor %}{{ messages[0].content }}";
  expect(templateOf(joins).render({ messages, tools })).toBe("f: {}Hi");
  const shows = "{% for t in tools %}{{ t.function | tojson }}{% endfor %}{{ messages[0].content }}";
  expect(templateOf(shows).render({ messages, tools })).toBe('{"name": "f"}Hi');
});

test("parameters without properties have empty ones, if the template goes through them as Seed-OSS's does", () => {
  const messages = [turn("user", "Hi")];
  const parameters = { type: "object", additionalProperties: false };
  const tools = [{ type: "function", function: { name: "f", description: "d", parameters } }];
  const goesThrough =
    "{% for t in tools %}{% for name, one in t.function.parameters.properties.items() %}{{ name }}{% endfor %}" +
    "{{ t.function | tojson }}{% endfor %}{{ messages[0].content }}";
  expect(templateOf(goesThrough).render({ messages, tools })).toBe(
    '{"name": "f", "description": "d", "parameters": {"type": "object", "additionalProperties": false, "properties": {}}}Hi',
  );
});

test("text beside calls joins the thought, where the template ends the turn with it after the results, as Gemma 4's does", () => {
  const source =
    "{% set ns = namespace(open=false) %}{% for m in messages %}{% if m.role != 'tool' %}" +
    "{% set next = messages[loop.index0 + 1] if not loop.last %}{% set ns.open = m.tool_calls and next and next.role == 'tool' %}" +
    "{% if m.role == 'user' or messages[loop.index0 - 1].role == 'user' %}<turn>{{ m.role }} {% endif %}" +
    "{% if m.reasoning_content and m.tool_calls %}({{ m.reasoning_content }}){% endif %}" +
    "{% for c in m.tool_calls %}[{{ c.function.name }} {{ c.function.arguments | tojson }}]{% endfor %}" +
    "{% if ns.open %}[result {{ next.content }}]{% endif %}{{ m.content }}" +
    "{% if not ns.open or m.content %}<end>{% endif %}{% endif %}{% endfor %}" +
    "{% if add_generation_prompt and not ns.open %}<turn>assistant {% endif %}{{ tools | tojson if tools }}";
  const loop = (content: string, reasoning_content?: string): TemplateMessage[] => [
    turn("user", "Hi"),
    {
      ...turn("assistant", content),
      ...(reasoning_content === undefined ? {} : { reasoning_content }),
      tool_calls: [{ id: "a", type: "function", function: { name: "f", arguments: '{"a": 1}' } }],
    },
    { ...turn("tool", "done"), tool_call_id: "a" },
  ];
  const template = templateOf(source);
  const begun = (thought: string) => `<turn>user Hi<end><turn>assistant ${thought}[f {"a": 1}][result done]`;
  expect(template.render({ messages: loop("") })).toBe(begun(""));
  expect(template.render({ messages: loop("I look.") })).toBe(begun("(I look.)"));
  expect(template.render({ messages: loop("I look.", "Hm.") })).toBe(begun("(Hm.\n\nI look.)"));
  expect(template.render({ messages: [turn("user", "Hi"), turn("assistant", "Hello")] })).toContain(
    "assistant Hello<end>",
  );
});

test("types of parameters are other than null, if the template fails on it as Hermes's does", () => {
  const recursive =
    "{% macro typed(one) %}{% if one.type in ['string', 'integer'] %}{{ one.type }}{% elif one.type is iterable %}" +
    "{% for t in one.type %}{{ typed({'type': t}) }} {% endfor %}{% endif %}{% endmacro %}";
  const shows =
    "{% for t in tools %}{% for name, one in t.function.parameters.properties | items %}{{ name }}: {{ typed(one) }};{% endfor %}{% endfor %}{{ messages[0].content }}";
  const properties = {
    name: { type: ["string", "null"] },
    either: { type: ["string", "integer", "null"] },
    type: { type: "integer" },
    none: { type: "null" },
  };
  const parameters = { type: "object", properties };
  const tools = [{ type: "function", function: { name: "f", description: "d", parameters } }];
  const messages = [turn("user", "Hi")];
  expect(templateOf(recursive + shows).render({ messages, tools })).toBe(
    "name: string;either: string integer ;type: integer;none: ;Hi",
  );
  const asIs = "{{ tools[0].function.parameters.properties.name | tojson }}{{ messages[0].content }}";
  expect(templateOf(asIs).render({ messages, tools })).toBe('{"type": ["string", "null"]}Hi');
});

test("a system message alone becomes the user's, where the template would drop or refuse it", () => {
  const messages = [turn("system", "Write a haiku.")];
  // As Gemma 3: joined to the first user turn.
  const joins =
    "{% if messages[0].role == 'system' %}{% set first = messages[0].content ~ ' ' %}{% set messages = messages[1:] %}{% endif %}" +
    "{% for m in messages %}{{ m.role[0] }}:{{ first if loop.first else '' }}{{ m.content }}|{% endfor %}";
  expect(templateOf(joins).render({ messages })).toBe("u:Write a haiku.|");
  expect(templateOf(joins).render({ messages: [...messages, turn("user", "Go")] })).toBe(
    "u:Write a haiku. Go|",
  );
  // As Qwen3.5.
  const refuses =
    "{% if not messages | selectattr('role', 'equalto', 'user') | list %}{{ raise_exception('No user') }}{% endif %}" +
    "{% for m in messages %}{{ m.role[0] }}:{{ m.content }}|{% endfor %}";
  expect(templateOf(refuses).render({ messages })).toBe("u:Write a haiku.|");
  expect(
    templateOf("{% for m in messages %}{{ m.role[0] }}:{{ m.content }}|{% endfor %}").render({ messages }),
  ).toBe("s:Write a haiku.|");
});

test("an assistant turn without text gets a word, where the template refuses an empty one", () => {
  const source =
    "{% for m in messages %}{% if m.role == 'assistant' and not m.content and not m.tool_calls %}" +
    "{{ raise_exception('empty') }}{% endif %}{{ m.role[0] }}:{{ m.content }}|{% endfor %}";
  const messages = [turn("user", "Hi"), turn("assistant", ""), turn("user", "Well?")];
  expect(templateOf(source).render({ messages })).toBe("u:Hi|a:OK.|u:Well?|");
});

// The fields of LFM2.5, MiniCPM and Solar, and Ministral 3's parts of the content.
test.each([
  ["reasoning_content", "{% if m.reasoning_content %}<{{ m.reasoning_content }}>{% endif %}{{ m.content }}"],
  ["thinking", "{% if m.thinking %}<{{ m.thinking }}>{% endif %}{{ m.content }}"],
  ["thought", "{% if m.thought %}<{{ m.thought }}>{% endif %}{{ m.content }}"],
  ["reasoning", "{% if m.reasoning %}<{{ m.reasoning }}>{% endif %}{{ m.content }}"],
  [
    "parts",
    "{% if m.content is string %}{{ m.content }}{% else %}{% for p in m.content %}" +
      "{{ '<' ~ p.thinking ~ '>' if p.type == 'thinking' else p.text }}{% endfor %}{% endif %}",
  ],
])("an earlier thought reaches a template that reads it as %s", (_, body) => {
  const template = templateOf(`{% for m in messages %}{{ m.role[0] }}:${body}|{% endfor %}`);
  const messages = [turn("user", "Hi"), { ...turn("assistant", "Hello"), reasoning_content: "A greeting." }];
  expect(template.render({ messages })).toBe("u:Hi|a:<A greeting.>Hello|");
  expect(template.render({ messages: [turn("user", "Hi"), turn("assistant", "Hello")] })).toBe(
    "u:Hi|a:Hello|",
  );
});

test("a template that writes parts it does not know as JSON gets no thoughts", () => {
  const source =
    "{% for m in messages %}{{ m.content if m.content is string else m.content | tojson }}|{% endfor %}";
  const messages = [turn("user", "Hi"), { ...turn("assistant", "Hello"), reasoning_content: "A greeting." }];
  expect(templateOf(source).render({ messages })).toBe("Hi|Hello|");
});

test.each([
  ["Granite 3.3", "<think>", "<response>"],
  ["Hunyuan", "<think>", "<answer>"],
  ["MiniCPM", "<|thought_start|>", undefined],
])("how %s thinks and answers is read from its template", (_, open, answer) => {
  const close = open.replace("<think>", "</think>").replace("_start", "_end");
  const source = `{{ 'Write in ${open} ${close}${answer ? ` ${answer} ${answer.replace("<", "</")}` : ""}' }}{{ messages[-1].content }}`;
  expect(templateOf(source).reasoning).toEqual({
    open,
    close,
    isDefault: true,
    ...(answer ? { answer: { open: answer, close: answer.replace("<", "</") } } : {}),
  });
});

test("a template that asks only whether tools are defined, as Phi-4-mini's in llama.cpp, has none without tools", () => {
  const source =
    "{% if tools is defined %}{% for t in tools %}T:{{ t.function.name }}|{% endfor %}{% endif %}" +
    "{% for m in messages %}{{ m.role[0] }}:{{ m.content }}|{% endfor %}";
  const messages = [turn("user", "Hi")];
  const tools = [{ type: "function", function: { name: "f" } }];
  expect(templateOf(source).render({ messages })).toBe("u:Hi|");
  expect(templateOf(source).render({ messages, tools })).toBe("T:f|u:Hi|");
});

test("a template that goes through tools only beside documents, as Command R7B's, has none without tools", () => {
  const source =
    "{% if tools or documents %}{% for t in tools %}T:{{ t.function.name }}|{% endfor %}{% endif %}" +
    "{% for d in documents or [] %}D:{{ d.text }}|{% endfor %}{% for m in messages %}{{ m.content }}{% endfor %}";
  const variables = { documents: [{ title: "A", text: "one" }] };
  expect(templateOf(source).render({ messages: [turn("user", "Hi")], variables })).toBe("D:one|Hi");
});

test("a template that reads tools in the system message, as Phi-4-mini's own, gets their text there", () => {
  const source =
    "{% for m in messages %}<{{ m.role }}>{{ m.content }}" +
    "{% if 'tools' in m and m['tools'] is not none %}{{ '[T]' + m['tools'] }}{% endif %}{% endfor %}";
  const tools = [
    { type: "function", function: { name: "f", parameters: { type: "object", properties: {} } } },
  ];
  const text = '[T][{"name": "f", "parameters": {"type": "object", "properties": {}}}]';
  const template = templateOf(source);
  expect(template.traits(true).hasTools).toBe(true);
  const messages = [turn("user", "Hi")];
  expect(template.render({ messages, tools })).toBe(`<system>${text}<user>Hi`);
  expect(template.render({ messages: [turn("system", "Be brief."), ...messages], tools })).toBe(
    `<system>Be brief.${text}<user>Hi`,
  );
  expect(template.render({ messages })).toBe("<user>Hi");
});

test("no call is lost to a template that writes the first one of a message only, as GigaChat 3's", () => {
  const source =
    "{% for m in messages %}{{ m.role[0] }}:{{ m.content }}" +
    "{% if m.tool_calls %}{{ m.tool_calls[0].function.arguments | tojson }}{% endif %}|{% endfor %}";
  const call = (id: string, text: string) =>
    ({ id, type: "function", function: { name: "f", arguments: text } }) as const;
  const result = (id: string): TemplateMessage => ({ role: "tool", content: id, tool_call_id: id });
  const calls = [call("one", '{"a": 1}'), call("two", '{"a": 2}')];
  const messages = [
    turn("user", "Hi"),
    { ...turn("assistant", ""), tool_calls: calls },
    result("one"),
    result("two"),
  ];
  expect(templateOf(source).render({ messages })).toBe('u:Hi|a:{"a": 1}|t:one|a:{"a": 2}|t:two|');
});

test.each([
  ["drops calls beside text, as llama.cpp's template of DeepSeek R1 does", ""],
  ["refuses them", "{{ raise_exception('either text or calls') }}"],
])("text before calls is a message of its own, where a template %s", (_, beside) => {
  const template = templateOf(
    "{% for m in messages %}{{ m.role[0] }}:{% if m.content %}{{ m.content }}" +
      `{% if m.tool_calls %}${beside}{% endif %}{% else %}` +
      "{% for c in m.tool_calls %}{{ c.function.arguments | tojson }}{% endfor %}{% endif %}|{% endfor %}",
  );
  const call = (id: string, text: string) =>
    ({ id, type: "function", function: { name: "f", arguments: text } }) as const;
  const messages = [
    turn("user", "Hi"),
    { ...turn("assistant", "Look."), tool_calls: [call("one", '{"a": 1}'), call("two", '{"a": 2}')] },
    { role: "tool" as const, content: "3", tool_call_id: "one" },
    { ...turn("assistant", ""), tool_calls: [call("three", "{}")] },
  ];
  expect(template.render({ messages })).toBe('u:Hi|a:Look.|a:{"a": 1}{"a": 2}|t:3|a:{}|');
});

test("the user's text is one part with two languages, where the template reads it so, as TranslateGemma's", () => {
  const template = templateOf(
    "{% for m in messages %}{% if m.role == 'user' %}" +
      "{% if m.content | length != 1 %}{{ raise_exception('User role must provide one item.') }}{% endif %}" +
      "{% set part = m.content[0] %}{% set languages = {'de-DE': 'German', 'en': 'English'} %}" +
      "{{ languages[part.source_lang_code] + ' to ' + languages[part.target_lang_code] + ': ' + part.text }}|" +
      "{% else %}{{ m.content | trim if m.content is string else raise_exception('not a string') }}|{% endif %}{% endfor %}",
  );
  const messages = [turn("user", "Yes"), turn("assistant", "Ja"), turn("user", "No")];
  const variables = { source_lang_code: "en", target_lang_code: "de-DE" };
  expect(template.render({ messages, variables })).toBe("English to German: Yes|Ja|English to German: No|");
  expect(() => template.render({ messages, variables: { source_lang_code: "en" } })).toThrow(
    "'chat_template_kwargs.target_lang_code' must be the code of a language",
  );
});

/** As Gemma 4's first template. */
const RESULTS_IN_CALLS =
  "{% for m in messages %}<{{ m.role }}>" +
  "{% for c in m.tool_calls %}{{ c.function.name }}({{ c.function.arguments | tojson }}){% endfor %}" +
  "{% for r in m.tool_responses %}{{ r.name }}={{ r.response }}{% endfor %}{{ m.content }}" +
  "{% if m.content or not m.tool_responses %}<end>{% endif %}{% endfor %}";

test.each([
  ["the results of two calls", "", [], '<assistant>f({"a": 1})g({})f=Onef=Twog=Three'],
  [
    "text before the calls and an answer",
    "Wait.",
    [turn("assistant", "Done."), turn("assistant", "Well."), turn("user", "Hi")],
    '<assistant>Wait.<end><assistant>f({"a": 1})g({})f=Onef=Twog=ThreeDone.<end><assistant>Well.<end><user>Hi<end>',
  ],
])("results join their calls, where the template reads them there: %s", (_, content, after, prompt) => {
  const called = (id: string, name: string, args: string) =>
    ({ id, type: "function", function: { name, arguments: args } }) as const;
  const calls = [called("1", "f", '{"a": 1}'), called("2", "g", "{}")];
  const messages: TemplateMessage[] = [
    turn("user", "Call"),
    { ...turn("assistant", content), tool_calls: calls },
    { ...turn("tool", "One"), tool_call_id: "1" },
    { ...turn("tool", "Two"), tool_call_id: "1" },
    { ...turn("tool", "Three"), tool_call_id: "2", name: "g" },
    ...after,
  ];
  expect(templateOf(RESULTS_IN_CALLS).render({ messages })).toBe(`<user>Call<end>${prompt}`);
});

test("results stay messages of their own in a template that reads them so, too", () => {
  const both = RESULTS_IN_CALLS.replace(
    "<{{ m.role }}>",
    "{{ '<result>' if m.role == 'tool' else '<' ~ m.role ~ '>' }}",
  );
  const call = { id: "1", type: "function", function: { name: "f", arguments: "{}" } } as const;
  const messages: TemplateMessage[] = [
    turn("user", "Call"),
    { ...turn("assistant", ""), tool_calls: [call] },
    { ...turn("tool", "One"), tool_call_id: "1" },
  ];
  expect(templateOf(both).render({ messages })).toBe("<user>Call<end><assistant>f({})<end><result>One<end>");
});
