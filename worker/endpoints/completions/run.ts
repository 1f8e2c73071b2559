import type { ModelRecord } from "../../catalog/model-record.ts";
import type { EngineSupervisor } from "../../engines/scheduling/supervisor.ts";
import { type GenerationEvent, NO_TOKENS } from "../../generation/events.ts";
import { type Generation, generate } from "../../generation/generate.ts";
import type { TokenCounts } from "../../usage/metering/meter.ts";
import type { RunOptions } from "../run-text-generation.ts";
import type { CompletionParams } from "./params.ts";

/** The model, queue place and callbacks of a request. */
type Target = RunOptions & Pick<Generation, "onEngine"> & { model: ModelRecord };

/**
 * Runs all prompts in order as one generation: choice `prompt * bestOf + reply`, counts summed over the prompts.
 */
export async function* runCompletions(
  params: CompletionParams,
  target: Target,
  engines: EngineSupervisor,
  signal: AbortSignal,
): AsyncGenerator<GenerationEvent, void> {
  let base = NO_TOKENS;
  for (const [at, prompt] of params.prompts.entries()) {
    let counts = base;
    const { inputTokens } = base;
    const onPrompt = (promptTokens: number) => target.onPrompt(inputTokens + promptTokens);
    // A request that runs is not refused because the queue is full.
    const place = { ...target.place, isRepeated: at > 0 };
    const generation = toGeneration(params, prompt, { ...target, place, onPrompt });
    for await (const event of generate(generation, engines, signal)) {
      counts = sum(base, event.counts);
      yield { ...event, choice: at * params.bestOf + event.choice, counts };
      if (event.type === "finish" && event.reason === "abort") return;
    }
    base = counts;
  }
}

function toGeneration(params: CompletionParams, prompt: string | number[], target: Target): Generation {
  // Ranking replies needs their log probabilities.
  const topLogprobs = params.logprobs ?? (params.bestOf > params.choices ? 0 : undefined);
  const format = params.responseFormat;
  return {
    ...target,
    plan: async () => ({
      prompt,
      reader: { stop: params.stop, includeStop: params.includeStop },
      ...(format.type === "text" ? {} : { constraint: { type: "grammar" as const, ebnf: format.grammar } }),
    }),
    promptParam: "prompt",
    choices: params.bestOf,
    sampling: params.sampling,
    ...(topLogprobs === undefined ? {} : { topLogprobs }),
  };
}

function sum(a: TokenCounts, b: TokenCounts): TokenCounts {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    cachedTokens: a.cachedTokens + b.cachedTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    reasoningTokens: a.reasoningTokens + b.reasoningTokens,
  };
}
