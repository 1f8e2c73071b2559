import type { ServerOptions } from "../protocol/options/server-options.ts";

/** A runtime that uses the server. */
export interface ServerClient {
  /** Server options, used if this is the oldest client. */
  readonly serverOptions: ServerOptions;
  /** The server changed or moved: pending connection attempts must restart. */
  onMoved(): void;
  /** This page leads now; open connections are to the previous leader's server. */
  onLead(): void;
  /** All open and pending connections have failed. */
  onFailure(error: Error): void;
  /** The page was resumed, or a service worker looks for the server: join it if it has not. */
  onResume(): void;
  /** Another page or a service worker may be about to find that this page's server hangs: check that it answers. */
  onPortOpened(): void;
}
