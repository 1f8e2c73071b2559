/** What a call of `fetch` is addressed to. */

/** The absolute address, or undefined for one that the real fetch shall reject. */
export function urlOf(input: RequestInfo | URL): URL | undefined {
  try {
    if (isRequest(input)) return new URL(input.url);
    return new URL(String(input), typeof document === "undefined" ? location.href : document.baseURI);
  } catch {
    return undefined;
  }
}

/** Also for the Request of another realm, a frame's for example. */
export function isRequest(input: unknown): input is Request {
  return Object.prototype.toString.call(input) === "[object Request]";
}

/** True for the base itself and for what lies below it: `/v1` does not hold `/v10`. */
export function isUnder(base: URL, url: URL): boolean {
  if (url.host !== base.host || url.protocol !== base.protocol) return false;
  return `${url.pathname}/`.startsWith(base.pathname.replace(/\/*$/, "/"));
}
