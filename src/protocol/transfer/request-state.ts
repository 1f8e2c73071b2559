/** Metadata of a request, kept from the page to the endpoint. */

import type { RequestEngine } from "../events.ts";
import type { ServerOptions } from "../options/server-options.ts";
import type { Tier, UsageEvent } from "../rpc/billing.ts";

export interface RequestState {
  /** A v4 UUID generated in the page; identifies a retried request on both ends. */
  readonly id: string;
  /** How many servers had the request before: they may have recorded a response that was never delivered. */
  attempt: number;
  /** The whole body, if it is a short string: it is sent in the request message. */
  text?: string;
  /** The body, if it is not a short string; a stream can be sent only once. Set on the sending side. */
  body?: ReadableStream<Uint8Array> | Blob | Promise<Blob>;
  /** Response bytes read by the caller; absent for in-process responses. */
  readBytes?: number;
  /** Called whenever the caller reads more of the response. */
  onRead?: (() => void) | undefined;
  /** Metered usage, if the request uses a model. */
  metered?: MeteredUse;
  /** True once the sending page has closed or died. */
  isOrphan?: boolean;
  /** The sending page's options; if absent, the server's apply. */
  pageOptions?: PageOptions;
}

/** Options that apply to the requests of one page. */
export type PageOptions = Pick<ServerOptions, "strict" | "samplingDefaults" | "parseSpecialTokens">;

/** Metered usage of one request. */
export interface MeteredUse {
  model: string;
  tier: Tier;
  /** The path under `/v1` that decides which products were used. */
  endpoint: string;
  stream: boolean;
  deploymentName?: string;
  /** The engine, once known. */
  engine(): RequestEngine | undefined;
  /** Settles once the usage is recorded; stays pending if nothing is recorded. */
  settled: Promise<void>;
  /** Outcome and recorded tokens; absent until settled. */
  recorded?: { outcome: UsageEvent["outcome"]; tokens: RecordedTokens };
  /** Reverses the recorded usage of a response that was never delivered. Returns whether it was charged until then. */
  reverseUsage(): Promise<boolean>;
}

type RecordedTokens = Pick<UsageEvent, "inputTokens" | "cachedTokens" | "outputTokens" | "reasoningTokens">;

const known = new WeakMap<Request, RequestState>();

/** Returns the state of a request, and assigns an id to a new one. */
export function stateOf(request: Request): RequestState {
  const state = known.get(request) ?? { id: crypto.randomUUID(), attempt: 0 };
  known.set(request, state);
  return state;
}

/** The request's id, a v4 UUID: the `x-request-id` of its response. */
export function requestIdOf(request: Request): string {
  return stateOf(request).id;
}

/** Longer bodies, in characters, are sent in chunks with credit. */
const MAX_TEXT = 64 * 1024;

/** Records a short string body, because reading it from the request is the largest cost of a short request. */
export function keepText(request: Request, body: unknown): void {
  if (typeof body === "string" && body.length <= MAX_TEXT) stateOf(request).text = body;
}

/** Copies the state to a rebuilt request. */
export function copyState(from: Request, to: Request): Request {
  known.set(to, stateOf(from));
  return to;
}

/** Sets the state received with a request over a port. */
export function receiveState(request: Request, { id, attempt }: Pick<RequestState, "id" | "attempt">): void {
  // Zero until the page acknowledges reads.
  known.set(request, { id, attempt, readBytes: 0 });
}
