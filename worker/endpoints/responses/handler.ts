import { unixSeconds } from "../../clock.ts";
import { chatGeneration } from "../../generation/chat-generation.ts";
import type { FinishReason } from "../../generation/events.ts";
import { generate } from "../../generation/generate.ts";
import { modelDefaults, samplingOf } from "../../generation/sampling-defaults.ts";
import { readJsonObject } from "../../http/body/json-body.ts";
import type { TokenCounts } from "../../usage/metering/meter.ts";
import type { Handler } from "../endpoint.ts";
import { withImages } from "../images/with-images.ts";
import { isStrict } from "../page-options.ts";
import { requireModel } from "../require-model.ts";
import { identify } from "../text/response-identity.ts";
import { runTextGeneration } from "../text/run-text-generation.ts";
import { collectOutput } from "./collect.ts";
import { OutputWriter } from "./output.ts";
import { parseResponseParams } from "./params.ts";
import { endedProgress, type Progress, responseObject } from "./serialize.ts";
import { shownSampling } from "./settings.ts";
import { responseStream } from "./stream.ts";
import { pathFinder } from "./tools.ts";

/** `POST /v1/responses` */
export const responses: Handler = async (context, services) => {
  const { clock } = services;
  const { account } = context.holder;
  const items = await services.items();
  const sent = await readJsonObject(context.request);
  const { chat, settings, includesEncryptedContent, functions, ...params } = await parseResponseParams(
    { ...sent, input: items.resolve(account, sent.input) },
    isStrict(context, services),
    context.request.signal,
  );
  const model = await requireModel(context, services, params.model);
  const asSummary = settings.reasoning.summary !== null;
  const seen = await withImages(chat, model.record, context, services);
  const generation = chatGeneration(seen, model.record, services.replyCacheOf(account), "input");
  const identity = identify("resp_", model, clock);
  const writer = new OutputWriter({
    mintId: (prefix) => clock.id(prefix),
    asSummary,
    includesEncryptedContent,
    pathOf: pathFinder(functions),
  });
  const shape = (progress: Progress) => {
    const { record } = model;
    const info = services.engines.loaded(record.id)?.info;
    const sampling = shownSampling(samplingOf(seen.sampling, modelDefaults(record, info)));
    return responseObject(identity, { ...settings, ...sampling }, progress);
  };
  const ending = (reason: FinishReason, counts: TokenCounts): Progress =>
    endedProgress(reason, writer.items, counts, unixSeconds(clock));
  const remember = (): void => items.remember(account, writer.items);
  return runTextGeneration(context, services, {
    path: "/v1/responses",
    model,
    params,
    generate: (options, signal) => generate({ ...generation, ...options }, services.engines, signal),
    async collect(events) {
      const { reason, counts } = await collectOutput(events, writer);
      remember();
      return { body: shape(ending(reason, counts)), counts };
    },
    stream: (reply) => responseStream({ ...reply, writer, shape, ending, remember }),
  });
};
