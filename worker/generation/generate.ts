/** The one core under every endpoint that makes text: prompt → queue → engine → typed events. */

import { EngineError } from "../engines/engine-error.ts";
import type { EngineSupervisor, LoadableModel } from "../engines/supervisor.ts";
import type { ChatEngine, EngineUsage, Sampling } from "../engines/types.ts";
import type { TokenCounts } from "../metering/meter.ts";
import type { GenerationEvent } from "./events.ts";
import type { PromptMessage } from "./prompt/messages.ts";
import { renderPrompt } from "./prompt/render.ts";

export interface Generation {
  model: LoadableModel;
  messages: readonly PromptMessage[];
  sampling: Sampling;
  stop: readonly string[];
}

/**
 * Runs one generation. The model is loaded if need be, the prompt is counted before it queues, and the queue's
 * turn is held until the engine is free again. An abort while it runs ends with `finish`, so that the counts
 * are exact; an abort before that throws the signal's reason.
 *
 * @throws {EngineError}
 */
export async function* generate(
  generation: Generation,
  engines: EngineSupervisor,
  signal: AbortSignal,
): AsyncGenerator<GenerationEvent, void> {
  const first = await abortable(engines.engine(generation.model), signal);
  const prompt = renderPrompt(generation.messages, first.facts.conversation);
  await requireRoom(prompt, generation.sampling.maxTokens, first);
  const turn = await engines.queue(generation.model.id).enter(signal);
  try {
    // The engine may have died while the request waited: then this loads the next one.
    const engine = await abortable(engines.engine(generation.model), signal);
    const { sampling, stop } = generation;
    for await (const step of engine.generate({ prompt, sampling, stop }, signal)) {
      const counts = toCounts(step.usage);
      if (step.type === "text") yield { type: "text-delta", text: step.text, counts };
      else yield { type: "finish", reason: step.reason, counts };
    }
  } finally {
    turn.release();
  }
}

/** @throws {EngineError} `context_length_exceeded`, worded as OpenAI does */
async function requireRoom(prompt: string, maxTokens: number | undefined, engine: ChatEngine): Promise<void> {
  const { contextWindow } = engine.facts;
  const promptTokens = await engine.countTokens(prompt);
  const wanted = promptTokens + (maxTokens ?? 1);
  if (wanted <= contextWindow) return;
  const parts =
    maxTokens === undefined
      ? `your messages resulted in ${promptTokens} tokens`
      : `you requested ${wanted} tokens (${promptTokens} in the messages, ${maxTokens} in the completion)`;
  throw new EngineError(
    "context_length_exceeded",
    `This model's maximum context length is ${contextWindow} tokens. However, ${parts}. Please reduce the length of the messages or completion.`,
  );
}

function toCounts(usage: EngineUsage): TokenCounts {
  return {
    inputTokens: usage.promptTokens,
    cachedTokens: usage.cachedTokens,
    outputTokens: usage.completionTokens,
    reasoningTokens: 0,
  };
}

/** A load goes on for whoever else waits for it; this caller may leave. */
function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
