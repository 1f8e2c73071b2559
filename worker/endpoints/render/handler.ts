/**
 * The prompt of a request, or its tokens, without generating (`/v1/chat/completions/render`, as vLLM has it; also for
 * Responses, and OpenAI's `/v1/responses/input_tokens`).
 */

import { chatGeneration } from "../../generation/chat-generation.ts";
import type { ChatRequest } from "../../generation/chat-request.ts";
import { renderChat } from "../../generation/rendering/render-chat.ts";
import { badRequest } from "../../http/api-error.ts";
import { readJsonObject } from "../../http/body/json-body.ts";
import { mayUseModel } from "../../usage/keys/scopes.ts";
import { parseChatParams } from "../chat/params.ts";
import type { Handler, RequestContext, Services } from "../endpoint.ts";
import { withImages } from "../images/with-images.ts";
import { isStrict } from "../page-options.ts";
import { modelNotAllowed, requireModel } from "../require-model.ts";
import { parseResponseParams, type ResponseParams } from "../responses/params.ts";

/** `POST /v1/chat/completions/render`: the body of a chat request; the errors that the request itself would get. */
export const renderChatCompletion: Handler = async (context, services) => {
  const sent = await readJsonObject(context.request);
  await refuseForwarded(context, services, sent.model);
  const { chat, model, headers } = await parseChatParams(sent, context.request.signal);
  const body = await rendered(context, services, { chat, model, promptParam: "messages" });
  return Response.json(body, { headers });
};

/** `POST /v1/responses/render` */
export const renderResponse: Handler = async (context, services) => {
  const { chat, model, headers } = await readResponseParams(context, services, isStrict(context, services));
  const body = await rendered(context, services, { chat, model, promptParam: "input" });
  return Response.json(body, { headers });
};

/** `POST /v1/responses/input_tokens`: the response's `usage.input_tokens`, or the error that it would get. */
export const countInputTokens: Handler = async (context, services) => {
  // Nothing would be stored: the endpoint has no `store`.
  const { chat, model, headers } = await readResponseParams(context, services, false);
  const { prompt_tokens } = await rendered(context, services, { chat, model, promptParam: "input" });
  return Response.json({ object: "response.input_tokens", input_tokens: prompt_tokens }, { headers });
};

async function readResponseParams(
  context: RequestContext,
  services: Services,
  strict: boolean,
): Promise<ResponseParams> {
  const sent = await readJsonObject(context.request);
  await refuseForwarded(context, services, sent.model);
  const items = await services.items();
  const input = items.resolve(context.holder.account, sent.input);
  return parseResponseParams({ ...sent, input }, strict, context.request.signal);
}

/** @throws {ApiError} 400 for a model of the upstream; 403 if the key may not use it */
async function refuseForwarded(
  { holder }: RequestContext,
  { upstream, catalog }: Services,
  name: unknown,
): Promise<void> {
  if (!upstream || typeof name !== "string") return;
  if ((await upstream.nameOf(name, catalog, false)) === undefined) return;
  if (!mayUseModel(holder, name)) throw modelNotAllowed(name);
  throw badRequest(
    "invalid_value",
    "model",
    `The model '${name}' is served by the upstream, which renders its own prompts.`,
  );
}

async function rendered(
  context: RequestContext,
  services: Services,
  { chat, model: name, promptParam }: { chat: ChatRequest; model: string; promptParam: "messages" | "input" },
) {
  const model = await requireModel(context, services, name);
  const seen = await withImages(chat, model.record, context, services);
  const replyCache = services.replyCacheOf(context.holder.account);
  const generation = chatGeneration(seen, model.record, replyCache, promptParam);
  const { plan, promptTokens } = await renderChat(generation, services.engines, context.request.signal);
  return {
    object: "chat.completion.prompt",
    model: model.name,
    prompt: plan.prompt,
    prompt_tokens: promptTokens,
    tool_format: plan.toolFormat ?? null,
    reasoning_format: plan.reader.reasoning?.open ?? null,
    stop: chat.stop,
  };
}
