/** Validates a whole input file, line by line, before any of it runs. */

import type { BatchError } from "../schema.ts";
import type { Line } from "./lines.ts";
import { inputsOf, parseLine, type RequestLine } from "./request-line.ts";

/** OpenAI's limits per batch. */
const MAX_REQUESTS = 50_000;
const MAX_EMBEDDING_INPUTS = 50_000;

/** Enough for a person to read. Validation stops here. */
const MAX_ERRORS = 100;

interface InputCheck {
  errors: BatchError[];
  /** Requests in the file. */
  total: number;
  /** The one model that all lines name. */
  model: string | null;
}

interface CheckOptions {
  endpoint: string;
  /** Whether a batch can run the model. */
  knowsModel(name: string): boolean;
  maxRequests?: number;
}

/** Reports all problems of the file, up to a hundred. */
export async function checkInput(lines: AsyncIterable<Line>, options: CheckOptions): Promise<InputCheck> {
  const { endpoint, maxRequests = MAX_REQUESTS } = options;
  const errors: BatchError[] = [];
  const customIds = new Set<string>();
  let total = 0;
  let inputs = 0;
  let model: string | null = null;
  for await (const line of lines) {
    if (errors.length >= MAX_ERRORS) break;
    if (++total > maxRequests) {
      errors.push(errorOfFile("too_many_tasks", `The file has more than ${maxRequests} requests. Split it.`));
      break;
    }
    const parsed = parseLine(line, endpoint);
    if (!parsed.ok) {
      errors.push(parsed.error);
      continue;
    }
    const { request } = parsed;
    errors.push(...problemsOf(request, model, customIds, options));
    customIds.add(request.customId);
    model ??= request.body.model as string;
    inputs += inputsOf(request);
  }
  if (total === 0) errors.push(errorOfFile("empty_file", "The file has no requests."));
  if (endpoint === "/v1/embeddings" && inputs > MAX_EMBEDDING_INPUTS) {
    const message = `The file has ${inputs} inputs in total; the maximum is ${MAX_EMBEDDING_INPUTS}. Split it.`;
    errors.push(errorOfFile("too_many_tasks", message));
  }
  return { errors, total, model };
}

function problemsOf(
  { number, customId, body }: RequestLine,
  model: string | null,
  customIds: ReadonlySet<string>,
  { knowsModel }: CheckOptions,
): BatchError[] {
  const problems: BatchError[] = [];
  const add = (code: string, param: string, message: string): void => {
    problems.push({ code, line: number, message, param });
  };
  if (customIds.has(customId)) {
    add("duplicate_custom_id", "custom_id", `The custom_id '${customId}' is used by more than one line.`);
  }
  const name = body.model as string;
  if (model !== null && name !== model) {
    add(
      "model_mismatch",
      "body.model",
      `The model '${name}' differs from '${model}' of the lines before. All requests of a batch must use one model.`,
    );
  } else if (model === null && !knowsModel(name)) {
    add("model_not_found", "body.model", `The model '${name}' does not exist or cannot be used in a batch.`);
  }
  return problems;
}

function errorOfFile(code: string, message: string): BatchError {
  return { code, line: null, message, param: null };
}

/** The error of a batch whose file was deleted or has expired. */
export function missingInput(id: string): BatchError {
  const message = `The input file '${id}' no longer exists, or cannot be read.`;
  return { code: "file_not_found", line: null, message, param: "input_file_id" };
}
