import { keepRequestId } from "./protocol/transfer.ts";

type Send = (request: Request) => Promise<Response>;

/**
 * Builds the `fetch` that answers `baseURL` and its sub-paths through `send` and hands every other address,
 * untouched, to `realFetch`. It follows the Fetch standard where a caller can tell
 * (https://fetch.spec.whatwg.org/#fetch-method).
 */
export function createFetch(baseURL: URL, send: Send, realFetch: typeof fetch): typeof fetch {
  return async function infetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    const url = urlOf(input);
    if (!url || !isUnder(baseURL, url)) return realFetch(input, init);
    // Throws what the real one rejects with: a bad method or header, a used body, a stream without `duplex`.
    const request = new Request(input instanceof Request ? input : url, init);
    // A caller that aborts right after the call must not reach the server (Fetch queues the request as a task).
    await Promise.resolve();
    request.signal.throwIfAborted();
    const response = await send(keepRequestId(request, request));
    return asAnswerOf(request.url, response);
  };
}

/** The absolute address, or undefined for one that the real fetch shall reject. */
function urlOf(input: RequestInfo | URL): URL | undefined {
  try {
    if (input instanceof Request) return new URL(input.url);
    return new URL(String(input), typeof document === "undefined" ? location.href : document.baseURI);
  } catch {
    return undefined;
  }
}

/** True for the base itself and for what lies below it: `/v1` does not hold `/v10`. */
function isUnder(base: URL, url: URL): boolean {
  if (url.origin !== base.origin) return false;
  return url.pathname === base.pathname || url.pathname.startsWith(`${base.pathname}/`);
}

/** A constructed Response has no address: give it the one that was asked for, and to its clones too. */
function asAnswerOf(url: string, response: Response): Response {
  const withoutFragment = url.split("#")[0] ?? url;
  const clone = response.clone;
  return Object.defineProperties(response, {
    url: { value: withoutFragment, configurable: true },
    type: { value: "basic", configurable: true },
    clone: { value: () => asAnswerOf(url, clone.call(response)), configurable: true },
  });
}
