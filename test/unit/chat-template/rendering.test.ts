/** Templates render as with Jinja2; `test/fixtures/chat-templates/render.py` wrote the expected texts. */

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { ChatTemplate } from "../../../worker/chat-template/chat-template.ts";
import type { TemplateMessage } from "../../../worker/chat-template/traits/template-message.ts";
import { recogniseToolFormat } from "../../../worker/tools/formats/recognise.ts";

const folder = resolve(import.meta.dirname, "../../fixtures/chat-templates");
const sourceOf = (name: string): string => readFileSync(resolve(folder, `${name}.jinja`), "utf8");
const templateOf = (name: string, engineAddsBos = false): ChatTemplate =>
  new ChatTemplate({ source: sourceOf(name), bos: "<s>", eos: "</s>", engineAddsBos });

interface Expected {
  text?: string;
  error?: string;
}
const { scenarios, rendered } = JSON.parse(readFileSync(resolve(folder, "rendered.json"), "utf8")) as {
  scenarios: Record<string, { messages: never[]; tools?: object[] }>;
  rendered: Record<string, Record<string, Expected>>;
};

describe.each(Object.entries(rendered))("%s", (name, cases) => {
  // It leaves calls and results out, which we do not: see below.
  const isSame = ([scenario, { text }]: [string, Expected]): boolean =>
    // What a template refuses is changed to fit: two calls at once become one after the other.
    text !== undefined && (name !== "plain" || scenarios[scenario]!.tools === undefined);
  test.each(Object.entries(cases).filter(isSame))("%s", (scenario, expected) => {
    const render = () => templateOf(name).render(scenarios[scenario]!);
    expect(render()).toBe(expected.text);
  });
});

test("a BOS token that the engine adds is not in the prompt", () => {
  const messages = [{ role: "user" as const, content: "Hi" }];
  expect(templateOf("listed", true).render({ messages })).toBe(
    "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n",
  );
});

test.each([
  ["tagged", "hermes"],
  ["thinking", "hermes"],
  ["alternating", "mistral"],
  ["header", "llama"],
  ["listed", "lfm2"],
  ["named", "mistral-named"],
  ["first-system", "hermes"],
  ["plain", undefined],
])("the tool format of %s is %s", (name, format) => {
  expect(recogniseToolFormat(sourceOf(name))?.name).toBe(format);
});

describe("what templates do not support is rendered in another way", () => {
  test("roles that must alternate: neighbours are merged; ids of nine characters", () => {
    const prompt = templateOf("alternating").render({
      messages: [
        { role: "user", content: "One" },
        { role: "user", content: "Two" },
        {
          role: "assistant",
          content: "",
          tool_calls: [
            { id: "call_0123456789abcdef", type: "function", function: { name: "f", arguments: '{"a": 1}' } },
          ],
        },
        { role: "tool", tool_call_id: "call_0123456789abcdef", content: "done" },
      ],
      tools: [{ type: "function", function: { name: "f", parameters: {} } }],
    });
    const [, id] = /"id": "(\w{9})"/.exec(prompt)!;
    expect(prompt).toContain("[INST]One\n\nTwo[/INST]");
    expect(prompt).toContain(`[TOOL_RESULTS]{"content": done, "call_id": "${id}"}[/TOOL_RESULTS]`);
  });

  test("calls and results that are left out are text", () => {
    const messages = [
      { role: "user" as const, content: "Hi" },
      {
        role: "assistant" as const,
        content: "Look:",
        tool_calls: [{ id: "a", type: "function" as const, function: { name: "f", arguments: "{}" } }],
      },
      { role: "tool" as const, tool_call_id: "a", content: "done" },
    ];
    const prompt = templateOf("plain").render({ messages }, (calls) => `CALL ${calls[0]?.function.name}`);
    expect(prompt).toBe(
      "<|user|>\nHi<|end|>\n<|assistant|>\nLook:\nCALL f<|end|>\n" +
        "<|user|>\n<tool_response>\ndone\n</tool_response><|end|>\n<|assistant|>\n",
    );
  });

  test("results of parallel calls are one user turn, as in Qwen's templates", () => {
    const result = (content: string) => ({ role: "tool" as const, tool_call_id: "a", content });
    const messages = [user("Hi"), CALL, result("one"), result("two"), assistant("Well"), result("three")];
    expect(templateOf("plain").render({ messages }, () => "CALL")).toBe(
      "<|user|>\nHi<|end|>\n<|assistant|>\nCALL<|end|>\n" +
        "<|user|>\n<tool_response>\none\n</tool_response>\n<tool_response>\ntwo\n</tool_response><|end|>\n" +
        "<|assistant|>\nWell<|end|>\n" +
        "<|user|>\n<tool_response>\nthree\n</tool_response><|end|>\n<|assistant|>\n",
    );
  });
});

