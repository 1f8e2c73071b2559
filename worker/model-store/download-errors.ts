/** Errors of downloads. */

import { forbidden } from "../../src/protocol/assets/assets.ts";
import { EngineError, type EngineErrorCode } from "../engine-api/engine-error.ts";
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

type Page = Pick<StoreEnvironment, "origin">;

/** Browsers do not tell an unreachable server from one whose responses the page may not read. */
export function unreachable(url: string, page: Page): string {
  const isOwn = addressOf(url, page).origin === page.origin;
  const other = isOwn ? "" : ", or this page may not read it (CORS, Content-Security-Policy)";
  return policyRefusal(url, page) ?? `the server could not be reached${other}`;
}

/** How to allow a request that the policy refused; undefined if it did not, or the event is still to come. */
export function policyRefusal(url: string, page: Page): string | undefined {
  const { href, origin } = addressOf(url, page);
  // Of a redirect, the event names the first address.
  return forbidden.has(href)
    ? `the Content-Security-Policy forbids it (connect-src): allow ${origin}, and the origins to which it redirects`
    : undefined;
}

function addressOf(url: string, { origin }: Page): URL {
  return new URL(url, origin || undefined);
}
