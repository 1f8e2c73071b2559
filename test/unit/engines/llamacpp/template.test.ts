import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { exportGguf } from "../../../../models/gguf/llama-gguf.ts";
import { ChatTemplate } from "../../../../worker/chat-template/chat-template.ts";
import { readTemplate } from "../../../../worker/engines/llamacpp/template.ts";
import { conversationTemplate } from "../../../../worker/engines/webllm/single/raw-conversation.ts";
import { type GgufValue, parseMetadata } from "../../../../worker/model-store/gguf/metadata.ts";

type Role = "system" | "user" | "assistant" | "tool";

const metadataOf = (template?: string): Map<string, GgufValue> =>
  new Map<string, GgufValue>([
    ["tokenizer.ggml.tokens", ["<s>", "</s>"]],
    ["tokenizer.ggml.bos_token_id", 0],
    ["tokenizer.ggml.eos_token_id", 1],
    ...(template === undefined ? [] : [["tokenizer.chat_template", template] as const]),
  ]);
const prompt = (template: string | undefined, turns: [Role, string][]): string =>
  new ChatTemplate(readTemplate(metadataOf(template), true)).render({
    messages: turns.map(([role, content]) => ({ role, content })),
  });
const TALK: [Role, string][] = [
  ["system", "Be brief."],
  ["user", "Hi"],
  ["assistant", "Hello"],
  ["user", "Bye"],
];

test("infetch-tiny has the same template in both of its builds", async () => {
  const folder = resolve(import.meta.dirname, "../../../../models/tiny-chat");
  const { values } = parseMetadata(await exportGguf(folder, "q8_0"));
  const config = JSON.parse(await readFile(resolve(folder, "tokenizer_config.json"), "utf8"));
  expect(readTemplate(values, false).source).toBe(config.chat_template);
});

test.each([
  ["chatml", "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n"],
  ["rwkv-world", "System: Be brief.\n\nUser: Hi\n\nAssistant: Hello\n\nUser: Bye\n\nAssistant:"],
])("a file may name %s, a template of llama.cpp's", (name, end) => {
  expect(prompt(name, name === "chatml" ? [["user", "Hi"]] : TALK)).toBe(end);
});

test("an empty template is none: that for tools is used, or ChatML", () => {
  const turn = "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n";
  expect(prompt("", [["user", "Hi"]])).toBe(turn);
  expect(prompt(" \n", [["user", "Hi"]])).toBe(turn);
  const tools = "{% for m in messages %}[{{ m.content }}]{% endfor %}";
  const metadata = metadataOf().set("tokenizer.chat_template.tool_use", tools);
  const template = new ChatTemplate(readTemplate(metadata, true));
  expect(template.render({ messages: [{ role: "user", content: "Hi" }] })).toBe("[Hi]");
});

/** Chat templates as published with their models, reduced to the constructs used below. */
const LLAMA3 =
  "{{ bos_token }}{% if messages[0].role == 'system' %}{% set system = messages[0].content %}{% set messages = messages[1:] %}" +
  "{% else %}{% set system = '' %}{% endif %}{{ '<|start_header_id|>system<|end_header_id|>\\n\\nToday Date: 26 Jul 2024\\n\\n' + system + '<|eot_id|>' }}" +
  "{% for m in messages %}{% if m.role == 'tool' %}{{ '<|start_header_id|>ipython<|end_header_id|>\\n\\n' + m.content | tojson + '<|eot_id|>' }}" +
  "{% else %}{{ '<|start_header_id|>' + m.role + '<|end_header_id|>\\n\\n' + m.content + '<|eot_id|>' }}{% endif %}{% endfor %}" +
  "{% if add_generation_prompt %}{{ '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}{% endif %}";
const GEMMA =
  "{{ bos_token }}{% if messages[0].role == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}{% for m in messages %}" +
  "{{ '<start_of_turn>' + ('model' if m.role == 'assistant' else m.role) + '\\n' + m.content + '<end_of_turn>\\n' }}{% endfor %}" +
  "{% if add_generation_prompt %}{{ '<start_of_turn>model\\n' }}{% endif %}";
