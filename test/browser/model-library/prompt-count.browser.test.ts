/** `prompt_tokens` equals web-llm's own count for the same conversation with its own template. */

import { createRuntime } from "infetch";
import OpenAI from "openai";
import { expect, test } from "vitest";
import { fc } from "../../support/random.ts";
import { TestEngine } from "./support/engine.ts";

const MODEL = "infetch-tiny";

/** Without `$`, which web-llm's templates drop, and without the model's own markers. */
const text = fc
  .string({ unit: "grapheme", maxLength: 40 })
  .map((one) => one.replaceAll("$", "").replaceAll("<", ""));
const turn = fc.tuple(text, text).map(([user, assistant]) => [
  { role: "user" as const, content: user },
  { role: "assistant" as const, content: assistant },
]);
const conversation = fc
  .tuple(fc.option(text.filter((one) => one !== "")), fc.array(turn, { maxLength: 3 }), text)
  .map(([system, turns, last]) => [
    ...(system === null ? [] : [{ role: "system" as const, content: system }]),
    ...turns.flat(),
    { role: "user" as const, content: last },
  ]);

test("20 random conversations count as on a fresh engine of web-llm", async () => {
  const { engine } = new TestEngine([MODEL]);
  await engine.reload(MODEL);
  const runtime = await createRuntime();
  const { apiKey, baseURL, fetch } = runtime;
  const openai = new OpenAI({ apiKey, baseURL, fetch, dangerouslyAllowBrowser: true });
  await fc.assert(
    fc.asyncProperty(conversation, async (messages) => {
      await engine.resetChat();
      const native = await engine.chat.completions.create({ messages, max_tokens: 1 });
      const ours = await openai.chat.completions.create({ model: MODEL, messages, max_tokens: 1 });
      expect(ours.usage!.prompt_tokens).toBe(native.usage!.prompt_tokens);
    }),
    { numRuns: 20 },
  );
  runtime.close();
  await engine.unload();
});
