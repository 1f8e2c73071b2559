import { z } from "zod";
import type { Sampling } from "../engines/types.ts";
import { integer } from "../http/fields.ts";

/** The sampling parameters that chat and text completions share (spec, POST /v1/chat/completions). */
export const samplingSchema = {
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  /** -1 and 0 both mean: all. */
  top_k: integer(-1).nullish(),
  min_p: z.number().min(0).max(1).nullish(),
  frequency_penalty: z.number().min(-2).max(2).nullish(),
  presence_penalty: z.number().min(-2).max(2).nullish(),
  repetition_penalty: z.number().positive().nullish(),
  logit_bias: z.record(z.string().regex(/^\d+$/), z.number().min(-100).max(100)).nullish(),
  /** OpenAI's are 64 bits wide: beyond 53 bits they come rounded, and equal ones still come equal. */
  seed: integer(-(2 ** 63), 2 ** 63).nullish(),
  stop: z.union([z.string(), z.array(z.string()).max(4)]).nullish(),
  n: integer(1, 128).nullish(),
  stream: z.boolean().nullish(),
  stream_options: z
    .object({ include_usage: z.boolean().nullish(), include_obfuscation: z.boolean().nullish() })
    .nullish(),
};

type SamplingParams = z.output<z.ZodObject<typeof samplingSchema>>;

/** With the spec's defaults. */
export function toSampling(params: SamplingParams, maxTokens: number | undefined): Sampling {
  const topK = params.top_k ?? -1;
  return {
    temperature: params.temperature ?? 1,
    topP: params.top_p ?? 1,
    topK: topK > 0 ? topK : undefined,
    minP: params.min_p ?? 0,
    frequencyPenalty: params.frequency_penalty ?? 0,
    presencePenalty: params.presence_penalty ?? 0,
    repetitionPenalty: params.repetition_penalty ?? 1,
    logitBias: params.logit_bias ?? {},
    seed: typeof params.seed === "number" ? params.seed % 2 ** 53 : undefined,
    maxTokens,
  };
}

/** An empty stop string would match at once: it is left out, as OpenAI does. */
export function toStopList(stop: string | string[] | null | undefined): string[] {
  return (typeof stop === "string" ? [stop] : (stop ?? [])).filter((one) => one !== "");
}
