/** Apps send back the message that the `openai` package accumulates from a stream, with the last piece of a thought. */

import OpenAI from "openai";
import { expect, test } from "vitest";
import { appWith, messages, tools } from "../../support/template-app.ts";
import { plain, type TestApp, testApp } from "../../support/test-app.ts";

const RAW =
  '<think>\nI should look.\n</think>\n\n<tool_call>\n{"name": "weather", "arguments": {"city": "Paris"}}\n</tool_call>';

type Message = OpenAI.ChatCompletionMessage & { reasoning_content?: string };

function clientOf({ app, apiKey }: Pick<TestApp, "app" | "apiKey">): OpenAI {
  return new OpenAI({
    apiKey,
    baseURL: "https://app.test/v1",
    fetch: (input, init) => app.fetch(new Request(input, init)),
    maxRetries: 0,
  });
}

/** The prompt after a streamed reply with a call, which `change` edits before it is sent back. */
async function promptAfter(change: (message: Message) => Message): Promise<string> {
  const served = await appWith("thinking", RAW);
  const { engine } = served;
  const openai = clientOf(served);
  const sent = { model: plain.id, tools } as { model: string; tools: OpenAI.ChatCompletionTool[] };
  const history = messages as OpenAI.ChatCompletionMessageParam[];
  const message = await openai.chat.completions.stream({ ...sent, messages: history }).finalMessage();
  const [call] = message.tool_calls!;
  const next: OpenAI.ChatCompletionMessageParam[] = [
    ...history,
    change(message),
    { role: "tool", tool_call_id: call!.id, content: "Sunny" },
  ];
  await openai.chat.completions.stream({ ...sent, messages: next }).finalMessage();
  return String(engine.requests[1]?.prompt);
}

test("a message that the package accumulated continues with the whole thought", async () => {
  let kept: string | undefined;
  const prompt = await promptAfter((message) => {
    kept = message.reasoning_content;
    return message;
  });
  expect(kept).not.toBe("I should look.");
  expect("I should look.".endsWith(kept!)).toBe(true);
  expect(prompt).toContain("<think>\nI should look.\n</think>");
});

test("a thought that the client changed is the client's", async () => {
  const prompt = await promptAfter((message) => ({ ...message, reasoning_content: "I must look" }));
  expect(prompt).toContain("<think>\nI must look\n</think>");
});

test("a reply that is only a thought, whose text the package says is null, is taken back", async () => {
  const served = await testApp({ reply: () => ["<think>", "Hm", "m"] });
  const openai = clientOf(served);
  const history: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "Hi" }];
  const sent = { model: "infetch-tiny", reasoning_effort: "low", max_completion_tokens: 3 } as const;
  const kept = await openai.chat.completions.stream({ ...sent, messages: history }).finalMessage();
  expect(kept.content).toBeNull();
  await openai.chat.completions.create({ ...sent, messages: [...history, kept, ...history] });
  const [, first] = served.engine.requests.map(({ prompt }) => String(prompt));
  const answered = { role: "assistant", content: "", reasoning: "m" };
  await served.post("/v1/chat/completions", { ...sent, messages: [...history, answered, ...history] });
  expect(first).toBe(served.engine.requests[2]?.prompt);
});
