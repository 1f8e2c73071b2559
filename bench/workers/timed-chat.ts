/**
 * infetch's own engine worker, with one thing added before it starts: it tells when web-llm has the first token of
 * a reply. Served in the place of the shipped worker (`assetsURL`), so that nothing of this ships.
 */

import { type ChatCompletionChunk, MLCEngine } from "@mlc-ai/web-llm";
import { FIRST_TOKENS } from "../first-tokens.ts";

const channel = new BroadcastChannel(FIRST_TOKENS);
const original = MLCEngine.prototype.chatCompletion as (request: unknown) => Promise<unknown>;

async function* timed(chunks: AsyncGenerator<ChatCompletionChunk>): AsyncGenerator<ChatCompletionChunk> {
  let isTold = false;
  for await (const chunk of chunks) {
    if (!isTold && chunk.choices[0]?.delta.content) {
      isTold = true;
      channel.postMessage(performance.timeOrigin + performance.now());
    }
    yield chunk;
  }
}

MLCEngine.prototype.chatCompletion = async function (this: MLCEngine, request: unknown) {
  const answer = await original.call(this, request);
  return Symbol.asyncIterator in (answer as object)
    ? timed(answer as AsyncGenerator<ChatCompletionChunk>)
    : answer;
} as typeof MLCEngine.prototype.chatCompletion;

await import("../../worker/engines/webllm/worker.ts");
