/**
 * The newest AI SDK, LangChain and Agents SDK, which `npm install` installs. They need Node 22, so that older ones are
 * development dependencies.
 */

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testApp } from "../support/test-app.ts";
import { EmptyFolder } from "./support/empty-folder.ts";

const PACKAGES = {
  ai: "7.0.173",
  "@ai-sdk/openai": "4.0.118",
  "@ai-sdk/openai-compatible": "3.0.92",
  "@langchain/openai": "1.6.0",
  "@langchain/core": "1.4.0",
  "@openai/agents": "0.20.0",
  openai: "7.59.0",
  zod: "4.6.7",
};
const model = "infetch-tiny";
const call = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n</tool_call>';
const description = "Get the current weather.";

/** What the tests use of them. */
const MODULE = `
export * as ai from "ai";
export { createOpenAI } from "@ai-sdk/openai";
export { createOpenAICompatible } from "@ai-sdk/openai-compatible";
export { ChatOpenAI } from "@langchain/openai";
export { HumanMessage, ToolMessage } from "@langchain/core/messages";
export * as agents from "@openai/agents";
export { default as OpenAI } from "openai";
export { z } from "zod";
`;

let folder: EmptyFolder;
// biome-ignore lint/suspicious/noExplicitAny: the packages' types are not installed here
let clients: any;

beforeAll(async () => {
  folder = await EmptyFolder.create();
  const names = Object.entries(PACKAGES).map(([name, version]) => `${name}@${version}`);
  await folder.type(["npm install", ...names].join(" "));
  await folder.write({ "clients.mjs": MODULE });
  clients = await import(/* @vite-ignore */ pathToFileURL(join(folder.path, "clients.mjs")).href);
});

afterAll(() => folder.remove());

/** The options of a client of a new runtime, whose model calls a tool first, unless it `answers` at once. */
async function runtime(answer: readonly string[], { answers = false } = {}) {
  let turns = answers ? 1 : 0;
  const { app, apiKey } = await testApp({
    reply: () => (turns++ === 0 ? ["<think>", "hm", "</think>", call] : [...answer]),
  });
  const fetch = (input: string | URL | Request, init?: RequestInit) => app.fetch(new Request(input, init));
  return { apiKey, baseURL: "https://app.test/v1", fetch };
}

test.each(["chat", "responses", "compatible"])("the AI SDK runs tools and streams: %s", async (kind) => {
  const { createOpenAI, createOpenAICompatible, z } = clients;
  const { generateText, streamText, Output, stepCountIs, tool } = clients.ai;
  const modelOf = async (answer: readonly string[], options = {}) => {
    const settings = await runtime(answer, options);
    if (kind === "compatible") return createOpenAICompatible({ name: "infetch", ...settings })(model);
    return createOpenAI(settings)[kind](model);
  };
  const tools = {
    get_weather: tool({
      description,
      inputSchema: z.object({ city: z.string() }),
      execute: async ({ city }: { city: string }) => ({ city, sky: "sunny" }),
    }),
  };
  const stopWhen = stepCountIs(3);
  const openai = { store: false, forceReasoning: true, reasoningEffort: "low" };
  const asked = { prompt: "How is the weather?", tools, stopWhen };
  for (const providerOptions of [{}, { openai }]) {
    const { text, steps } = await generateText({
      model: await modelOf(["Sunny."]),
      ...asked,
      providerOptions,
    });
    expect([text, steps.length]).toEqual(["Sunny.", 2]);
  }
  expect(await streamText({ model: await modelOf(["Sunny."]), ...asked }).text).toBe("Sunny.");
  const object = await generateText({
    model: await modelOf(['{"a":"x"}'], { answers: true }),
    prompt: "Hi",
    output: Output.object({ schema: z.object({ a: z.string() }) }),
  });
  expect(object.output).toEqual({ a: "x" });
});

test.each([false, true])(
  "LangChain calls tools and streams (useResponsesApi: %s)",
  async (useResponsesApi) => {
    const { ChatOpenAI, HumanMessage, ToolMessage } = clients;
    const chatOf = async (answer: readonly string[], options = {}) => {
      const { apiKey, ...configuration } = await runtime(answer, options);
      return new ChatOpenAI({ model, apiKey, configuration, useResponsesApi, zdrEnabled: true });
    };
    const parameters = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
    const definition = { type: "function", function: { name: "get_weather", description, parameters } };
    const chat = (await chatOf(["Sunny."])).bindTools([definition]);
    const question = new HumanMessage("How is the weather?");
    const reply = await chat.invoke([question]);
    expect(reply.tool_calls).toMatchObject([{ name: "get_weather", args: { city: "Rome" } }]);
    const result = new ToolMessage({ content: "sunny", tool_call_id: reply.tool_calls[0].id });
    expect((await chat.invoke([question, reply, result])).text).toBe("Sunny.");
    let streamed = "";
    const stream = await (await chatOf(["It is", " sunny."], { answers: true })).stream("Hi");
    for await (const chunk of stream) streamed += chunk.text;
    expect(streamed).toBe("It is sunny.");
  },
);

test.each(["OpenAIResponsesModel", "OpenAIChatCompletionsModel"])(
  "the Agents SDK runs tools: %s",
  async (name) => {
    const { OpenAI, z } = clients;
    const { Agent, run, setTracingDisabled, tool, [name]: Model } = clients.agents;
    setTracingDisabled(true);
    const execute = async ({ city }: { city: string }) => `Sunny in ${city}.`;
    const parameters = z.object({ city: z.string() });
    const agentOf = async (options = {}) =>
      new Agent({
        name: "Weather",
        instructions: "Answer questions about the weather.",
        model: new Model(new OpenAI(await runtime(["Sunny."], options)), model),
        modelSettings: { store: false },
        tools: [tool({ name: "get_weather", description, parameters, execute })],
      });
    const { finalOutput, history } = await run(await agentOf(), "How is the weather?");
    expect(finalOutput).toBe("Sunny.");
    const next = await run(
      await agentOf({ answers: true }),
      [...history, { role: "user", content: "And now?" }],
      {
        stream: true,
      },
    );
    await next.completed;
    expect(next.finalOutput).toBe("Sunny.");
  },
);
