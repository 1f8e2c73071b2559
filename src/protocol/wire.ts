/** The first messages between a page and the server worker, and the protocol's version. */

import type { RuntimeEvent, StatsEvent } from "./events.ts";
import type { ServerOptions } from "./options/server-options.ts";
import type { Result } from "./rpc/result.ts";
import type { Rpc } from "./rpc/rpc.ts";

/** Increment when the meaning of a message changes; both ends compare it in the hello. */
export const PROTOCOL_VERSION = 3;

/** A page's own key. The secret stays in the page; the server gets a salted hash. */
export interface KeyRegistration {
  accessKey: string;
  /** Hexadecimal salt, 16 bytes. */
  salt: string;
  /** Hexadecimal SHA-256 of `salt + secretKey` (both as UTF-8 text). */
  hash: string;
}

/** First call on every port. */
export interface Hello {
  protocolVersion: number;
  pageId: string;
  /** Web Lock that the page holds for life; the server is granted it when the page is gone. */
  pageLock: string;
  /** Absent for a service worker, whose requests carry other keys. */
  key?: KeyRegistration;
  /** The {@link ServerOptions} of this page as JSON; absent if any server is acceptable. */
  optionsJSON?: string;
  /** Path of `baseURL` without a trailing slash, `/v1` by default. */
  basePath: string;
  /** Port for {@link RuntimeEvent}s to the page, and {@link EventsControl} from it. */
  events: MessagePort;
}

/** Response to an accepted hello. */
export interface HelloReply {
  /** Web Lock that the page which started the server holds; another page is granted it when the server is gone. */
  serverLock: string;
}

/** The comlink interface of the server, exposed on each page's port. */
export interface ServerEndpoint extends Rpc {
  hello(hello: Hello): Promise<Result<HelloReply>>;
  /** Serves the HTTP API. Never rejects: every failure is a Response. */
  fetch(request: Request): Promise<Response>;
  /** Answers at once, whatever the server does. */
  ping(): void;
}

/** Sent by a page on the port of its events. */
export interface EventsControl {
  /** Whether it listens to {@link StatsEvent}s. */
  watchStats: boolean;
}
