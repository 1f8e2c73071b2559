/** What the page shows as its own code: `chat.ts` without its counting and its comments. */
export const CODE_SAMPLE = `import { createRuntime } from "infetch";
import OpenAI from "openai";

const { apiKey, baseURL, fetch } =
  await createRuntime();
const openai = new OpenAI({
  apiKey, baseURL, fetch,
  dangerouslyAllowBrowser: true,
});
const stream = await openai.chat.completions.create({
  model: "infetch-tiny", messages, stream: true,
});
for await (const chunk of stream) {
  show(chunk.choices[0]?.delta.content ?? "");
}`;
