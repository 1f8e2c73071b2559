/** One line of an input file: its request or its error. */

import { isObject } from "../../../src/shared/is-object.ts";
import { isTooDeep, MAX_JSON_DEPTH } from "../../http/body/json-depth.ts";
import type { BatchError } from "../schema.ts";
import { type Line, MAX_LINE_BYTES } from "./lines.ts";

/** A line that can be run. */
export interface RequestLine {
  number: number;
  customId: string;
  body: Record<string, unknown>;
}

type ParsedLine = { ok: true; request: RequestLine } | { ok: false; error: BatchError };

/** OpenAI's code for a line whose `url` is not the batch's endpoint (documented for batches on Azure). */
const URL_MISMATCH = "url_mismatch";

const MAX_CUSTOM_ID_LENGTH = 512;

/** Checks everything that does not depend on other lines. */
export function parseLine({ number, text, isTooLong }: Line, endpoint: string): ParsedLine {
  const wrong = (code: string, param: string | null, message: string): ParsedLine => ({
    ok: false,
    error: { code, line: number, message, param },
  });
  if (isTooLong) {
    const message = `This line is longer than ${MAX_LINE_BYTES / 2 ** 20} MiB, the limit for a request of a batch.`;
    return wrong("invalid_json_line", null, message);
  }
  const value = text === undefined ? undefined : parseJson(text);
  if (!isObject(value)) {
    return wrong("invalid_json_line", null, "This line is not parseable as valid JSON.");
  }
  if (isTooDeep(value)) {
    return wrong("invalid_json_line", null, `This line is nested deeper than ${MAX_JSON_DEPTH} levels.`);
  }
  for (const param of ["custom_id", "method", "url", "body"] as const) {
    if (value[param] === undefined || value[param] === null) return missing(param);
  }
  const { custom_id: customId, method, url, body } = value;
  if (typeof customId !== "string" || customId === "" || customId.length > MAX_CUSTOM_ID_LENGTH) {
    const message = `Invalid 'custom_id': expected a string of 1 to ${MAX_CUSTOM_ID_LENGTH} characters.`;
    return wrong("invalid_value", "custom_id", message);
  }
  if (method !== "POST")
    return wrong("invalid_value", "method", "Invalid 'method': only 'POST' is supported.");
  if (url !== endpoint) {
    const message = `The URL '${String(url)}' does not match the endpoint of the batch, '${endpoint}'.`;
    return wrong(URL_MISMATCH, "url", message);
  }
  if (!isObject(body)) return wrong("invalid_type", "body", "Invalid type for 'body': expected an object.");
  if (body.model === undefined || body.model === null) return missing("body.model");
  if (typeof body.model !== "string") {
    return wrong("invalid_type", "body.model", "Invalid type for 'body.model': expected a string.");
  }
  return { ok: true, request: { number, customId, body } };

  function missing(param: string): ParsedLine {
    return wrong("missing_required_parameter", param, `Missing required parameter: '${param}'.`);
  }
}

/** Number of texts in an embeddings request; other requests count as one. */
export function inputsOf({ body: { input } }: RequestLine): number {
  if (!Array.isArray(input) || typeof input[0] === "number") return 1;
  return Math.max(1, input.length);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
