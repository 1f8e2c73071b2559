/** Errors of downloads. */

import { EngineError, type EngineErrorCode } from "../engines/api/engine-error.ts";
import type { StoreEnvironment } from "./environment.ts";

/** Error text for a missing file: a 404, or an HTML page in its place. */
const NO_SUCH_FILE = "the server responded with 404, or with an HTML page";

/** The server does not have a file that the model needs. */
export class MissingFileError extends EngineError {
  /** Address of the missing file. */
  readonly url: string;

  /** @param message names the file and says where it was looked for */
  constructor(
    message: string,
    url: string,
    code: EngineErrorCode = "hub_file_not_found",
    options: { param?: string } = {},
  ) {
    super(code, message, options);
    this.url = url;
  }

  /** @param url that has no such file */
  static at(url: string): MissingFileError {
    return new MissingFileError(failureText(url, NO_SUCH_FILE), url, "model_download_failed");
  }
}

/** @param url of the file; the message omits its query, which may contain a signature */
export function downloadFailed(url: string, why: string, cause?: unknown): EngineError {
  return new EngineError("model_download_failed", failureText(url, why), { cause });
}

function failureText(url: string, why: string): string {
  return `The model file ${url.split("?")[0]} could not be loaded: ${why}. Send the request again to retry.`;
}

/** Browsers do not tell an unreachable server from one whose responses the page may not read. */
export function unreachable(url: string, { origin }: Pick<StoreEnvironment, "origin">): string {
  const isOwn = new URL(url, origin || undefined).origin === origin;
  const other = isOwn ? "" : ", or this page may not read it (CORS, Content-Security-Policy)";
  return `the server could not be reached${other}`;
}
