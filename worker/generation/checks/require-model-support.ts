/** Checks of what not every model has: tokens that a request names, and parameters. Loaded by the first request with any. */

import type { ChatModelInfo } from "../../engine-api/chat-engine.ts";
import { EngineError } from "../../engine-api/engine-error.ts";
import type { RequestedSampling } from "../sampling-defaults.ts";

/** A request for the log probabilities of a prompt. */
export interface PromptScoresRequest {
  /** Alternatives to report with each token. */
  top: number;
  /** The parameter that asks for them, named in errors. */
  param: string;
}

interface ModelDependent {
  sampling: RequestedSampling;
  /** The parameter with the prompt, named in errors. */
  promptParam: string;
  promptScores?: PromptScoresRequest;
}

/**
 * @throws {EngineError} `invalid_request` for a token id outside the vocabulary; `unsupported_parameter` for a
 * parameter that the engine of the model does not have
 */
export function requireModelSupport(
  request: ModelDependent,
  prompt: string | readonly number[],
  info: ChatModelInfo,
): void {
  requireVocabulary(request, prompt, info);
  requireEngineSupport(request, info);
}

function requireVocabulary(
  { sampling, promptParam }: ModelDependent,
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

function requireEngineSupport(
  { sampling, promptScores }: ModelDependent,
  { engine, scoresPrompts = false }: ChatModelInfo,
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
  throw new EngineError("unsupported_parameter", message, { param: "min_tokens" });
}
