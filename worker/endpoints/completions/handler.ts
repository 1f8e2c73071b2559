import { abortable } from "../../../src/shared/abortable.ts";
import type { ChatModelRecord } from "../../catalog/model-record.ts";
import type { EngineSupervisor } from "../../engines/scheduling/supervisor.ts";
import { generate } from "../../generation/generate.ts";
import { readJsonObject } from "../../http/body/json-body.ts";
import type { Handler } from "../endpoint.ts";
import { requireModel } from "../require-model.ts";
import { identify, namesEngine } from "../text/response-identity.ts";
import { runTextGeneration } from "../text/run-text-generation.ts";
import { collectCompletions } from "./collect.ts";
import { type CompletionParams, parseCompletionParams } from "./params.ts";
import { promptScoresOf, requireReportable } from "./prompt-scores.ts";
import { textCompletion } from "./serialize.ts";
import { completionStream } from "./stream.ts";
import { toGeneration } from "./to-generation.ts";

/** `POST /v1/completions` */
export const completions: Handler = async (context, services) => {
  const params = await parseCompletionParams(await readJsonObject(context.request), context.request.signal);
  const model = await requireModel(context, services, params.model);
  const identity = identify("cmpl-", model, services.clock);
  let promptTexts: string[] = [];
  const promptScores = promptScoresOf(params);
  return runTextGeneration(context, services, {
    path: "/v1/completions",
    model,
    params,
    async generate(options, signal) {
      promptTexts = await textsOf(params, model.record, services.engines, signal);
      const generation = toGeneration(params, model.record, promptScores);
      const onPrompt = async (count: number): Promise<void> => {
        requireReportable(params, promptScores, count);
        await options.onPrompt(count);
      };
      const wanted = { ...generation, ...options, ...namesEngine(identity), onPrompt };
      return generate(wanted, services.engines, signal);
    },
    async collect(events) {
      const { choices, counts } = await collectCompletions(events, params, {
        texts: promptTexts,
        scores: promptScores,
      });
      return { body: textCompletion(identity, choices, counts), counts };
    },
    stream: (reply) =>
      completionStream({
        ...reply,
        identity,
        includeUsage: params.includeUsage,
        logprobs: params.logprobs,
        echoes: params.echo,
        promptScores,
        promptText: (choice) => promptTexts[Math.floor(choice / params.bestOf)] ?? "",
      }),
  });
};

/** The prompts as text, if the response needs them: `echo` returns them, `text_offset` counts from their start. */
async function textsOf(
  { prompts, echo, logprobs }: CompletionParams,
  model: ChatModelRecord,
  engines: EngineSupervisor,
  signal: AbortSignal,
): Promise<string[]> {
  if (!echo && logprobs === undefined) return [];
  const texts = prompts.filter((prompt) => typeof prompt === "string");
  if (texts.length === prompts.length) return texts;
  return engines.use(model, signal, (engine) =>
    abortable(
      Promise.all(prompts.map((prompt) => (typeof prompt === "string" ? prompt : engine.decode(prompt)))),
      signal,
    ),
  );
}
