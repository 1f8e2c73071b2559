/**
 * Alternatives to `response_format`: vLLM's `structured_outputs` with its deprecated names `guided_*`, and llama.cpp's
 * `json_schema` and `grammar`.
 */

import * as z from "zod/mini";
import { isObject } from "../../../src/shared/is-object.ts";
import type { CompileRequest } from "../../generation/schemas/compile-request.ts";
import { badRequest } from "../../http/api-error.ts";
import { jsonObject } from "../../http/validation/fields.ts";

const jsonSchema = z.union([jsonObject, z.string()]);
const choices = z.array(z.string()).check(z.minLength(1));

const structuredOutputs = z.object({
  json: z.nullish(jsonSchema),
  json_object: z.nullish(z.boolean()),
  regex: z.nullish(z.string()),
  choice: z.nullish(choices),
  grammar: z.nullish(z.string()),
  structural_tag: z.nullish(z.string()),
});

/** For the list of ignored fields: others of vLLM's are not read, such as `whitespace_pattern`. */
export const STRUCTURED_OUTPUTS = Object.keys(structuredOutputs.shape).map(
  (name) => `structured_outputs.${name}`,
);

export const structuredOutputsSchema = {
  structured_outputs: z.nullish(structuredOutputs),
  guided_json: z.nullish(jsonSchema),
  guided_regex: z.nullish(z.string()),
  guided_choice: z.nullish(choices),
  guided_grammar: z.nullish(z.string()),
  json_schema: z.nullish(jsonSchema),
  grammar: z.nullish(z.string()),
};

type Params = z.output<z.ZodMiniObject<typeof structuredOutputsSchema>>;

/** The requested format, and the parameter that requests it. */
interface StructuredOutput {
  param: string;
  format: CompileRequest["format"];
}

/**
 * Returns the one requested format: `own`, the endpoint's own parameter, or one of these.
 *
 * @throws {ApiError} 400 for two formats at once, for a grammar, and for a schema string that is not JSON
 */
export function chooseFormat(own: StructuredOutput, params: Params): StructuredOutput {
  const {
    json,
    json_object: object,
    regex,
    choice,
    grammar,
    structural_tag: tag,
  } = params.structured_outputs ?? {};
  const asked = [
    own.format.type === "text" ? undefined : own,
    fromJson("structured_outputs.json", json),
    fromJson("guided_json", params.guided_json),
    fromJson("json_schema", params.json_schema),
    object
      ? { param: "structured_outputs.json_object", format: { type: "json_object" as const } }
      : undefined,
    fromRegex("structured_outputs.regex", regex),
    fromRegex("guided_regex", params.guided_regex),
    fromChoice("structured_outputs.choice", choice),
    fromChoice("guided_choice", params.guided_choice),
    unsupported("structured_outputs.grammar", grammar),
    unsupported("structured_outputs.structural_tag", tag),
    unsupported("guided_grammar", params.guided_grammar),
    // An empty one is none in llama.cpp.
    unsupported("grammar", params.grammar || null),
  ].filter((one) => one !== undefined);
  const [first, second] = asked;
  if (!first || !second) return first ?? own;
  throw badRequest(
    "invalid_value",
    second.param,
    `Invalid '${second.param}': a reply can follow only one format, and '${first.param}' already sets one.`,
  );
}

function fromJson(
  param: string,
  value: Record<string, unknown> | string | null | undefined,
): StructuredOutput | undefined {
  if (value === null || value === undefined) return undefined;
  const schema = typeof value === "string" ? parseSchema(param, value) : value;
  return { param, format: { type: "json_schema", name: param, schema, strict: false } };
}

function parseSchema(param: string, text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // Reported below.
  }
  throw badRequest(
    "invalid_value",
    param,
    `Invalid '${param}': expected a JSON schema, as an object or its JSON.`,
  );
}

function fromRegex(param: string, pattern: string | null | undefined): StructuredOutput | undefined {
  return pattern === null || pattern === undefined
    ? undefined
    : { param, format: { type: "regex", pattern } };
}

function fromChoice(param: string, options: string[] | null | undefined): StructuredOutput | undefined {
  return options ? { param, format: { type: "choice", options } } : undefined;
}

function unsupported(param: string, value: unknown): undefined {
  if (value === null || value === undefined) return;
  throw badRequest(
    "unsupported_parameter",
    param,
    `Unsupported parameter: '${param}' is not supported by this runtime. Use a JSON schema, a regex or a choice.`,
  );
}
