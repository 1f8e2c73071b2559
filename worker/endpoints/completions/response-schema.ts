import { z } from "zod";
import { usageSchema } from "../common-response-schema.ts";

const logprobs = z
  .strictObject({
    tokens: z.array(z.string()),
    // Null for the first token of an echoed prompt.
    token_logprobs: z.array(z.number().max(1e-6).nullable()),
    top_logprobs: z.array(z.record(z.string(), z.number().max(1e-6)).nullable()),
    text_offset: z.array(z.int().min(0)),
  })
  .refine(
    (one) =>
      new Set([one.tokens.length, one.token_logprobs.length, one.top_logprobs.length, one.text_offset.length])
        .size === 1,
  )
  .nullable();

const head = {
  id: z.string().regex(/^cmpl-\w{29}$/),
  object: z.literal("text_completion"),
  created: z.int(),
  model: z.string(),
  system_fingerprint: z.string().regex(/^fp_[0-9a-f]{10}$/),
};
/** vLLM's field; absent if not requested. */
const promptLogprobs = z
  .array(
    z
      .record(
        z.string().regex(/^\d+$/),
        z.strictObject({
          logprob: z.number().max(1e-6),
          rank: z.int().min(1).nullable(),
          decoded_token: z.string(),
        }),
      )
      .nullable(),
  )
  .optional();

const choice = { text: z.string(), index: z.int().min(0), logprobs };

export const completionSchema = z.strictObject({
  ...head,
  choices: z
    .array(
      z.strictObject({
        ...choice,
        finish_reason: z.enum(["stop", "length"]),
        prompt_logprobs: promptLogprobs,
      }),
    )
    .min(1),
  usage: usageSchema,
});

export const completionChunkSchema = z.strictObject({
  ...head,
  choices: z
    .array(z.strictObject({ ...choice, finish_reason: z.enum(["stop", "length"]).nullable() }))
    .max(1),
  usage: usageSchema.nullable().optional(),
});
