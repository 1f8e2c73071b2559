import * as z from "zod/mini";

/** `metadata` with OpenAI's limits: 16 pairs, keys of 64 and values of 512 characters. */
export const metadataSchema = z.record(z.string(), z.string().check(z.maxLength(512))).check(
  z.refine((pairs) => Object.keys(pairs).length <= 16, "expected at most 16 pairs"),
  z.refine(
    (pairs) => Object.keys(pairs).every((key) => key.length <= 64),
    "expected keys of at most 64 characters",
  ),
);
