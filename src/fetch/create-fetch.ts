import { withinLimit } from "../protocol/liveness/awake-timeout.ts";
import { BODY_READERS, buildRequest, cancelBody } from "../protocol/transfer/request-body.ts";
import { receivedBodyOf } from "../protocol/transfer/transfer-client.ts";
import { abortable, NEVER } from "../shared/abortable.ts";
import { isRequest, isUnder, urlOf } from "./target-url.ts";

type Send = (request: Request) => Promise<Response>;

/**
 * Creates the `fetch` that serves `baseURL` and its sub-paths through `send` and passes every other call, unchanged,
 * to `realFetch`. Observable behavior follows the Fetch standard (https://fetch.spec.whatwg.org/#fetch-method).
 */
export function createFetch(baseURL: URL, send: Send, realFetch: typeof fetch): typeof fetch {
  const infetch = async (...call: Parameters<typeof fetch>): Promise<Response> => {
    const [input, init] = call;
    const url = urlOf(input);
    if (!url || !isUnder(baseURL, url)) return realFetch(...call);
    // Throws the errors that native fetch rejects with: invalid method or header, used body, stream without `duplex`.
    const request = buildRequest(
      isRequest(input) ? input : url,
      hasBlobs(init) ? await withImages(init) : init,
    );
    try {
      // A request aborted in the same task must not reach the server (Fetch queues the request as a task).
      await Promise.resolve();
      request.signal.throwIfAborted();
      const response = await abortable(send(request), request.signal);
      return asResponseTo(request.url, response);
    } catch (error) {
      cancelBody(request, error);
      throw error;
    }
  };
  // Without `fetch.Response`, OpenAI's SDK probes `data:,` before a file upload, which a strict CSP blocks.
  return Object.assign(infetch, { Response });
}

type TextInit = RequestInit & { body: string };

/** Whether the body may have blob URLs of images. */
function hasBlobs(init: RequestInit | undefined): init is TextInit {
  return typeof init?.body === "string" && init.body.includes('"blob:');
}

const PART_LIMIT_MS = 60_000;

async function withImages(init: TextInit): Promise<RequestInit> {
  // Without the part, the server refuses the blob URL.
  const loading = withinLimit(import("./blob-images.ts"), PART_LIMIT_MS, () => new Error("late"));
  const part = await abortable(
    loading.catch(() => undefined),
    init.signal ?? NEVER,
  );
  return part ? { ...init, body: await part.withBlobImages(init.body, init.signal) } : init;
}

/**
 * Sets `url`, which a constructed Response lacks. If its stream fails, Chromium rejects `json()` and the other
 * readers with a generic TypeError, so they are wrapped to reject with the actual error. Also applies to clones.
 */
function asResponseTo(url: string, response: Response, body = receivedBodyOf(response)): Response {
  const define = (name: string, value: unknown): void => {
    Object.defineProperty(response, name, { value, configurable: true });
  };
  const { clone } = response;
  define("url", url.split("#")[0]);
  define("type", "basic");
  define("clone", () => asResponseTo(url, clone.call(response), body));
  for (const name of BODY_READERS) {
    const read: (() => Promise<unknown>) | undefined = response[name];
    if (!body || !read) continue;
    define(name, () =>
      read.call(response).catch((error) => {
        throw body.failure ? body.failure.error : error;
      }),
    );
  }
  return response;
}
