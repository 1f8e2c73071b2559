import { isObject } from "../../../src/shared/is-object.ts";
import { badRequest } from "../api-error.ts";
import { isTooDeep, MAX_JSON_DEPTH } from "./json-depth.ts";

/**
 * Reads the body as a JSON object.
 *
 * @throws {ApiError} 400 for a body that is empty, not UTF-8, not JSON, nested too deeply, or not an object
 */
export async function readJsonObject(request: Request): Promise<Record<string, unknown>> {
  const text = toText(await request.arrayBuffer());
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw badRequest(
      "invalid_json",
      null,
      `We could not parse the JSON body of your request${text.trim() === "" ? ": it is empty" : ""}. ${(error as Error).message}`,
    );
  }
  if (isTooDeep(value)) {
    const message = `The JSON body of your request is nested deeper than ${MAX_JSON_DEPTH} levels.`;
    throw badRequest("invalid_json", null, message);
  }
  if (!isObject(value)) {
    throw badRequest("invalid_json", null, "The JSON body of your request must be an object.");
  }
  return value;
}

/** Like `Request.text()`, which replaces bytes that are not UTF-8. */
function toText(body: ArrayBuffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    throw badRequest("invalid_json", null, "The JSON body of your request is not valid UTF-8.");
  }
}
