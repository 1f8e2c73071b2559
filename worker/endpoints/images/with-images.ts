import type { ChatModelRecord } from "../../catalog/model-record.ts";
import { withoutImagePlaceholdersInside } from "../../engine-api/prompt-image.ts";
import type { ChatRequest } from "../../generation/chat-request.ts";
import { loadPart } from "../../lazy/part.ts";
import type { RequestContext, Services } from "../endpoint.ts";

/**
 * The request with its images loaded, and without placeholders of the client's.
 *
 * @throws {ApiError} 400 for a model without vision and for images that cannot be used; names the part
 */
export async function withImages(
  received: ChatRequest,
  model: ChatModelRecord,
  context: RequestContext,
  services: Services,
): Promise<ChatRequest> {
  const chat = withoutForgedPlaceholders(received);
  if (!chat.messages.some((message) => "images" in message && message.images?.length)) return chat;
  const { loadImages } = await loadPart(() => import("./load-images.ts"));
  return loadImages(chat, model, context, services);
}

/** Templates may print any of these. */
function withoutForgedPlaceholders(chat: ChatRequest): ChatRequest {
  const { messages, tools, templateVariables: variables } = chat;
  return {
    ...chat,
    messages: withoutImagePlaceholdersInside(messages),
    tools: withoutImagePlaceholdersInside(tools),
    ...(variables ? { templateVariables: withoutImagePlaceholdersInside(variables) } : {}),
  };
}
