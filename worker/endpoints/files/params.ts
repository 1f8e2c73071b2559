/** The form of `POST /v1/files`, parsed as a stream. */

import * as z from "zod/mini";
import type { FileProperties, FileWriter } from "../../batch/files/file-writer.ts";
import { ApiError, badRequest } from "../../http/api-error.ts";
import type { Part } from "../../http/body/multipart.ts";
import { ignoredHeader } from "../../http/validation/ignored-fields.ts";
import { validate } from "../../http/validation/validate.ts";
import { expiresAfterSchema } from "../params/expires-after.ts";
import { unsupportedValue } from "../params/refuse.ts";

/** OpenAI's limit for batch files: 200 MB. */
const MAX_FILE_BYTES = 200 * 1024 * 1024;

/** OpenAI's default for batch files: 30 days. */
const DEFAULT_LIFE_SECONDS = 30 * 24 * 3600;

const MAX_FIELD_BYTES = 64 * 1024;

/** OpenAI's other purposes: nothing here reads such files. */
const OTHER_PURPOSES = ["assistants", "fine-tune", "vision", "user_data", "evals"];

export const schema = z.object({ purpose: z.enum(["batch"]), expires_after: z.optional(expiresAfterSchema) });

/** Nested fields have these names, as OpenAI's SDKs send them. */
const KNOWN = new Set(["file", "purpose", "expires_after[anchor]", "expires_after[seconds]"]);

/**
 * Writes the form's file, and returns its metadata and the header that lists the ignored fields. Fields may be in any
 * order.
 *
 * @throws {ApiError} 400 that names the field; 413 for a file that is too large
 */
export async function receiveForm(
  parts: AsyncIterable<Part>,
  writer: Pick<FileWriter, "bytes" | "write">,
  maxBytes = MAX_FILE_BYTES,
): Promise<{ properties: FileProperties; headers: Record<string, string> }> {
  const fields = new Map<string, string>();
  let filename: string | undefined;
  for await (const part of parts) {
    if (part.name !== "file") {
      fields.set(part.name, await textOf(part));
      continue;
    }
    if (filename !== undefined) throw invalidFile("Send one file only.");
    if (part.filename === undefined) throw invalidFile("It must be sent as a file, with a file name.");
    filename = part.filename;
    for await (const piece of part.content) {
      await writer.write(piece);
      if (writer.bytes > maxBytes) throw tooLarge(maxBytes);
    }
  }
  const purpose = fields.get("purpose") ?? "";
  if (OTHER_PURPOSES.includes(purpose)) throw unsupportedValue("purpose", purpose, ["batch"]);
  const { expires_after } = await validate(schema, formValues(fields));
  if (filename === undefined) {
    throw badRequest("missing_required_parameter", "file", "Missing required parameter: 'file'.");
  }
  if (!filename.toLowerCase().endsWith(".jsonl")) {
    throw badRequest("invalid_file_format", "file", "Invalid file format for Batch API. Must be .jsonl");
  }
  if (writer.bytes === 0) throw badRequest("empty_file", "file", "File is empty.");
  const lifeSeconds = expires_after?.seconds ?? DEFAULT_LIFE_SECONDS;
  return {
    properties: { purpose: "batch", filename, lifeSeconds },
    headers: ignoredHeader(Object.fromEntries(fields), KNOWN),
  };
}

function formValues(fields: Map<string, string>): object {
  const seconds = fields.get("expires_after[seconds]");
  const anchor = fields.get("expires_after[anchor]");
  const hasPolicy = seconds !== undefined || anchor !== undefined;
  const asNumber = seconds !== undefined && /^-?\d+(\.\d+)?$/.test(seconds) ? Number(seconds) : seconds;
  return {
    purpose: fields.get("purpose"),
    ...(hasPolicy ? { expires_after: { anchor, seconds: asNumber } } : {}),
  };
}

async function textOf({ name, content }: Part): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const piece of content) {
    text += decoder.decode(piece, { stream: true });
    if (text.length > MAX_FIELD_BYTES)
      throw badRequest("invalid_value", name, `Invalid '${name}': too long.`);
  }
  return text + decoder.decode();
}

function invalidFile(why: string): ApiError {
  return badRequest("invalid_value", "file", `Invalid 'file': ${why}`);
}

function tooLarge(maxBytes: number): ApiError {
  const message = `The file is larger than the ${maxBytes} bytes that a batch may have. Split it.`;
  return new ApiError(413, "file_too_large", message, { param: "file" });
}
