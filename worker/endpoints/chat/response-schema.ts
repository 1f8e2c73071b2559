import { z } from "zod";
import { usageSchema } from "../common-response-schema.ts";

const scored = { token: z.string(), bytes: z.array(z.int().min(0).max(255)), logprob: z.number().max(1e-6) };
const logprobs = z
  .strictObject({
    content: z.array(z.strictObject({ ...scored, top_logprobs: z.array(z.strictObject(scored)).max(20) })),
    refusal: z.null(),
  })
  .nullable();
const finishReason = z.enum(["stop", "length", "tool_calls", "function_call"]);
const callId = z.string().regex(/^call_\w{24}$/);

const head = {
  id: z.string().regex(/^chatcmpl-\w{29}$/),
  created: z.int(),
  model: z.string(),
  service_tier: z.literal("default"),
  system_fingerprint: z.string().regex(/^fp_[0-9a-f]{10}$/),
};

export const chatCompletionSchema = z.strictObject({
  ...head,
  object: z.literal("chat.completion"),
  choices: z
    .array(
      z.strictObject({
        index: z.int().min(0),
        message: z.strictObject({
          role: z.literal("assistant"),
          content: z.string().nullable(),
          refusal: z.null(),
          annotations: z.array(z.never()),
          reasoning_content: z.string().min(1).optional(),
          tool_calls: z
            .array(
              z.discriminatedUnion("type", [
                z.strictObject({
                  id: callId,
                  type: z.literal("function"),
                  function: z.strictObject({ name: z.string().min(1), arguments: z.string() }),
                }),
                z.strictObject({
                  id: callId,
                  type: z.literal("custom"),
                  custom: z.strictObject({ name: z.string().min(1), input: z.string() }),
                }),
              ]),
            )
            .min(1)
            .optional(),
          function_call: z.strictObject({ name: z.string().min(1), arguments: z.string() }).optional(),
        }),
        logprobs,
        finish_reason: finishReason,
      }),
    )
    .min(1),
  usage: usageSchema,
});

export const chatChunkSchema = z.strictObject({
  ...head,
  object: z.literal("chat.completion.chunk"),
  choices: z
    .array(
      z.strictObject({
        index: z.int().min(0),
        delta: z.strictObject({
          role: z.literal("assistant").optional(),
          content: z.string().nullable().optional(),
          refusal: z.null().optional(),
          reasoning_content: z.string().min(1).optional(),
          tool_calls: z
            .array(
              z.strictObject({
                index: z.int().min(0),
                id: callId.optional(),
                type: z.enum(["function", "custom"]).optional(),
                function: z.strictObject({ name: z.string().optional(), arguments: z.string() }).optional(),
                custom: z.strictObject({ name: z.string().optional(), input: z.string() }).optional(),
              }),
            )
            .optional(),
          function_call: z.strictObject({ name: z.string().optional(), arguments: z.string() }).optional(),
        }),
        logprobs,
        finish_reason: finishReason.nullable(),
      }),
    )
    .max(1),
  usage: usageSchema.nullable().optional(),
});
