/** Messages between a server worker and the page that started it. */

import type { ServerOptions } from "../options/server-options.ts";

/** First message to the server worker; each further page sends another `connect` with its own port. */
export interface ConnectMessage {
  type: "connect";
  port: MessagePort;
  options: ServerOptions;
  /** Held by the page that starts the worker, until it ends it. */
  serverLock: string;
}

/**
 * Status messages from the server worker to the page that started it: `started` once it holds `workerLock` for life,
 * `ready` once it accepts requests, `failed` if a startup module does not load. The lock's name marks them: a library in
 * the worker may post messages of the same types.
 */
export type LifeMessage = { workerLock: string } & (
  | { type: "started"; version: string }
  | { type: "ready" }
  | { type: "failed"; code: string; message: string }
);
