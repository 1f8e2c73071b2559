/** Checks of a prompt before it is queued for an engine. */

import type { ChatEngine, ChatModelInfo, GenerateRequest } from "../../engine-api/chat-engine.ts";
import { EngineError } from "../../engine-api/engine-error.ts";
import { splitAtImages } from "../../engine-api/prompt-image.ts";
import { bytesUpTo } from "../../engines/chat/text-bytes.ts";
import type { RequestedSampling } from "../sampling-defaults.ts";

interface CheckedPrompt {
  sampling: RequestedSampling;
  /** The parameter with the prompt, named in errors. */
  promptParam: string;
  /** As in {@link GenerateRequest}; absent if the prompt is only counted. */
  cacheScope?: string;
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
