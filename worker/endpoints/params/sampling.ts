import * as z from "zod/mini";
import type { SamplingDefaults } from "../../engine-api/chat-engine.ts";
import { MAX_REPETITION_PENALTY, MIN_REPETITION_PENALTY } from "../../engines/chat/read-sampling-defaults.ts";
import type { RequestedSampling } from "../../generation/sampling-defaults.ts";
import { badRequest } from "../../http/api-error.ts";
import { integer, withoutProtoKey } from "../../http/validation/fields.ts";

/** Sampling parameters shared by all text endpoints. */
export const samplingSchema = {
  temperature: z.nullish(z.number().check(z.minimum(0), z.maximum(2))),
  top_p: z.nullish(z.number().check(z.minimum(0), z.maximum(1))),
  /** -1 and 0 both disable the limit. */
  top_k: z.nullish(integer(-1)),
  min_p: z.nullish(z.number().check(z.minimum(0), z.maximum(1))),
  frequency_penalty: z.nullish(z.number().check(z.minimum(-2), z.maximum(2))),
  presence_penalty: z.nullish(z.number().check(z.minimum(-2), z.maximum(2))),
  repetition_penalty: z.nullish(z.number().check(z.positive())),
  logit_bias: z.nullish(
    z.pipe(
      withoutProtoKey,
      z.record(
        z.string().check(z.regex(/^\d+$/, "Expected a non-negative integer")),
        z.number().check(z.minimum(-100), z.maximum(100)),
      ),
    ),
  ),
  /** 64 bits, as at OpenAI; JSON rounds values beyond 53 bits. */
  seed: z.nullish(integer(-(2 ** 63), 2 ** 63)),
  stop: z.nullish(z.union([z.string(), z.array(z.string()).check(z.maxLength(4))])),
  /** vLLM extension: ends the reply at these tokens, without their text. */
  stop_token_ids: z.nullish(z.array(integer(0)).check(z.maxLength(128))),
  include_stop_str_in_output: z.nullish(z.boolean()),
  /** vLLM extension: the model's own end tokens do not end the reply. */
  ignore_eos: z.nullish(z.boolean()),
  /** vLLM extension: minimum tokens before an end token or one of `stop_token_ids` can be sampled. */
  min_tokens: z.nullish(integer(0)),
  n: z.nullish(integer(1, 128)),
  stream: z.nullish(z.boolean()),
  stream_options: z.nullish(
    z.object({ include_usage: z.nullish(z.boolean()), include_obfuscation: z.nullish(z.boolean()) }),
  ),
};

type SamplingParams = z.output<z.ZodMiniObject<typeof samplingSchema>>;

/**
 * Converts sampling parameters; those with a default of the model may be absent.
 *
 * @throws {ApiError} 400 if `min_tokens` is larger than `maxTokens`
 */
export function toSampling(params: SamplingParams, maxTokens: number | undefined): RequestedSampling {
  const minTokens = params.min_tokens ?? 0;
  if (maxTokens !== undefined && minTokens > maxTokens) {
    throw badRequest(
      "invalid_value",
      "min_tokens",
      `Invalid 'min_tokens': ${minTokens} is larger than the maximum of ${maxTokens} tokens for the reply.`,
    );
  }
  return {
    ...defined({
      temperature: params.temperature,
      topP: params.top_p,
      topK: params.top_k && Math.max(0, params.top_k),
      minP: params.min_p,
      frequencyPenalty: params.frequency_penalty,
      presencePenalty: params.presence_penalty,
      repetitionPenalty:
        params.repetition_penalty &&
        Math.min(Math.max(params.repetition_penalty, MIN_REPETITION_PENALTY), MAX_REPETITION_PENALTY),
    }),
    logitBias: byToken(params.logit_bias ?? {}),
    seed: params.seed ?? undefined,
    maxTokens,
    ...(params.stop_token_ids?.length ? { stopTokens: params.stop_token_ids } : {}),
    ...(params.ignore_eos ? { ignoreEos: true } : {}),
    ...(minTokens > 0 ? { minTokens } : {}),
  };
}

/** The last of several spellings of one token counts, such as "1" and "01", as at vLLM. */
function byToken(biases: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(biases).map(([id, bias]) => [Number(id), bias]));
}

/** Without what is null or absent. */
function defined(values: Record<keyof SamplingDefaults, number | null | undefined>): SamplingDefaults {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value != null));
}

/** As at OpenAI, empty stop strings are ignored; they would match at once. */
export function toStopList(stop: string | string[] | null | undefined): string[] {
  return (typeof stop === "string" ? [stop] : (stop ?? [])).filter((one) => one !== "");
}

/** @throws {ApiError} 400 for stream options without `stream` */
export function requireStreamForOptions(params: { stream?: unknown; stream_options?: unknown }): void {
  if (!params.stream_options || params.stream) return;
  throw badRequest(
    "invalid_value",
    "stream_options",
    "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
  );
}
