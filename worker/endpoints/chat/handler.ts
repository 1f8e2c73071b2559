import { unixSeconds } from "../../clock.ts";
import type { GenerationEvent } from "../../generation/events.ts";
import { generate } from "../../generation/generate.ts";
import { readJsonObject } from "../../http/json-body.ts";
import { SSE_HEADERS, sseBody } from "../../http/sse.ts";
import type { RequestMeter, TokenCounts } from "../../metering/meter.ts";
import { type Handler, requireModel } from "../endpoint.ts";
import { parseChatParams } from "./params.ts";
import { type ChatIdentity, chatCompletion } from "./shape.ts";
import { chatStream } from "./stream.ts";

/** `POST /v1/chat/completions` */
export const chatCompletions: Handler = async (context, services) => {
  const params = parseChatParams(await readJsonObject(context.request));
  const model = requireModel(services.catalog, params.model);
  const identity: ChatIdentity = {
    id: services.clock.id("chatcmpl-"),
    created: unixSeconds(services.clock),
    model: model.id,
    systemFingerprint: `fp_${model.id}`,
  };
  const meter = services.meter.begin({
    transactionId: context.requestId,
    account: context.holder.account,
    endpoint: "/v1/chat/completions",
    tier: "serverless",
    model: model.id,
    stream: params.stream,
  });
  const cancel = new AbortController();
  const signal = AbortSignal.any([context.request.signal, cancel.signal]);
  const events = generate({ ...params.generation, model }, services.engines, signal);
  if (!params.stream) return Response.json(await completed(identity, events, meter));
  // The status is known only once the engine has begun: what fails before that is a proper error response.
  const first = await events.next();
  const body = chatStream({ identity, first, events, meter, includeUsage: params.includeUsage });
  return new Response(
    sseBody(body, () => cancel.abort()),
    { headers: SSE_HEADERS },
  );
};

async function completed(
  identity: ChatIdentity,
  events: AsyncIterable<GenerationEvent>,
  meter: RequestMeter,
) {
  let content = "";
  let counts: TokenCounts = { inputTokens: 0, cachedTokens: 0, outputTokens: 0, reasoningTokens: 0 };
  let finishReason: Extract<GenerationEvent, { type: "finish" }>["reason"] = "abort";
  for await (const event of events) {
    counts = event.counts;
    if (event.type === "text-delta") content += event.text;
    else finishReason = event.reason;
  }
  // Nobody gets the answer to an aborted request: nothing is charged for it (billing.md §5).
  if (finishReason === "abort") throw new DOMException("The request was aborted.", "AbortError");
  await meter.settle("completed", counts);
  return chatCompletion(identity, { content, finishReason, counts });
}
