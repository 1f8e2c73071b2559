/** Entry point of the server worker: its messages to the page that started it, and the ports of pages. */

import { allowOwnWorkers } from "../../src/protocol/assets/trusted-types.ts";
import { holdLock, watchLock } from "../../src/protocol/liveness/liveness.ts";
import type { ConnectMessage, LifeMessage } from "../../src/protocol/liveness/server-life.ts";
import { PACKAGE_VERSION } from "../../src/protocol/package-version.ts";
import { PROTOCOL_VERSION } from "../../src/protocol/wire.ts";
import { PartError } from "../lazy/part.ts";
import { composeServer } from "./compose.ts";
import type { Connections } from "./connections.ts";

/** Set by the first port. */
let workerLock: string;

async function startServer({ options, serverLock }: ConnectMessage): Promise<Connections> {
  workerLock = `infetch:${PROTOCOL_VERSION}:worker:${crypto.randomUUID()}`;
  await holdLock(workerLock);
  // Chromium may let the terminated worker of a page in the back/forward cache live on: it would report lost engines.
  watchLock(serverLock, () => self.close());
  post({ type: "started", workerLock, version: PACKAGE_VERSION });
  const connections = await composeServer(options, serverLock, workerLock);
  post({ type: "ready", workerLock });
  return connections;
}

/** Posts to the page that started this worker. */
function post(message: LifeMessage): void {
  postMessage(message);
}

let server: Promise<Connections> | undefined;

// No-op where there is no message event, for example in server-side rendering.
globalThis.addEventListener?.("message", ({ data }: MessageEvent<ConnectMessage>) => {
  if (data?.type !== "connect") return;
  if (!server) allowOwnWorkers();
  server ??= startServer(data);
  // `reportError` fires the worker's error event, so that the page stops waiting for a reply.
  const accepted = server.then((connections) => connections.accept(data.port));
  accepted.catch((error) => {
    if (error instanceof PartError)
      post({ type: "failed", workerLock, code: error.code, message: error.message });
    else reportError(error);
  });
});
