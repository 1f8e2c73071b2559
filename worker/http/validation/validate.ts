import * as z from "zod/mini";
import { loadPart } from "../../lazy/part.ts";

// Otherwise zod probes `new Function`, which a strict CSP reports as a violation.
z.config({ jitless: true });

/**
 * Validates with zod.
 *
 * @throws {ApiError} 400 with `param` and a `code` of OpenAI's: `missing_required_parameter`, `invalid_type`,
 * `invalid_value`, `decimal_above_max_value`, `integer_below_min_value`, `array_above_max_length`, …
 */
export async function validate<T extends z.ZodMiniType>(schema: T, value: unknown): Promise<z.output<T>> {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  const { invalidValue } = await loadPart(() => import("./invalid-value.ts"));
  throw invalidValue(result.error.issues);
}