const MISTRAL =
  "{{ bos_token }}{% for m in messages %}{% if m.role == 'user' %}{{ '[INST] ' + m.content + ' [/INST]' }}" +
  "{% elif m.role == 'assistant' %}{{ ' ' + m.content + eos_token }}{% endif %}{% endfor %}";
const QWEN25 =
  "{% if messages[0].role == 'system' %}{{ '<|im_start|>system\\n' + messages[0].content + '<|im_end|>\\n' }}{% else %}" +
  "{{ '<|im_start|>system\\nYou are Qwen.<|im_end|>\\n' }}{% endif %}{% for m in messages %}{% if m.role != 'system' or not loop.first %}" +
  "{% if m.role == 'tool' %}{{ '<|im_start|>user\\n<tool_response>\\n' + m.content + '\\n</tool_response><|im_end|>\\n' }}" +
  "{% else %}{{ '<|im_start|>' + m.role + '\\n' + m.content + '<|im_end|>\\n' }}{% endif %}{% endif %}{% endfor %}" +
  "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}";

test.each([
  [
    "Llama 3",
    LLAMA3,
    "<|start_header_id|>system<|end_header_id|>\n\nToday Date: 26 Jul 2024\n\nBe brief.<|eot_id|>" +
      "<|start_header_id|>user<|end_header_id|>\n\nHi<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\nHello<|eot_id|>" +
      "<|start_header_id|>user<|end_header_id|>\n\nBye<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n",
  ],
  [
    "Gemma, which has no system messages",
    GEMMA,
    "<start_of_turn>user\nBe brief.\n\nHi<end_of_turn>\n<start_of_turn>model\nHello<end_of_turn>\n" +
      "<start_of_turn>user\nBye<end_of_turn>\n<start_of_turn>model\n",
  ],
  [
    "Mistral, which leaves system messages out",
    MISTRAL,
    "[INST] Be brief.\n\nHi [/INST] Hello</s>[INST] Bye [/INST]",
  ],
  [
    "Qwen 2.5",
    QWEN25,
    "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\nHello<|im_end|>\n" +
      "<|im_start|>user\nBye<|im_end|>\n<|im_start|>assistant\n",
  ],
  [
    "none at all: ChatML",
    undefined,
    "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\nHello<|im_end|>\n" +
      "<|im_start|>user\nBye<|im_end|>\n<|im_start|>assistant\n",
  ],
])("a conversation in the template of %s", (_, template, expected) => {
  expect(prompt(template, TALK)).toBe(expected);
});

/** SmolLM2: the token that begins each turn is its BOS. */
const SMOLLM2 =
  "{% for m in messages %}{% if loop.first and m.role != 'system' %}{{ '<|im_start|>system\\nYou help.<|im_end|>\\n' }}{% endif %}" +
  "{{ '<|im_start|>' + m.role + '\\n' + m.content + '<|im_end|>\\n' }}{% endfor %}" +
  "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}";

test.each([
  [false, "<|im_start|>system\nBe brief."],
  // llama.cpp adds it.
  [true, "system\nBe brief."],
])("a BOS token that begins turns is dropped only where it is added again (%s)", (addsBos, beginning) => {
  const metadata = metadataOf(SMOLLM2).set("tokenizer.ggml.tokens", ["<|im_start|>", "<|im_end|>"]);
  const template = new ChatTemplate(readTemplate(metadata, addsBos));
  const messages = TALK.map(([role, content]) => ({ role, content }));
  expect(template.render({ messages })).toBe(
    `${beginning}<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\nHello<|im_end|>\n` +
      "<|im_start|>user\nBye<|im_end|>\n<|im_start|>assistant\n",
  );
  expect(template.render({ messages: messages.slice(1, 2) })).toContain("system\nYou help.<|im_end|>\n");
});

test("a template that ends finished conversations with EOS, as Phi's, is read without it", () => {
  const phi =
    "{% for m in messages %}{{ '<|' + m.role + '|>\\n' + m.content + '<|end|>\\n' }}{% endfor %}" +
    "{% if add_generation_prompt %}{{ '<|assistant|>\\n' }}{% else %}{{ eos_token }}{% endif %}";
  expect(prompt(phi, TALK)).toBe(
    "<|system|>\nBe brief.<|end|>\n<|user|>\nHi<|end|>\n<|assistant|>\nHello<|end|>\n<|user|>\nBye<|end|>\n<|assistant|>\n",
  );
});

