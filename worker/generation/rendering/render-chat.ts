import { showImages } from "../../engine-api/prompt-image.ts";
import { TOKEN_BOUNDARY } from "../../engine-api/token-boundary.ts";
import type { EngineSupervisor } from "../../engines/scheduling/supervisor.ts";
import type { ChatPlan } from "../chat-generation.ts";
import { type PreparedPrompt, type PromptRequest, prepare } from "../prepare.ts";

/**
 * The prompt of a chat request and its tokens. Loads the model if necessary; generates nothing. An image counts
 * as one token: its number of tokens is only known once it is read.
 *
 * @throws {EngineError} as the request itself would before it is queued
 */
export async function renderChat(
  request: PromptRequest<ChatPlan>,
  engines: EngineSupervisor,
  signal: AbortSignal,
): Promise<PreparedPrompt<ChatPlan>> {
  const hold = await engines.hold(request.model, signal);
  try {
    const { plan, promptTokens } = await prepare(request, engines, signal);
    return {
      plan: { ...plan, prompt: showImages(plan.prompt).replaceAll(TOKEN_BOUNDARY, "") },
      promptTokens,
    };
  } finally {
    hold.release();
  }
}
