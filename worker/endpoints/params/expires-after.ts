import * as z from "zod/mini";
import { integer } from "../../http/validation/fields.ts";

/** OpenAI's expiry policy for files: one hour to thirty days after creation. */
export const expiresAfterSchema = z.object({
  anchor: z.enum(["created_at"]),
  seconds: integer(3600, 2_592_000),
});
