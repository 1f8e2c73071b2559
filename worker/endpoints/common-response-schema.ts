import { z } from "zod";
import { ERROR_TYPES } from "../http/api-error.ts";

const count = z.int().min(0);

export const usageSchema = z
  .strictObject({
    prompt_tokens: count,
    completion_tokens: count,
    total_tokens: count,
    prompt_tokens_details: z.strictObject({ cached_tokens: count, audio_tokens: count }),
    completion_tokens_details: z.strictObject({
      reasoning_tokens: count,
      audio_tokens: count,
      accepted_prediction_tokens: count,
      rejected_prediction_tokens: count,
    }),
  })
  .refine((usage) => usage.total_tokens === usage.prompt_tokens + usage.completion_tokens)
  .refine((usage) => usage.prompt_tokens_details.cached_tokens <= usage.prompt_tokens)
  .refine((usage) => usage.completion_tokens_details.reasoning_tokens <= usage.completion_tokens);

export const errorSchema = z.strictObject({
  error: z.strictObject({
    message: z.string().min(1),
    type: z.enum(ERROR_TYPES),
    param: z.string().nullable(),
    code: z.string().min(1),
  }),
});
