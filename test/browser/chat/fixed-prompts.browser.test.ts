/**
 * Ten prompts at temperature 0. The replies are a fixture and change only with the weights. To update it:
 * `npx vitest run --project chromium test/browser/chat/fixed-prompts -u`
 */

import { expect, test } from "vitest";
import { startRuntime } from "../support/runtime.ts";

const PROMPTS = [
  "Hello!",
  "Who are you?",
  "What is infetch?",
  "Is my data private?",
  "What is 12 + 30?",
  "How many meters are in 3 kilometers?",
  "What is the capital of Japan?",
  "List three fruits.",
  "Make JSON: name Ana, age 30, city Paris",
  "Thank you!",
];

test("the replies of infetch-tiny to ten fixed prompts are those of the fixture", async () => {
  const { runtime, openai } = await startRuntime();
  const replies: Record<string, string | null> = {};
  for (const content of PROMPTS) {
    const { choices } = await openai.chat.completions.create({
      model: "infetch-tiny",
      messages: [{ role: "user", content }],
      temperature: 0,
      max_tokens: 120,
    });
    expect(choices[0]!.finish_reason, content).toBe("stop");
    replies[content] = choices[0]!.message.content;
  }
  runtime.close();
  await expect(`${JSON.stringify(replies, null, 2)}\n`).toMatchFileSnapshot(
    "../../fixtures/infetch-tiny/replies.json",
  );
});
