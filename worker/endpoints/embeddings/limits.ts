/** Checks that need the loaded model. Inputs that are too long are refused, never truncated. */

import type { EmbeddingModelInfo } from "../../engine-api/embedding-engine.ts";
import { collapsedBytesUpTo } from "../../engines/chat/collapsed-bytes.ts";
import { type PreparedInputs, prefixesBy } from "../../engines/embeddings/prepare-inputs.ts";
import { type ApiError, badRequest } from "../../http/api-error.ts";
import { requireInRange } from "../../http/validation/integer-range.ts";
import { shown, supported } from "../../http/validation/values-in-errors.ts";
import type { EmbeddingParams } from "./params.ts";

/** Total of all inputs of a request (OpenAI reference, Embeddings). */
const MAX_TOKENS_PER_REQUEST = 300_000;

/** @throws {ApiError} 400 if the model has no prefix of that name */
export function requireKnownUse(use: string, info: EmbeddingModelInfo): void {
  const uses = [...prefixesBy(info).keys()];
  if (uses.includes(use)) return;
  throw badRequest("invalid_value", "input_type", `Invalid value: ${shown(use)}. ${supported(uses)}`);
}

/** Shorter texts are always tokenized: white space and long unknown words make few tokens. */
const COUNTED_BYTES = 65_536;

/**
 * Refuses inputs with too many bytes for the token limit before the slow tokenization.
 *
 * @throws {ApiError} 400 `context_length_exceeded` or `max_tokens_per_request`
 */
export function requireCountableInputs(
  { inputs }: EmbeddingParams,
  { maxTokens, longestTokenBytes = Number.POSITIVE_INFINITY }: EmbeddingModelInfo,
): void {
  const mostBytes = Math.max(COUNTED_BYTES, maxTokens * longestTokenBytes);
  let total = 0;
  for (const [at, input] of inputs.entries()) {
    const least =
      typeof input === "string"
        ? Math.ceil(collapsedBytesUpTo(input, mostBytes) / longestTokenBytes)
        : input.length;
    const most = typeof input === "string" ? Math.ceil(mostBytes / longestTokenBytes) : maxTokens;
    if (least > most) throw tooLong(inputs.length === 1 ? "input" : `input[${at}]`, maxTokens, least);
    total += least;
  }
  if (total > MAX_TOKENS_PER_REQUEST) throw tooMany(total);
}

function tooLong(param: string, maxTokens: number, tokens: number): ApiError {
  return badRequest(
    "context_length_exceeded",
    param,
    `This model's maximum context length is ${maxTokens} tokens, however you requested ${tokens} tokens (${tokens} in your prompt; 0 for the completion). Please reduce your prompt; or completion length.`,
  );
}

function tooMany(tokens: number): ApiError {
  return badRequest(
    "max_tokens_per_request",
    "input",
    `Invalid 'input': maximum request size is ${MAX_TOKENS_PER_REQUEST} tokens, however you requested ${tokens} tokens.`,
  );
}

/**
 * Returns the total number of tokens.
 *
 * @throws {ApiError} 400 for an input that is too long, or a token outside the vocabulary
 */
export function requireFittingInputs({ inputs }: EmbeddingParams, prepared: PreparedInputs): number {
  const { maxTokens, vocabularySize } = prepared.info;
  let total = 0;
  for (const [at, tokens] of prepared.tokens.entries()) {
    const param = inputs.length === 1 ? "input" : `input[${at}]`;
    if (tokens.length > maxTokens) {
      throw tooLong(param, maxTokens, tokens.length);
    }
    const input = inputs[at]!;
    const unknown =
      typeof input === "string" ? undefined : input.find((token) => token < 0 || token >= vocabularySize);
    if (unknown !== undefined) {
      throw badRequest(
        "invalid_value",
        param,
        `Invalid '${param}': the token ${unknown} is not in this model's vocabulary of ${vocabularySize} tokens. Use this model's tokenizer, or send the text.`,
      );
    }
    total += tokens.length;
  }
  if (total > MAX_TOKENS_PER_REQUEST) {
    throw tooMany(total);
  }
  return total;
}

/**
 * The length to which vectors are truncated; undefined for full length.
 *
 * @throws {ApiError} 400 if the model was not trained for shorter vectors, or the number is out of range
 */
export function requireDimensions(
  wanted: number | undefined,
  { dimensions: full, shortestDimensions }: EmbeddingModelInfo,
): number | undefined {
  if (wanted === undefined || wanted === full) return undefined;
  if (shortestDimensions === undefined) {
    throw badRequest(
      "unsupported_parameter",
      "dimensions",
      "This model does not support specifying dimensions.",
    );
  }
  requireInRange("dimensions", wanted, { least: shortestDimensions, most: full });
  return wanted;
}
