/** What the page shows as its own code: that of its files, without counting, types and comments. */

/** `client.ts` and `chat.ts`. */
export const CHAT_CODE = `import { createRuntime } from "infetch";
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

/** `search.ts`; the client is the same. */
export const SEARCH_CODE = `const model = "infetch-tiny-embed";
async function embed(input, input_type) {
  const { data } = await openai.embeddings.create({
    model, input, input_type,
  });
  return data.map((item) => item.embedding);
}
const vectors = await embed(passages, "document");
const [wanted] = await embed(query, "query");
const hits = passages
  .map((passage, at) => ({
    passage, score: dot(wanted, vectors[at]),
  }))
  .sort((a, b) => b.score - a.score);`;
