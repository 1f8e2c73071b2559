import * as z from "zod/mini";
import { withoutImagePlaceholders } from "../../engine-api/prompt-image.ts";
import type { ResponseFormat } from "../../generation/chat-request.ts";
import type { RequestedSampling } from "../../generation/sampling-defaults.ts";
import { badRequest } from "../../http/api-error.ts";
import { integer } from "../../http/validation/fields.ts";
import { ignoredHeader } from "../../http/validation/ignored-fields.ts";
import { validate } from "../../http/validation/validate.ts";
import { tooLongArray } from "../../http/validation/values-in-errors.ts";
import { type Refusals, refuseUnsupported, unsupported } from "../params/refuse.ts";
import { requireConstraints } from "../params/require-constraints.ts";
import { responseFormatSchema, toFormat } from "../params/response-format.ts";
import { requireStreamForOptions, samplingSchema, toSampling, toStopList } from "../params/sampling.ts";
import { chooseFormat, STRUCTURED_OUTPUTS, structuredOutputsSchema } from "../params/structured-outputs.ts";

/** vLLM's limit of a request; OpenAI publishes none. */
const MAX_PROMPTS = 1024;

const token = integer(0);

export const schema = z.object({
  ...samplingSchema,
  ...structuredOutputsSchema,
  model: z.string().check(z.minLength(1)),
  /** Null is the beginning of a new document. */
  prompt: z.nullable(
    z.union([
      z.string(),
      z.array(z.string()).check(z.minLength(1)),
      z.array(token).check(z.minLength(1)),
      z.array(z.array(token).check(z.minLength(1))).check(z.minLength(1)),
    ]),
  ),
  max_tokens: z.nullish(integer(0)),
  logprobs: z.nullish(integer(0, 5)),
  /** vLLM extension: the log probabilities of the prompt's tokens. */
  prompt_logprobs: z.nullish(integer(0, 20)),
  best_of: z.nullish(integer(1, 20)),
  echo: z.nullish(z.boolean()),
  /** vLLM extension: as in chats. */
  response_format: z.nullish(responseFormatSchema),
  user: z.nullish(z.string()),
});

/** OpenAI's default for this endpoint. */
const DEFAULT_MAX_TOKENS = 16;

/** A validated text completion request. */
export interface CompletionParams {
  model: string;
  prompts: (string | number[])[];
  sampling: RequestedSampling;
  stop: string[];
  includeStop: boolean;
  responseFormat: ResponseFormat;
  /** Replies returned for each prompt. */
  choices: number;
  /** Replies generated for each prompt, of which the likeliest are returned. */
  bestOf: number;
  logprobs: number | undefined;
  /** Alternatives to each token of the prompt, in vLLM's form. */
  promptLogprobs: number | undefined;
  echo: boolean;
  stream: boolean;
  includeUsage: boolean;
  /** Lists the ignored fields. */
  headers: Record<string, string>;
}

const REFUSALS: Refusals = { suffix: unsupported(z.string(), (value) => value === "") };

const KNOWN = new Set([...Object.keys(schema.shape), ...STRUCTURED_OUTPUTS, ...Object.keys(REFUSALS)]);

/** @throws {ApiError} 400 that names the parameter */
export async function parseCompletionParams(
  body: Record<string, unknown>,
  signal: AbortSignal,
): Promise<CompletionParams> {
  const params = await validate(schema, body);
  const prompts = toPrompts(params.prompt);
  if (prompts.length > MAX_PROMPTS) throw tooLongArray("prompt", MAX_PROMPTS, prompts.length);
  await refuseUnsupported(body, REFUSALS);
  requireStreamForOptions(params);
  const choices = params.n ?? 1;
  const bestOf = params.best_of ?? choices;
  requireConsistent(params, choices, bestOf);
  const own = { param: "response_format", format: toFormat(params.response_format) };
  const { param, format } = chooseFormat(own, params);
  const { responseFormat } = await requireConstraints({ tools: [], format }, { format: param }, signal);
  return {
    model: params.model,
    responseFormat,
    prompts,
    sampling: toSampling(params, params.max_tokens ?? DEFAULT_MAX_TOKENS),
    stop: toStopList(params.stop),
    includeStop: params.include_stop_str_in_output ?? false,
    choices,
    bestOf,
    logprobs: params.logprobs ?? undefined,
    promptLogprobs: params.prompt_logprobs ?? undefined,
    echo: params.echo ?? false,
    stream: params.stream ?? false,
    includeUsage: params.stream_options?.include_usage ?? false,
    headers: ignoredHeader(body, KNOWN),
  };
}

/** @throws {ApiError} 400 for parameters that contradict each other */
function requireConsistent(
  { stream, prompt_logprobs: promptLogprobs }: z.output<typeof schema>,
  choices: number,
  bestOf: number,
): void {
  if (bestOf < choices) {
    throw badRequest(
      "invalid_value",
      "best_of",
      "You requested that the server return more choices than it will generate (HINT: 'best_of' must be at least 'n').",
    );
  }
  if (bestOf > choices && stream) {
    throw badRequest("invalid_value", "best_of", "'best_of' greater than 'n' cannot be streamed.");
  }
  if (stream && typeof promptLogprobs === "number") {
    throw badRequest(
      "invalid_parameter_combination",
      "prompt_logprobs",
      "'prompt_logprobs' cannot be streamed. With 'echo' and 'logprobs', the log probabilities of the prompt can.",
    );
  }
}

function toPrompts(prompt: z.output<typeof schema>["prompt"]): (string | number[])[] {
  if (prompt === null) return [""];
  if (typeof prompt === "string") return [withoutImagePlaceholders(prompt)];
  if (typeof prompt[0] === "number") return [prompt as number[]];
  return (prompt as (string | number[])[]).map((one) =>
    typeof one === "string" ? withoutImagePlaceholders(one) : one,
  );
}
