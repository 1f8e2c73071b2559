import { z } from "zod";

/** `metadata`, within OpenAI's limits: 16 pairs, names of 64 and values of 512 characters. */
export const metadataSchema = z
  .record(z.string().max(64), z.string().max(512))
  .refine((pairs) => Object.keys(pairs).length <= 16, "expected at most 16 pairs");
