/** The `openai` package's streams keep only the last piece of a thought, and apps send back what they kept. */

import OpenAI from "openai";
import { expect, test } from "vitest";
import { appWith, messages, tools } from "../../support/template-app.ts";
import { plain } from "../../support/test-app.ts";

const RAW =
  '<think>\nI should look.\n</think>\n\n<tool_call>\n{"name": "weather", "arguments": {"city": "Paris"}}\n</tool_call>';

type Message = OpenAI.ChatCompletionMessage & { reasoning_content?: string };

/** The prompt after a streamed reply with a call, which `change` edits before it is sent back. */
async function promptAfter(change: (message: Message) => Message): Promise<string> {
  const { app, apiKey, engine } = await appWith("thinking", RAW);
  const openai = new OpenAI({
    apiKey,
    baseURL: "https://app.test/v1",
    fetch: (input, init) => app.fetch(new Request(input, init)),
    maxRetries: 0,
  });
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
