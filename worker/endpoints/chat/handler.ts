import { chatGeneration } from "../../generation/chat-generation.ts";
import { generate } from "../../generation/generate.ts";
import { readJsonObject } from "../../http/body/json-body.ts";
import type { Handler } from "../endpoint.ts";
import { withImages } from "../images/with-images.ts";
import { requireModel } from "../require-model.ts";
import { identify, namesEngine } from "../text/response-identity.ts";
import { runTextGeneration } from "../text/run-text-generation.ts";
import { collectReplies } from "./collect.ts";
import { parseChatParams } from "./params.ts";
import { chatCompletion } from "./serialize.ts";
import { chatStream } from "./stream.ts";

/** `POST /v1/chat/completions` */
export const chatCompletions: Handler = async (context, services) => {
  const sent = await parseChatParams(await readJsonObject(context.request), context.request.signal);
  const model = await requireModel(context, services, sent.model);
  const params = { ...sent, chat: await withImages(sent.chat, model.record, context, services) };
  const replyCache = services.replyCacheOf(context.holder.account);
  const generation = chatGeneration(params.chat, model.record, replyCache);
  const identity = identify("chatcmpl-", model, services.clock);
  const { callsFunctions, includeUsage } = params;
  return runTextGeneration(context, services, {
    path: "/v1/chat/completions",
    model,
    params,
    generate: (options, signal) =>
      generate({ ...generation, ...options, ...namesEngine(identity) }, services.engines, signal),
    async collect(events) {
      const { replies, counts } = await collectReplies(events, params.chat.topLogprobs !== undefined);
      return { body: chatCompletion(identity, replies, counts, callsFunctions), counts };
    },
    stream: (reply) => chatStream({ ...reply, identity, includeUsage, callsFunctions }),
  });
};
