/** `response_format` of chats (OpenAI reference, Chat) and of text completions (vLLM). */

import * as z from "zod/mini";
import type { CompileRequest } from "../../generation/schemas/compile-request.ts";
import { jsonObject } from "../../http/validation/fields.ts";
import { identifier } from "../../http/validation/identifier.ts";

export const responseFormatSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text") }),
  // `schema` is llama.cpp's extension; Instructor also sends it.
  z.object({ type: z.literal("json_object"), schema: z.nullish(jsonObject) }),
  z.object({
    type: z.literal("json_schema"),
    json_schema: z.object({
      name: identifier(64),
      description: z.nullish(z.string()),
      schema: z.nullish(jsonObject),
      strict: z.nullish(z.boolean()),
    }),
  }),
]);

/** The format that is compiled; plain text if the request names none. */
export function toFormat(
  format: z.output<typeof responseFormatSchema> | null | undefined,
): CompileRequest["format"] {
  if (!format) return { type: "text" };
  if (format.type === "json_object" && format.schema) {
    return { type: "json_schema", name: "json_object", schema: format.schema, strict: false };
  }
  if (format.type !== "json_schema") return { type: format.type };
  const { name, schema, strict } = format.json_schema;
  if (!schema) return { type: "json_object" };
  return { type: "json_schema", name, schema, strict: strict ?? false };
}
