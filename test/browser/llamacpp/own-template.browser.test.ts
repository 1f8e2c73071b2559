/** GGUF files with templates that the library has never met: prompts, tool formats, thoughts and sampling follow them. */

import type { Runtime } from "infetch";
import { afterAll, beforeAll, expect, test } from "vitest";
import fixtures from "../../fixtures/chat-templates/rendered.json";
import { asSent } from "../../support/sent-message.ts";
import { post } from "../support/runtime.ts";
import { chat, deploy, startGgufRuntime } from "./support/gguf-runtime.ts";

let runtime: Runtime;

beforeAll(async () => {
  runtime = await startGgufRuntime();
});
afterAll(() => runtime.close());

const rendered: Record<string, Record<string, { text?: string; error?: string }>> = fixtures.rendered;

type Scenario = { messages: object[]; tools?: object[] };

async function render(model: string, body: object) {
  const response = await post(runtime, "/chat/completions/render", { model, ...body });
  return { status: response.status, body: await response.json() };
}

test.each([
  ["tagged", "hermes", null],
  ["thinking", "hermes", "<think>"],
  ["header", "llama", null],
] as const)("%s renders as Jinja2 does", async (name, toolFormat, reasoningFormat) => {
  const model = await deploy(runtime, `${name}.gguf`);
  for (const [scenario, { messages, tools }] of Object.entries<Scenario>(fixtures.scenarios)) {
    const { body } = await render(model, { messages: messages.map(asSent), ...(tools ? { tools } : {}) });
    const { text } = rendered[name]![scenario]!;
    // It refuses several calls at once: the prompt then has them in its tool format.
    if (text === undefined) continue;
    expect(body, scenario).toMatchObject({
      // The fixture's BOS token is `<s>`, that of the file is another.
      prompt: text.replace(/^<s>/, "<|endoftext|>"),
      tool_format: tools ? toolFormat : null,
      reasoning_format: reasoningFormat,
    });
  }
});

test("the rendered prompt has as many tokens as the engine feeds", async () => {
  const messages = [{ role: "user", content: "What is the capital of Japan?" }];
  const { body } = await render("tagged", { messages });
  const reply = await (await chat(runtime, "tagged", { max_tokens: 1 })).json();
  expect(body.prompt_tokens).toBe(reply.usage.prompt_tokens);
});

test.each(["tagged", "header"])(
  "%s: calls in its format, where they must be made and where they may",
  async (name) => {
    const tool = (of: string) => ({
      type: "function",
      function: {
        name: of,
        parameters: { type: "object", properties: { city: { enum: ["Paris", "Rome"] } } },
      },
    });
    const ask = async (choice: string) => {
      const more = { tools: [tool("get"), tool("get_weather")], tool_choice: choice, max_tokens: 200 };
      const response = await chat(runtime, name, more);
      expect(response.status).toBe(200);
      return (await response.json()).choices[0];
    };
    const made = await ask("required");
    expect(made.finish_reason).toBe("tool_calls");
    const { name: called, arguments: json } = made.message.tool_calls[0].function;
    expect(["get", "get_weather"]).toContain(called);
    expect(JSON.parse(json)).toBeTypeOf("object");
    expect(["stop", "length", "tool_calls"]).toContain((await ask("auto")).finish_reason);
  },
);

test.each(["parameters", "escaped"])(
  "%s: arguments of plain text have the types of their schema",
  async (file) => {
    const model = await deploy(runtime, `${file}.gguf`);
    const properties = {
      days: { type: ["integer", "null"] },
      unit: { enum: ["celsius", 5] },
      // Last in both orders: of the schema and, where the template sorts, of the names.
      zone: { type: "string" },
    };
    const parameters = { type: "object", properties, required: Object.keys(properties) };
    const more = {
      tools: [{ type: "function", function: { name: "get", parameters } }],
      tool_choice: "required",
    };
    const response = await chat(runtime, model, { ...more, max_tokens: 120, ignore_eos: true });
    expect(response.status).toBe(200);
    const [{ message }] = (await response.json()).choices;
    expect(message.content).toBeNull();
    const { name, arguments: json } = message.tool_calls[0].function;
    expect(name).toBe("get");
    // The text goes on to the limit, or ends before it.
    expect(json).toMatch(/^\{"days": (null|-?\d+), "unit": ("celsius"|5)/);
  },
);

test("a reply that was cut in its thought goes on there", async () => {
  const model = "thinking";
  const messages = [
    { role: "user", content: "What is the capital of Japan?" },
    { role: "assistant", content: "", reasoning_content: "They ask for a city, " },
  ];
  const request = { messages, continue_final_message: true };
  const { body } = await render(model, request);
  expect(body.prompt.endsWith("<|im_start|>assistant\n<think>\nThey ask for a city, ")).toBe(true);
  const more = { model, ...request, max_tokens: 4, ignore_eos: true, temperature: 0 };
  const response = await post(runtime, "/chat/completions", more);
  expect(response.status).toBe(200);
  const { choices, usage } = await response.json();
  expect(usage.prompt_tokens).toBe(body.prompt_tokens);
  expect(choices[0].message.content).toBe("");
  expect(choices[0].message.reasoning_content).toBeTypeOf("string");
  expect(choices[0].message.reasoning_content).not.toContain("They ask");
});

test("a publisher's sampling applies where a deployment says so", async () => {
  const file = "advised.gguf";
  await runtime.deployments.create({
    name: "as-advised",
    model: "acme/infetch-tiny-GGUF",
    file,
    samplingDefaults: "model",
  });
  const ask = async (model: string, seed: number) => {
    const messages = [{ role: "user", content: "Tell me a story." }];
    const body = { model, messages, temperature: 2, max_tokens: 24, seed };
    const response = await post(runtime, "/chat/completions", body);
    return (await response.json()).choices[0].message.content;
  };
  const plain = await deploy(runtime, file);
  const seeds = [1, 2, 3];
  const [advised, free] = [new Set(), new Set()];
  for (const seed of seeds) {
    advised.add(await ask("as-advised", seed));
    free.add(await ask(plain, seed));
  }
  expect(advised.size).toBe(1);
  expect(free.size).toBeGreaterThan(1);
  const shown = await runtime.fetch(`${runtime.baseURL}/models/as-advised`, {
    headers: { authorization: `Bearer ${runtime.apiKey}` },
  });
  expect((await shown.json()).infetch.recommended_sampling).toEqual({ top_k: 1 });
});
