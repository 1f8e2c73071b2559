/** Renders, counts and checks a prompt once its model is loaded, before the request is queued. */

import { abortable } from "../../src/shared/abortable.ts";
import type { ChatModelInfo, GenerateRequest } from "../engine-api/chat-engine.ts";
import { CONCURRENT_RETRIES, retryOnLoss } from "../engine-api/engine-error.ts";
import { wellFormed } from "../engine-api/well-formed.ts";
import type { LoadableModel } from "../engines/scheduling/start-engine.ts";
import type { EngineSupervisor } from "../engines/scheduling/supervisor.ts";
import { loadPart } from "../lazy/part.ts";
import type { RepliedWith } from "../prompt/seen-reply.ts";
import type { CustomCalls } from "./calls/custom-calls.ts";
import { requireContextSpace } from "./checks/check-prompt.ts";
import type { PromptScoresRequest } from "./checks/require-model-support.ts";
import type { RequestedSampling } from "./sampling-defaults.ts";

/** What a request becomes for a loaded model. */
export interface GenerationPlan
  extends Pick<GenerateRequest, "prompt" | "continuesPrompt" | "images" | "reader" | "constraint"> {
  /** Called with each reply that the model ended itself. */
  onReply?: (replied: RepliedWith) => void;
  /** For each reply, what converts its calls of custom tools; absent if there are none. */
  customCalls?: () => CustomCalls;
}

export interface PromptRequest<Plan extends GenerationPlan = GenerationPlan> {
  model: LoadableModel;
  /** Called once the model is loaded; its errors are the request's. */
  plan: (info: ChatModelInfo, signal: AbortSignal) => Promise<Plan>;
  /** The parameter with the prompt, named in errors. */
  promptParam: "messages" | "prompt" | "input";
  sampling: RequestedSampling;
  /** As in {@link GenerateRequest}; absent if nothing is generated. */
  cacheScope?: string;
  /** Asks for the log probabilities of the prompt's tokens. */
  promptScores?: PromptScoresRequest;
  /** Called with the engine of a reply, before its first event. */
  onEngine?: (info: ChatModelInfo) => void;
}

export interface PreparedPrompt<Plan extends GenerationPlan = GenerationPlan> {
  plan: Plan;
  promptTokens: number;
}

/**
 * Loads the model if necessary, then plans, counts and checks the request. The caller holds the model.
 *
 * @throws {EngineError}
 */
export function prepare<Plan extends GenerationPlan>(
  request: PromptRequest<Plan>,
  engines: EngineSupervisor,
  signal: AbortSignal,
): Promise<PreparedPrompt<Plan>> {
  const attempt = async (): Promise<PreparedPrompt<Plan>> => {
    const engine = await engines.engine(request.model, signal);
    request.onEngine?.(engine.info);
    const planned = await request.plan(engine.info, signal);
    const { prompt } = planned;
    // llama.cpp's JSON refuses half a character, and web-llm makes one of it and the next character.
    const plan = { ...planned, prompt: typeof prompt === "string" ? wellFormed(prompt) : prompt };
    const promptTokens = await abortable(requireContextSpace(plan, request, engine), signal);
    if (dependsOnModel(request, plan.prompt)) {
      const part = await loadPart(() => import("./checks/require-model-support.ts"), signal);
      part.requireModelSupport(request, plan.prompt, engine.info);
    }
    return { plan, promptTokens };
  };
  return retryOnLoss(attempt, { retries: CONCURRENT_RETRIES });
}

/** Whether it names tokens, or has parameters that some engines do not have. Most requests do not. */
function dependsOnModel(
  { sampling, promptScores }: PromptRequest,
  prompt: string | readonly number[],
): boolean {
  const { logitBias, stopTokens, minTokens } = sampling;
  const isPlain = typeof prompt === "string" && !promptScores && !stopTokens && minTokens === undefined;
  return !isPlain || Object.keys(logitBias).length > 0;
}
