import * as z from "zod/mini";
import { withoutProtoKey } from "../../http/validation/fields.ts";

const MAX_PAIRS = 16;
const MAX_KEY_LENGTH = 64;

const pairs = z.record(z.string(), z.string().check(z.maxLength(512))).check(
  z.superRefine((given, context) => {
    const keys = Object.keys(given);
    if (keys.length > MAX_PAIRS) {
      context.addIssue({
        code: "custom",
        params: { code: "object_above_max_properties" },
        message: `Invalid '{param}': too many properties. Expected an object with at most ${MAX_PAIRS} properties, but got an object with ${keys.length} properties instead.`,
      });
      return;
    }
    const long = keys.find((key) => key.length > MAX_KEY_LENGTH);
    if (long === undefined) return;
    context.addIssue({
      code: "custom",
      path: [long],
      params: { code: "property_name_above_max_length" },
      message: `Invalid property name in 'metadata': '${long.slice(0, 3)}...${long.slice(-3)}' is too long. Expected a string with maximum length ${MAX_KEY_LENGTH}, but got a string with length ${long.length} instead.`,
    });
  }),
);

/** `metadata` with OpenAI's limits: 16 pairs, keys of 64 and values of 512 characters. */
export const metadataSchema = z.pipe(withoutProtoKey, pairs);
