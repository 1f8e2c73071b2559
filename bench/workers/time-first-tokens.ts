/** Import before an engine starts, to report the engine's first token of each reply. */

import type { EngineStep, GenerateRequest } from "../../worker/engine-api/chat-engine.ts";
import { BatchEngine } from "../../worker/engines/webllm/batch-engine.ts";
import { FIRST_TOKENS } from "../first-tokens.ts";

const channel = new BroadcastChannel(FIRST_TOKENS);
const original = BatchEngine.prototype.generate;

async function* timed(
  this: BatchEngine,
  request: GenerateRequest,
  signal: AbortSignal,
): AsyncGenerator<EngineStep, void> {
  let isTold = false;
  for await (const step of original.call(this, request, signal)) {
    if (!isTold && step.type === "reply") {
      isTold = true;
      channel.postMessage(performance.timeOrigin + performance.now());
    }
    yield step;
  }
}

BatchEngine.prototype.generate = timed;
