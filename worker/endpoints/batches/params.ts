import * as z from "zod/mini";
import type { NewBatch } from "../../batch/batch-store.ts";
import { ignoredHeader } from "../../http/validation/ignored-fields.ts";
import { validate } from "../../http/validation/validate.ts";
import { expiresAfterSchema } from "../params/expires-after.ts";
import { metadataSchema } from "../params/metadata.ts";
import { unsupportedValue } from "../params/refuse.ts";

const ENDPOINTS = ["/v1/chat/completions", "/v1/completions", "/v1/embeddings"] as const;

/** OpenAI's other endpoints of batches. */
const OTHER_ENDPOINTS: readonly unknown[] = [
  "/v1/responses",
  "/v1/moderations",
  "/v1/images/generations",
  "/v1/images/edits",
  "/v1/videos",
];

export const schema = z.object({
  input_file_id: z.string().check(z.minLength(1)),
  endpoint: z.enum(ENDPOINTS),
  completion_window: z.enum(["24h"]),
  metadata: z.nullish(metadataSchema),
  output_expires_after: z.nullish(expiresAfterSchema),
});

const KNOWN = new Set(Object.keys(schema.shape));

/**
 * The batch to create, and the header that lists the ignored fields.
 *
 * @throws {ApiError} 400 that names the parameter
 */
export async function parseBatchParams(
  body: Record<string, unknown>,
): Promise<{ batch: NewBatch; headers: Record<string, string> }> {
  if (OTHER_ENDPOINTS.includes(body.endpoint)) throw unsupportedValue("endpoint", body.endpoint, ENDPOINTS);
  const { input_file_id, endpoint, metadata, output_expires_after } = await validate(schema, body);
  const output_life_s = output_expires_after?.seconds ?? null;
  return {
    batch: { input_file_id, endpoint, metadata: metadata ?? null, output_life_s },
    headers: ignoredHeader(body, KNOWN),
  };
}
