/** Target URLs of `fetch` calls. */

import { kindOf } from "../shared/kind-of.ts";

/** The absolute URL; undefined for an invalid one, which native fetch then rejects. */
export function urlOf(input: RequestInfo | URL): URL | undefined {
  try {
    if (isRequest(input)) return new URL(input.url);
    return new URL(String(input), typeof document === "undefined" ? location.href : document.baseURI);
  } catch {
    return undefined;
  }
}

export function isRequest(input: unknown): input is Request {
  return kindOf(input) === "Request";
}

/** True for the base and its sub-paths: `/v1` does not match `/v10`. */
export function isUnder(base: URL, url: URL): boolean {
  if (url.host !== base.host || url.protocol !== base.protocol) return false;
  return `${url.pathname}/`.startsWith(base.pathname.replace(/\/*$/, "/"));
}