test("a template's own system message stands where a conversation has none", () => {
  expect(prompt(QWEN25, [["user", "Hi"]])).toBe(
    "<|im_start|>system\nYou are Qwen.<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n",
  );
  expect(prompt(LLAMA3, [["user", "Hi"]])).toContain("Today Date: 26 Jul 2024\n\n<|eot_id|>");
  expect(prompt(GEMMA, [["user", "Hi"]])).toBe(
    "<start_of_turn>user\nHi<end_of_turn>\n<start_of_turn>model\n",
  );
});

test("a template that does not show the messages is refused", () => {
  for (const template of ["Hello", "{{ messages[1].content }}", "{% broken"]) {
    expect(() => readTemplate(metadataOf(template), true)).toThrow(
      expect.objectContaining({
        code: "model_load_failed",
        message: expect.stringContaining("chat template"),
      }),
    );
  }
});

test.each([
  ["loops in loops", "{% for a in range(99999) %}".repeat(4) + "{% endfor %}".repeat(4)],
  [
    "loops over a list in a variable",
    `{% set r = range(9999) %}${"{% for a in r %}".repeat(4)}${"{% endfor %}".repeat(4)}`,
  ],
  ["a list without end", "{% for a in range(999999999999) %}{% endfor %}"],
  [
    "a text that doubles",
    "{% set n = namespace(t='ab') %}{% for a in range(60) %}{% set n.t = n.t ~ n.t %}{% endfor %}{{ n.t }}",
  ],
  [
    "a list that doubles",
    "{% set n = namespace(x=[1]) %}{% for a in range(40) %}{% set n.x = [n.x, n.x] %}{% endfor %}{{ n.x }}",
  ],
  [
    "a mapping that doubles",
    "{% set n = namespace(x={}) %}{% for a in range(40) %}{% set n.x = {'a': n.x, 'b': n.x} %}{% endfor %}{{ n.x | tojson }}",
  ],
  [
    "namespaces in namespaces",
    `{% set n0 = namespace() %}${Array.from({ length: 40 }, (_, at) => `{% set n${at + 1} = namespace(a=n${at}, b=n${at}) %}`).join("")}{{ n40 | tojson }}`,
  ],
  ["an indentation of gigabytes", "{{ 'a\nb' | indent(500000000) }}"],
  [
    "replacements that multiply",
    "{% set n = namespace(t='a') %}{% for a in range(15) %}{% set n.t = n.t ~ n.t %}{% endfor %}{{ n.t | replace('a', n.t) }}",
  ],
  [
    "replacements that multiply, by the method",
    "{% set n = namespace(t='a') %}{% for a in range(15) %}{% set n.t = n.t ~ n.t %}{% endfor %}{{ n.t.replace('a', n.t) }}",
  ],
  [
    "a separator that multiplies",
    "{% set n = namespace(t='a') %}{% for a in range(15) %}{% set n.t = n.t ~ n.t %}{% endfor %}{{ range(9999) | join(n.t) }}",
  ],
  ["a macro that calls itself", "{% macro m() %}{{ m() }}{{ m() }}{% endmacro %}{{ m() }}"],
  ["brackets in brackets", `{{ ${"(".repeat(100_000)}1${")".repeat(100_000)} }}`],
  ["conditions in conditions", "{% if true %}".repeat(20_000) + "{% endif %}".repeat(20_000)],
  ["a megabyte of text", "a".repeat(1_000_000)],
])("a template with %s is an error that says so", (_, template) => {
  const source = `${template}{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}`;
  expect(() => readTemplate(metadataOf(source), true)).toThrow(
    expect.objectContaining({
      code: "model_load_failed",
      message: expect.stringMatching(/^The model's chat template cannot be used: .+\.$/),
    }),
  );
});

test("an MLC build that only names its template is refused by name", () => {
  expect(() => conversationTemplate({ conv_template: "llama-2" })).toThrow(
    expect.objectContaining({ code: "model_load_failed", message: expect.stringContaining("newer build") }),
  );
});
