/** Checks of a prompt before it is queued for an engine. */

import type { ChatEngine, ChatModelInfo, GenerateRequest } from "../engines/api/chat-engine.ts";
import { EngineError } from "../engines/api/engine-error.ts";
import { splitAtImages } from "../engines/api/prompt-image.ts";
import { bytesUpTo } from "../engines/chat/text-bytes.ts";
import type { RequestedSampling } from "./sampling-defaults.ts";

/** A request for the log probabilities of a prompt. */
export interface PromptScoresRequest {
  /** Alternatives to report with each token. */
  top: number;
  /** The parameter that asks for them, named in errors. */
  param: string;
}

interface CheckedPrompt {
  sampling: RequestedSampling;
  /** The parameter with the prompt, named in errors. */
  promptParam: string;
  /** As in {@link GenerateRequest}; absent if the prompt is only counted. */
  cacheScope?: string;
}

/** @throws {EngineError} `invalid_request` for a token id outside the vocabulary */
export function requireVocabulary(
  { sampling, promptParam }: CheckedPrompt,
  prompt: string | readonly number[],
  { vocabularySize }: ChatModelInfo,
): void {
  const refuse = (id: number, param: string): never => {
    const message = `Invalid '${param}': token ${id} is not in the model's vocabulary of ${vocabularySize} tokens.`;
    throw new EngineError("invalid_request", message, { param });
  };
  const known = (id: number): boolean => id < vocabularySize;
  const biased = Object.keys(sampling.logitBias)
    .map(Number)
    .find((id) => !known(id));
  if (biased !== undefined) refuse(biased, "logit_bias");
  const stop = sampling.stopTokens?.find((id) => !known(id));
  if (stop !== undefined) refuse(stop, "stop_token_ids");
  if (typeof prompt === "string") return;
  const unknown = prompt.find((id) => !known(id));
  if (unknown !== undefined) refuse(unknown, promptParam);
}

/**
 * @throws {EngineError} `invalid_request` or `unsupported_parameter` for a parameter that the engine of the model does
 * not have
 */
export function requireEngineSupport(
  { sampling, promptScores }: Pick<CheckedPrompt, "sampling"> & { promptScores?: PromptScoresRequest },
  { engine, scoresPrompts = false }: Pick<ChatModelInfo, "engine" | "scoresPrompts">,
): void {
  if (promptScores && !scoresPrompts) {
    const { param } = promptScores;
    const what = param === "echo" ? "'echo' with 'logprobs'" : `'${param}'`;
    const message = `Unsupported parameter: ${what} is not supported with this model, whose engine computes no log probabilities of prompts.`;
    throw new EngineError("unsupported_parameter", message, { param });
  }
  // llama.cpp's server cannot change its sampling between two tokens.
  if (sampling.minTokens === undefined || engine !== "llamacpp") return;
  const message =
    "Unsupported parameter: 'min_tokens' is supported on WebGPU only, and this model runs in llama.cpp.";
  throw new EngineError("invalid_request", message, { param: "min_tokens" });
}

/** @throws {EngineError} `context_length_exceeded` with OpenAI's message; `invalid_request` for no tokens */
export async function requireContextSpace(
  { prompt, images }: Pick<GenerateRequest, "prompt" | "images">,
  { sampling, promptParam, cacheScope }: CheckedPrompt,
  engine: ChatEngine,
): Promise<number> {
  const { contextWindow } = engine.info;
  const { maxTokens } = sampling;
  const least = leastTokens(images ? withoutImages(prompt) : prompt, engine.info);
  if (least > contextWindow) throw tooLong(`your ${promptParam} resulted in at least ${least} tokens`);
  const promptTokens = await engine.countTokens(prompt, cacheScope).catch((error: unknown) => {
    if (!(error instanceof EngineError)) throw error;
    if (error.code === "context_length_exceeded")
      throw tooLong(`your ${promptParam} has too many tokens to count`);
    if (error.code !== "invalid_request") throw error;
    throw new EngineError("invalid_request", error.message, { param: promptParam, cause: error });
  });
  // Without a BOS token, an empty prompt has no tokens to continue from.
  if (promptTokens === 0) {
    throw new EngineError("invalid_request", `Invalid '${promptParam}': it is empty.`, {
      param: promptParam,
    });
  }
  const wanted = promptTokens + (maxTokens ?? 1);
  if (wanted <= contextWindow) return promptTokens;
  const parts =
    maxTokens === undefined
      ? `your ${promptParam} resulted in ${promptTokens} tokens`
      : `you requested ${wanted} tokens (${promptTokens} in the ${promptParam}, ${maxTokens} in the completion)`;
  throw tooLong(parts);

  function tooLong(what: string): EngineError {
    return new EngineError(
      "context_length_exceeded",
      `This model's maximum context length is ${contextWindow} tokens. However, ${what}. Please reduce the length of the ${promptParam} or completion.`,
      { param: promptParam },
    );
  }
}

function withoutImages(prompt: string | readonly number[]): string | readonly number[] {
  return typeof prompt === "string" ? splitAtImages(prompt).texts.join("") : prompt;
}

/** Lower bound of the tokens of a prompt; avoids tokenizing huge prompts in the engine. */
function leastTokens(
  prompt: string | readonly number[],
  { contextWindow, longestTokenBytes }: ChatModelInfo,
): number {
  if (typeof prompt !== "string") return prompt.length;
  if (!longestTokenBytes) return 0;
  return Math.ceil(bytesUpTo(prompt, contextWindow * longestTokenBytes) / longestTokenBytes);
}