const user = (content: string) => ({ role: "user" as const, content });
const assistant = (content: string) => ({ role: "assistant" as const, content });
const system = (content: string) => ({ role: "system" as const, content });
const TOOLS = [{ type: "function", function: { name: "f", parameters: {} } }];
const CALL = {
  role: "assistant" as const,
  content: "",
  tool_calls: [{ id: "abcdefghi", type: "function" as const, function: { name: "f", arguments: "{}" } }],
};
const RESULT = { role: "tool" as const, tool_call_id: "abcdefghi", name: "f", content: "done" };

describe("messages that a template refuses or leaves out where they are", () => {
  /** The same conversation in the order that the template takes. */
  const cases: [what: string, given: TemplateMessage[], expected: TemplateMessage[]][] = [
    [
      "a later system message is part of the user turn behind it",
      [system("One"), user("Hi"), assistant("Hello"), system("Two"), system("Three"), user("Go")],
      [system("One"), user("Hi"), assistant("Hello"), user("Two\n\nThree\n\nGo")],
    ],
    [
      "a system message at the end is part of the user turn before it",
      [system("One"), user("Hi"), system("Two")],
      [system("One"), user("Hi\n\nTwo")],
    ],
    [
      "a system message between replies is a user turn",
      [user("Hi"), assistant("Hello"), system("Two"), assistant("Yes")],
      [user("Hi"), assistant("Hello"), user("Two"), assistant("Yes")],
    ],
  ];
  describe.each(["alternating", "named", "first-system"])("%s", (name) => {
    test.each(cases)("%s", (_, given, expected) => {
      expect(templateOf(name).render({ messages: given })).toBe(
        templateOf(name).render({ messages: expected }),
      );
    });

    test("nothing is lost", () => {
      const messages = [system("s1"), user("u1"), CALL, RESULT, system("s2"), user("u2"), assistant("a1")];
      const prompt = templateOf(name).render({ messages: [...messages, system("s3")], tools: TOOLS });
      for (const text of ["s1", "u1", "done", "s2", "u2", "a1", "s3"]) expect(prompt).toContain(text);
    });
  });

  test.each([
    ["alternating", ""],
    ["named", "OK."],
  ])("%s: between a result and a user turn is the reply %j", (name, reply) => {
    const render = (messages: TemplateMessage[]) => templateOf(name).render({ messages, tools: TOOLS });
    const before = [user("Hi"), CALL, RESULT];
    const after = [user("Stop"), assistant("Yes"), user("Thanks")];
    expect(render([...before, ...after])).toBe(render([...before, assistant(reply), ...after]));
    expect(render([user("Hi"), CALL, user("Stop")])).toBe(
      render([user("Hi"), CALL, assistant(reply), user("Stop")]),
    );
  });

  test("text before calls is part of the next reply where calls do not count as turns", () => {
    const render = (messages: TemplateMessage[]) => templateOf("named").render({ messages, tools: TOOLS });
    expect(render([user("Hi"), assistant("Wait"), CALL, RESULT, assistant("Done"), user("Thanks")])).toBe(
      render([user("Hi"), CALL, RESULT, assistant("Wait\n\nDone"), user("Thanks")]),
    );
  });

  test("a template that writes the last system message only gets one", () => {
    const source =
      "{% set ns = namespace() %}{% for m in messages %}{% if m.role == 'system' %}{% set ns.s = m.content %}" +
      "{% endif %}{% endfor %}{{ ns.s }}{% for m in messages if m.role != 'system' %}|{{ m.content }}{% endfor %}";
    const template = new ChatTemplate({ source, bos: "", eos: "", engineAddsBos: false });
    const messages = [system("One"), user("Hi"), assistant("Hello"), system("Two"), user("Go")];
    expect(template.render({ messages })).toBe("One|Hi|Hello|Two\n\nGo");
  });

  test("a system message that is rendered beside the last turn only stays in tool loops", () => {
    const prompt = templateOf("alternating").render({
      messages: [system("One"), user("Hi"), CALL, RESULT],
      tools: TOOLS,
    });
    expect(prompt).toContain("[INST]One\n\nHi[/INST][TOOL_CALLS]");
  });

  test.each(["tagged", "thinking", "header", "listed", "plain"])("%s renders them as they are", (name) => {
    const traits = templateOf(name).traits(false);
    expect([traits.hasLaterSystem, traits.keepsSystemInToolLoop, traits.replyAfterResult]).toEqual([
      true,
      true,
      undefined,
    ]);
  });
});

test("how a model thinks is read from its template", () => {
  expect(templateOf("thinking").reasoning).toEqual({
    open: "<think>",
    close: "</think>",
    switch: { type: "variable", name: "enable_thinking", on: true, off: false },
    isDefault: true,
  });
  expect(templateOf("tagged").reasoning).toBeUndefined();
});

test("a thought that EXAONE's template opens is read", () => {
  const source =
    "{% for m in messages %}[|{{ m.role }}|]{{ m.content.split('</thought>')[-1] }}\n{% endfor %}" +
    "{% if add_generation_prompt %}[|assistant|]<thought>\n{% endif %}";
  const { reasoning } = new ChatTemplate({ source, bos: "", eos: "", engineAddsBos: false });
  expect(reasoning).toEqual({ open: "<thought>", close: "</thought>", isDefault: true });
});

