/** Requests that a template refuses, and how they are changed to fit. */

import { expect, test } from "vitest";
import { ChatTemplate } from "../../../worker/chat-template/chat-template.ts";
import type { TemplateMessage } from "../../../worker/chat-template/template-message.ts";

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
