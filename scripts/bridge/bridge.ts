/** Loopback HTTP server for a hosted runtime. */

import { createServer } from "node:http";
import { type HostedRuntime, type HostOptions, hostRuntime } from "../host/hosted-runtime.ts";
import { findForeign } from "../servers/loopback.ts";
import { closeServer, listen } from "../servers/static-server.ts";
import { deferred } from "../shared/deferred.ts";
import { createRelay, type Relay, sendFailure } from "./relay.ts";

/** Longer than clients keep idle connections (five minutes in OkHttp), so that these close first. */
const KEEP_ALIVE_MS = 600_000;

interface BridgeOptions extends HostOptions {
  /** 0 picks a free port. */
  port: number;
  /** Additional key that clients may send instead of the page's own. */
  key?: string | undefined;
}

export interface Bridge {
  /** Base URL of the API. */
  baseURL: string;
  apiKey: string;
  died: Promise<string>;
  close(): Promise<void>;
}

/**
 * Listens on the port and starts the browser. Requests that arrive before the runtime is ready wait.
 *
 * @throws if the port is in use or the runtime does not start
 */
export async function startBridge(options: BridgeOptions): Promise<Bridge> {
  const relay = deferred<Relay>();
  const server = createServer((request, response) => {
    const foreign = findForeign(request);
    if (foreign) return sendFailure(response, 403, foreign.code, foreign.message);
    relay.promise.then(
      (handle) => handle(request, response),
      () => response.destroy(),
    );
  });
  // Node's default of five minutes per request is too short for replies.
  server.requestTimeout = 0;
  // Node's default of five seconds closes connections that clients are about to reuse.
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  const address = await listen(server, options.port);
  let runtime: HostedRuntime;
  try {
    runtime = await hostRuntime(options);
  } catch (error) {
    relay.reject(error);
    await closeServer(server);
    throw error;
  }
  relay.resolve(createRelay(runtime, options.key));
  return {
    baseURL: `${address}${new URL(runtime.baseURL).pathname.replace(/\/$/, "")}`,
    apiKey: options.key ?? runtime.apiKey,
    died: runtime.died,
    async close() {
      await closeServer(server);
      await runtime.close();
    },
  };
}