test("a result that a template writes only beside its call, as Gemma 4's, stays one", () => {
  const source =
    "{% for m in messages %}{% if m.role != 'tool' %}{{ m.role }}: {{ m.content }}" +
    "{% for c in m.tool_calls %}{{ c.function.name }}{{ c.function.arguments | tojson }}" +
    "{% for r in messages if r.role == 'tool' and r.tool_call_id == c.id %} -> {{ r.content }}{% endfor %}{% endfor %};" +
    "{% endif %}{% endfor %}";
  const template = new ChatTemplate({ source, bos: "", eos: "", engineAddsBos: false });
  expect(template.render({ messages: [user("Hi"), CALL, RESULT], tools: TOOLS })).toBe(
    "user: Hi;assistant: f{} -> done;",
  );
});

test("arguments are JSON text where a template would write an object as Python does", () => {
  const source =
    "{% for m in messages %}[{{ m.role }}]{{ m.content }}{% for c in m.tool_calls %}{{ c.function.name }}" +
    "{{ c.function.arguments }}{% endfor %}{% endfor %}";
  const template = new ChatTemplate({ source, bos: "", eos: "", engineAddsBos: false });
  const call = {
    id: "a",
    type: "function" as const,
    function: { name: "f", arguments: '{"a": [true, "x"]}' },
  };
  const messages = [
    { role: "user" as const, content: "Hi" },
    { role: "assistant" as const, content: "", tool_calls: [call] },
    { role: "tool" as const, content: "done", tool_call_id: "a" },
  ];
  expect(template.render({ messages })).toBe('[user]Hi[assistant]f{"a": [true, "x"]}[tool]done');
});

test("a template that reads lists of parts only gets each text as a part", () => {
  const source =
    "{% for message in messages %}{{ message.role | capitalize }}:" +
    "{% for part in message.content %}{% if part.type == 'text' %} {{ part.text }}{% endif %}{% endfor %}{{ '\\n' }}" +
    "{% endfor %}{% if add_generation_prompt %}Assistant:{% endif %}";
  const template = new ChatTemplate({ source, bos: "", eos: "", engineAddsBos: false });
  const messages = [
    { role: "system", content: "Be brief." },
    { role: "user", content: "Hi" },
  ] as const;
  expect(template.render({ messages })).toBe("System: Be brief.\nUser: Hi\nAssistant:");
  expect(template.traits(false).hasSystem).toBe(true);
});

test("a long conversation renders with a template that searches all messages for each message, as Gemma 4's does", () => {
  const source =
    "{% for message in messages %}{% set before = namespace(role='none', found=false) %}" +
    "{% if message.role != 'tool' %}{% for at in range(loop.index0 - 1, -1, -1) %}{% if not before.found %}" +
    "{% if messages[at].role != 'tool' %}{% set before.role = messages[at].role %}{% set before.found = true %}" +
    "{% endif %}{% endif %}{% endfor %}{{ message.role }} after {{ before.role }}{% if message.tool_calls %}" +
    "{% for call in message.tool_calls %}{{ call.function.arguments | tojson }}{% endfor %}" +
    "{% set scan = namespace(goes=true) %}{% for at in range(loop.index0 + 1, messages | length) %}" +
    "{% if scan.goes %}{% if messages[at].role == 'tool' %}: {{ messages[at].content }}" +
    "{% else %}{% set scan.goes = false %}{% endif %}{% endif %}{% endfor %}{% endif %};{% endif %}{% endfor %}";
  const template = new ChatTemplate({ source, bos: "", eos: "", engineAddsBos: false });
  const messages: TemplateMessage[] = [{ role: "user", content: "Go" }];
  for (let at = 0; at < 450; at++) {
    const call = { id: `call_${at}`, type: "function" as const, function: { name: "f", arguments: "{}" } };
    messages.push(
      { role: "assistant", content: "", tool_calls: [call] },
      { role: "tool", content: `${at}`, tool_call_id: call.id },
    );
  }
  const prompt = template.render({ messages });
  expect(prompt.startsWith("user after none;assistant after user{}: 0;assistant after assistant{}: 1;")).toBe(
    true,
  );
  expect(prompt.endsWith("assistant after assistant{}: 449;")).toBe(true);
});

test("a template that adds each tool to one text renders the most tools that a request may have", () => {
  const source = `{% set all = namespace(text="") %}{% for tool in tools %}{% set all.text = all.text + (tool | tojson) %}
{% if not loop.last %}{% set all.text = all.text + ", " %}{% endif %}{% endfor %}[{{ all.text }}]`;
  const tools = Array.from({ length: 128 }, (_, at) => ({
    type: "function" as const,
    function: { name: `f${at}`, description: "long ".repeat(300) },
  }));
  const template = new ChatTemplate({ source, bos: "", eos: "", engineAddsBos: false });
  const text = template.render({ messages: [{ role: "user", content: "Hi" }], tools } as never);
  expect(JSON.parse(text)).toEqual(tools);
});
