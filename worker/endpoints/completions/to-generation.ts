import type { ChatModelRecord } from "../../catalog/model-record.ts";
import type { Generation } from "../../generation/generate.ts";
import type { PromptRequest } from "../../generation/prepare.ts";
import type { CompletionParams } from "./params.ts";

/** All prompts as one generation: choice `prompt * bestOf + reply`. */
export function toGeneration(
  params: CompletionParams,
  model: ChatModelRecord,
  promptScores: Generation["promptScores"],
): Omit<Generation, "cacheScope"> {
  // Ranking replies needs their log probabilities.
  const topLogprobs = params.logprobs ?? (params.bestOf > params.choices ? 0 : undefined);
  const [plan, ...furtherPlans] = params.prompts.map((prompt) => toPlan(params, prompt));
  return {
    model,
    plan: plan!,
    furtherPlans,
    promptParam: "prompt",
    choices: params.bestOf,
    sampling: params.sampling,
    ...(topLogprobs === undefined ? {} : { topLogprobs }),
    ...(promptScores ? { promptScores } : {}),
  };
}

function toPlan(
  { stop, includeStop, responseFormat: format }: CompletionParams,
  prompt: string | number[],
): PromptRequest["plan"] {
  return async () => ({
    prompt,
    continuesPrompt: true,
    reader: { stop, includeStop },
    ...(format.type === "text" ? {} : { constraint: { type: "grammar", ebnf: format.grammar } }),
  });
}
