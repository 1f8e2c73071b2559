import type { ChatCompletionRequestStreaming } from "@mlc-ai/web-llm";
import type { GenerateRequest } from "../../../engine-api/chat-engine.ts";
import { ignoresEnds } from "../end-tokens.ts";
import { responseFormat } from "../slots/slot-grammar.ts";
import { choosesTokens } from "../token-processor.ts";
import type { PromptPlan } from "./kv-cache-tracker.ts";

/**
 * Maps a request to web-llm's. Every field is set or omitted deliberately: web-llm throws for some keys even if
 * their value is undefined, and fills omitted fields from the model's own defaults.
 */
export function webllmRequest(plan: PromptPlan, request: GenerateRequest): ChatCompletionRequestStreaming {
  const { sampling, constraint } = request;
  const chosenHere = choosesTokens(sampling);
  const biased = !chosenHere && Object.keys(sampling.logitBias).length > 0;
  return {
    messages: plan.pieces.map((content, at) =>
      at % 2 === 0 ? { role: "user" as const, content } : { role: "assistant" as const, content },
    ),
    stream: true,
    stream_options: { include_usage: true },
    temperature: sampling.temperature,
    // 0 means the most likely token alone, but web-llm refuses it.
    top_p: Math.max(sampling.topP, 1e-6),
    // TokenProcessor applies these itself if it chooses the tokens.
    frequency_penalty: chosenHere ? 0 : sampling.frequencyPenalty,
    presence_penalty: chosenHere ? 0 : sampling.presencePenalty,
    repetition_penalty: chosenHere ? 1 : sampling.repetitionPenalty,
    ...(biased ? { logit_bias: { ...sampling.logitBias } } : {}),
    ...(sampling.maxTokens === undefined ? {} : { max_tokens: sampling.maxTokens }),
    ...(ignoresEnds(request) ? { ignore_eos: true } : {}),
    ...(constraint ? { response_format: responseFormat(constraint) } : {}),
  };
}
