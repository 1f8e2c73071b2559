import { abortable } from "../../../src/protocol/abortable.ts";
import { generate } from "../../generation/generate.ts";
import { readJsonObject } from "../../http/json-body.ts";
import type { Handler } from "../endpoint.ts";
import { requireModel } from "../require-model.ts";
import { identify, namesEngine } from "../response-identity.ts";
import { runTextGeneration } from "../run-text-generation.ts";
import { collectCompletions } from "./collect.ts";
import { parseCompletionParams } from "./params.ts";
import { textCompletion } from "./serialize.ts";
import { completionStream } from "./stream.ts";
import { toGeneration } from "./to-generation.ts";

/** `POST /v1/completions` */
export const completions: Handler = async (context, services) => {
  const params = await parseCompletionParams(await readJsonObject(context.request), context.request.signal);
  const model = await requireModel(context, services, params.model);
  const identity = identify("cmpl-", model, services.clock);
  /** The prompts as text, if `echo` is set. */
  let echoes: string[] = [];
  return runTextGeneration(context, services, {
    path: "/v1/completions",
    model,
    params,
    async generate(options, signal) {
      if (params.echo) {
        echoes = await services.engines.use(model.record, signal, (engine) => {
          const texts = params.prompts.map((prompt) =>
            typeof prompt === "string" ? prompt : engine.decode(prompt),
          );
          return abortable(Promise.all(texts), signal);
        });
      }
      const generation = toGeneration(params, model.record);
      return generate({ ...generation, ...options, ...namesEngine(identity) }, services.engines, signal);
    },
    async collect(events) {
      const { choices, counts } = await collectCompletions(events, params, echoes);
      return { body: textCompletion(identity, choices, counts), counts };
    },
    stream: (reply) =>
      completionStream({
        ...reply,
        identity,
        includeUsage: params.includeUsage,
        wantsLogprobs: params.logprobs !== undefined,
        echo: (choice) => echoes[Math.floor(choice / params.bestOf)] ?? "",
      }),
  });
};
