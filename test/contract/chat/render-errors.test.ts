/** `…/render` refuses what the request itself is refused for, in the same words. */

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { plain, testApp } from "../../support/test-app.ts";

const folder = resolve(import.meta.dirname, "../../fixtures/chat-templates");
const templateOf = (name: string) => ({
  source: name === "xml" ? XML : readFileSync(resolve(folder, `${name}.jinja`), "utf8"),
  bos: "<s>",
  eos: "</s>",
  engineAddsBos: true,
});

/** Writes arguments as XML. */
const XML = `{% if tools %}{{ tools | tojson }} <tool_call><function=name><parameter=key>{% endif %}
{% for message in messages %}<|im_start|>{{ message.role }}
{{ message.content }}<|im_end|>
{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant
{% endif %}`;

interface Bad {
  what: string;
  /** @default "tagged" */
  template?: string;
  engine?: "llamacpp";
  /** Beside the model and the message "Hi"; functions in place of tools, which the endpoints nest differently. */
  fields: { functions?: object[] } & Record<string, unknown>;
  /** What the refusal names. */
  param: string;
  /** Of its message. */
  says?: string;
}

const weather = { name: "weather", parameters: { type: "object", properties: { city: { type: "string" } } } };

/** Within the budget as JSON, beyond it as the XML that the model writes. */
const names = Array.from({ length: 1000 }, (_, at) => `p${at}`);
const parameters = {
  type: "object",
  properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
  required: names,
  additionalProperties: false,
};
const large = Array.from({ length: 23 }, (_, at) => ({ name: `f${at}`, parameters }));

const BAD: Bad[] = [
  { what: "no such model", fields: { model: "nope" }, param: "model" },
  { what: "an embedding model", fields: { model: "infetch-tiny-embed" }, param: "model" },
  { what: "a value out of range", fields: { temperature: 3 }, param: "temperature" },
  { what: "a token that the model lacks", fields: { logit_bias: { 1000: 1 } }, param: "logit_bias" },
  { what: "a stop token that it lacks", fields: { stop_token_ids: [1000] }, param: "stop_token_ids" },
  { what: "what its engine lacks", engine: "llamacpp", fields: { min_tokens: 2 }, param: "min_tokens" },
  { what: "a bad name", fields: { functions: [{ name: "no name" }] }, param: "tools[0]" },
  { what: "a name twice", fields: { functions: [weather, weather] }, param: "tools[1]" },
  { what: "a choice without tools", fields: { tool_choice: "required" }, param: "tool_choice" },
  { what: "tools without a format", template: "plain", fields: { functions: [weather] }, param: "tools" },
  {
    what: "calls without a format",
    template: "plain",
    fields: { functions: [weather], tool_choice: "required" },
    param: "tools",
  },
  {
    what: "tools beyond the budget",
    template: "xml",
    fields: { functions: large },
    param: "tools",
    says: "too complex",
  },
];

const CHAT: Bad[] = [
  ...BAD,
  { what: "too long a reply", fields: { max_tokens: 5000 }, param: "messages" },
  { what: "a model that cannot think", fields: { reasoning_effort: "low" }, param: "reasoning_effort" },
  {
    what: "messages that the template refuses",
    template: "named",
    fields: { messages: [{ role: "user", content: "" }] },
    param: "messages",
  },
  {
    what: "a bad schema",
    fields: { response_format: { type: "json_schema", json_schema: { name: "n", schema: { type: "x" } } } },
    param: "response_format",
  },
  { what: "a bad pattern", fields: { structured_outputs: { regex: "(" } }, param: "structured_outputs" },
];

const RESPONSES: Bad[] = [
  ...BAD,
  { what: "too long a reply", fields: { max_output_tokens: 5000 }, param: "input" },
  { what: "a model that cannot think", fields: { reasoning: { effort: "low" } }, param: "reasoning.effort" },
  { what: "no summary", fields: { reasoning: { summary: "auto" } }, param: "reasoning.summary" },
  { what: "a stored response", fields: { store: true }, param: "store" },
  {
    what: "an item that is not known",
    fields: { input: [{ type: "item_reference", id: "msg_0" }] },
    param: "input[0].id",
  },
];

async function expectAlike(
  path: string,
  { template = "tagged", engine, param, says = "" }: Bad,
  body: object,
) {
  const app = await testApp({ template: templateOf(template), ...(engine ? { engine } : {}) });
  const ask = async (to: string) => {
    const response = await app.post(to, { model: plain.id, ...body });
    return { status: response.status, body: await response.json() };
  };
  // First: it loads the model, too.
  const rendered = await ask(`${path}/render`);
  expect(rendered.body.error?.param).toContain(param);
  expect(rendered.body.error.message).toContain(says);
  expect(rendered).toEqual(await ask(path));
  expect(app.engine.requests).toEqual([]);
}

test.each(CHAT)("chat: $what", async (bad) => {
  const { functions, ...fields } = bad.fields;
  const tools = functions?.map((one) => ({ type: "function", function: one }));
  const messages = [{ role: "user", content: "Hi" }];
  await expectAlike("/v1/chat/completions", bad, { messages, tools, ...fields });
});

test.each(RESPONSES)("responses: $what", async (bad) => {
  const { functions, ...fields } = bad.fields;
  const tools = functions?.map((one) => ({ type: "function", strict: false, ...one }));
  await expectAlike("/v1/responses", bad, { input: "Hi", tools, ...fields });
});
