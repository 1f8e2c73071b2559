import { TOKENS } from "../../chat-template/reasoning/harmony.ts";
import { markersOfMessages } from "../../chat-template/traits/message-markers.ts";
import type { ChatModelInfo, GenerateRequest, Sampling } from "../../engine-api/chat-engine.ts";
import { markersOf } from "../../reply/call-format.ts";
import type { ReplyMessages } from "../../reply/reply-reasoning.ts";
import { toGbnf } from "./grammar/gbnf.ts";

/**
 * Maps a request to llama.cpp's server parameters. The server ignores wllama's typed names, and its defaults for
 * omitted fields differ from OpenAI's.
 *
 * @param info of the loaded model
 * @param mayReuse whether keys and values of earlier prompts may be reused
 */
export function completionRequest(
  prompt: string,
  request: GenerateRequest,
  { contextWindow, specialTokens = [] }: Pick<ChatModelInfo, "contextWindow" | "specialTokens">,
  { mayReuse }: { mayReuse: boolean },
): Record<string, unknown> {
  const { sampling, randomState, constraint, topLogprobs } = request;
  return {
    prompt,
    stream: true,
    timings_per_token: true,
    cache_prompt: mayReuse,
    // Shows that a long prompt moves on; and only llama.cpp knows how many tokens an image has.
    return_progress: true,
    n_predict: sampling.maxTokens ?? -1,
    ...samplers(sampling, contextWindow),
    // 31 bits, because the largest 32-bit number means "random".
    seed: Number(BigInt.asUintN(31, randomState)),
    // Past the end of a grammar, no token is left.
    ...(sampling.ignoreEos && !constraint ? { ignore_eos: true } : {}),
    // The sampled token's id and log probability are reported only if n_probs is at least 1.
    ...(topLogprobs === undefined && sampling.stopTokens === undefined
      ? {}
      : { n_probs: Math.max(1, topLogprobs ?? 0), post_sampling_probs: false }),
    ...(constraint ? { grammar: toGbnf(constraint) } : {}),
    preserved_tokens: preservedTokens(request, specialTokens),
  };
}

const MIN_TEMPERATURE = 1e-5;
/** llama.cpp keeps the lowest 32 bits of a larger number. */
const MAX_TOP_K = 2 ** 31 - 1;

function samplers(sampling: Sampling, contextWindow: number): Record<string, unknown> {
  return {
    // web-llm's order: the temperature is applied before the cuts.
    samplers: ["penalties", "temperature", "top_k", "top_p", "min_p"],
    // Below this, scaled logits overflow a float: sample greedily, as at 0.
    temperature: sampling.temperature < MIN_TEMPERATURE ? 0 : sampling.temperature,
    top_k: Math.min(sampling.topK, MAX_TOP_K),
    top_p: sampling.topP,
    min_p: sampling.minP,
    repeat_last_n: contextWindow,
    repeat_penalty: sampling.repetitionPenalty,
    presence_penalty: sampling.presencePenalty,
    frequency_penalty: sampling.frequencyPenalty,
    logit_bias: Object.entries(sampling.logitBias).map(([id, bias]) => [Number(id), bias]),
  };
}

/**
 * The control tokens that our readers parse; llama.cpp omits all others from the text. It takes single tokens only, and
 * a marker may be several, such as `<|channel>thought`.
 */
function preservedTokens({ reader }: GenerateRequest, specialTokens: readonly string[]): string[] {
  const { reasoning, tools } = reader;
  const markers = [
    ...(reasoning ? [reasoning, ...(reasoning.variants ?? [])] : []).flatMap(({ open, close }) => [
      open,
      close,
    ]),
    ...tokensOfMessages(reasoning?.messages),
    ...(tools ? markersOf(tools.format) : []),
  ];
  const within = specialTokens.filter(
    (token) => token !== "" && markers.some((marker) => marker.includes(token)),
  );
  return [...new Set([...markers, ...within])];
}

function tokensOfMessages(messages: ReplyMessages | undefined): readonly string[] {
  if (!messages) return [];
  return messages.kind === "harmony" ? TOKENS : markersOfMessages(messages.markers);
}
