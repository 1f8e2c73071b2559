import * as z from "zod/mini";
import type { EmbeddingInput } from "../../engines/embeddings/prepare-inputs.ts";
import { type ApiError, badRequest } from "../../http/api-error.ts";
import { integer } from "../../http/validation/fields.ts";
import { ignoredHeader } from "../../http/validation/ignored-fields.ts";
import { validate } from "../../http/validation/validate.ts";
import { tooLongArray, wrongType } from "../../http/validation/values-in-errors.ts";

/** Limit of a request (OpenAI reference, Embeddings). */
const MAX_INPUTS = 2048;

export const schema = z.object({
  model: z.string().check(z.minLength(1)),
  encoding_format: z.nullish(z.enum(["float", "base64"])),
  dimensions: z.nullish(integer(1)),
  user: z.nullish(z.string()),
  input_type: z.nullish(z.string()),
});

/** An embeddings request; checks that need the model follow later. */
export interface EmbeddingParams {
  model: string;
  inputs: readonly EmbeddingInput[];
  encoding: "float" | "base64";
  dimensions: number | undefined;
  /** Selects the prefix: `query`, `document`, or another prompt of the model. */
  use: string;
  /** Lists the ignored fields. */
  headers: Record<string, string>;
}

const KNOWN = new Set([...Object.keys(schema.shape), "input"]);

/** @throws {ApiError} 400 that names the parameter */
export async function parseEmbeddingParams(body: Record<string, unknown>): Promise<EmbeddingParams> {
  const params = await validate(schema, body);
  return {
    model: params.model,
    inputs: parseInput(body.input),
    encoding: params.encoding_format ?? "float",
    dimensions: params.dimensions ?? undefined,
    use: params.input_type ?? "document",
    headers: ignoredHeader(body, KNOWN),
  };
}

/** A string, a list of strings, a list of tokens, or a list of lists of tokens. */
function parseInput(input: unknown): readonly EmbeddingInput[] {
  if (input === undefined || input === null) {
    throw badRequest("missing_required_parameter", "input", "Missing required parameter: 'input'.");
  }
  if (typeof input === "string") return [text(input, "input")];
  if (!Array.isArray(input)) throw wrongType("input", "a string or an array", input);
  if (input.length === 0) throw emptyArray("input");
  if (typeof input[0] === "number") return [tokens(input, "input")];
  if (input.length > MAX_INPUTS) throw tooLongArray("input", MAX_INPUTS, input.length);
  const isText = typeof input[0] === "string";
  return input.map((item: unknown, at) =>
    isText ? text(item, `input[${at}]`) : tokens(item, `input[${at}]`),
  );
}

function text(value: unknown, param: string): string {
  if (typeof value !== "string") throw wrongType(param, "a string", value);
  if (value === "") {
    throw badRequest("invalid_value", param, `Invalid '${param}': input cannot be an empty string.`);
  }
  return value;
}

function tokens(value: unknown, param: string): readonly number[] {
  if (!Array.isArray(value)) {
    throw wrongType(param, typeof value === "string" ? "an array" : "a string or an array", value);
  }
  if (value.length === 0) throw emptyArray(param);
  const wrong = value.findIndex((token) => !Number.isInteger(token));
  if (wrong >= 0) throw wrongType(`${param}[${wrong}]`, "an integer", value[wrong]);
  return value as number[];
}

function emptyArray(param: string): ApiError {
  return badRequest(
    "empty_array",
    param,
    `Invalid '${param}': empty array. Expected an array with minimum length 1, but got an empty array instead.`,
  );
}
