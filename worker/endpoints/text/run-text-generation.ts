import { stateOf } from "../../../src/protocol/transfer/request-state.ts";
import type { ChatModelRecord } from "../../catalog/model-record.ts";
import type { ResolvedModel } from "../../catalog/resolve.ts";
import type { QueuePosition } from "../../engines/scheduling/model-queue.ts";
import type { GenerationEvent } from "../../generation/events.ts";
import { SSE_HEADERS, sseBody } from "../../http/sse/sse.ts";
import type { TokenCounts } from "../../usage/metering/meter.ts";
import { queuePositionOf, type RequestContext, type Services } from "../endpoint.ts";
import { beginMeter } from "../metering/begin-meter.ts";
import { Delivery } from "../metering/delivery.ts";

type Events = AsyncGenerator<GenerationEvent, void>;

/** Request options of a generation. */
interface RunOptions {
  queuePosition: QueuePosition;
  /** As in `GenerateRequest`: the account of the request's key. */
  cacheScope: string;
  /** Checks the total tokens of all prompts, before any is computed, against the limits of the key. */
  onPrompt: (promptTokens: number) => Promise<void>;
  /** Whether the reply is delivered only once complete. */
  isBuffered: boolean;
}

/** A reply in progress: its first event, the remaining ones, and its delivery meter. */
export interface StartedReply {
  first: IteratorResult<GenerationEvent, void>;
  events: Events;
  delivery: Delivery;
}

/** The endpoint-specific steps of text generation. */
interface TextEndpoint {
  path: string;
  model: ResolvedModel<ChatModelRecord>;
  params: { stream: boolean; headers: Record<string, string> };
  generate(options: RunOptions, signal: AbortSignal): Events | Promise<Events>;
  /** Builds the whole response as one object. */
  collect(events: Events): Promise<{ body: object; counts: TokenCounts }>;
  /** Builds the response as server-sent events. */
  stream(reply: StartedReply): AsyncGenerator<Uint8Array, void>;
}

/** Shared by all text endpoints: runs validated parameters and returns the metered response. */
export async function runTextGeneration(
  context: RequestContext,
  services: Services,
  { path, model, params, generate, collect, stream }: TextEndpoint,
): Promise<Response> {
  const meter = beginMeter(context, services, { endpoint: path, model, stream: params.stream });
  const cancel = new AbortController();
  const signal = AbortSignal.any([context.request.signal, cancel.signal]);
  const options = {
    queuePosition: queuePositionOf(context),
    cacheScope: context.holder.account,
    onPrompt: async (promptTokens: number) => context.admission?.countPrompt(promptTokens),
    isBuffered: !params.stream,
  };
  const events = await generate(options, signal);
  // The engine is only known after it has run.
  const headers = () => ({ ...params.headers, ...engineHeaders(services, model.record) });
  if (!params.stream) {
    const { body, counts } = await collect(events);
    // Before it is recorded: a body that finds no memory is free.
    const response = Response.json(body, { headers: headers() });
    await meter.settle("completed", counts);
    return response;
  }
  // Await the first event, so that earlier failures are regular error responses.
  const first = await events.next();
  const body = stream({ first, events, delivery: new Delivery(stateOf(context.request), meter, signal) });
  return new Response(
    sseBody(body, () => cancel.abort()),
    { headers: { ...SSE_HEADERS, ...headers() } },
  );
}

/** `x-infetch-engine`: the engine of a loaded model and its device, without the adapter name. */
function engineHeaders({ engines }: Services, model: ChatModelRecord): Record<string, string> {
  const info = engines.loaded(model.id)?.info;
  return info ? { "x-infetch-engine": `${info.engine}; device=${info.device.split(":")[0]}` } : {};
}
