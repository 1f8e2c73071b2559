import { WorkerLostError } from "../errors.ts";
import { areOptions } from "../options/check-options.ts";
import { resolveOptions } from "../options/resolve-options.ts";
import type { RuntimeOptions } from "../options/runtime-options.ts";
import { explainEnvironment, optionsError } from "../options/setup-errors.ts";
import { MAX_STARTS, ServerWorker } from "../tabs/server-worker.ts";
import { requirePage } from "./require-environment.ts";

/** A server worker, started with {@link startServer}. */
export interface StartedServer {
  /** Opens another port to the server. Transfer it to the frame or worker that calls {@link joinServer} with it. */
  openPort(): MessagePort;
  /** Terminates the worker, with all of its loaded models. */
  close(): void;
}

/**
 * Starts a server worker that belongs to the caller alone, whatever `shared` says. It ends with the calling page.
 *
 * @param options as of `createRuntime()`. `baseURL` and `shared` have no effect here
 * @returns the server, once it accepts requests
 * @throws {TypeError} for an unknown option or an invalid value; the message names both
 * @throws {InfetchError} if a file of the package does not load (`assets_not_found`), or for an unsupported environment,
 *   as `createRuntime()`
 * @throws {WorkerLostError} if the worker dies before it accepts requests
 */
export async function startServer(options: RuntimeOptions = {}): Promise<StartedServer> {
  await requirePage("startServer", explainEnvironment);
  if (!areOptions(options)) throw optionsError(options);
  const { server, workerURLs } = resolveOptions(options, import.meta.url);
  let first: MessagePort | undefined;
  const start = (isLast: boolean): Promise<ServerWorker> =>
    new Promise((resolve, reject) => {
      // With the timeout of the last attempt.
      const started = new ServerWorker(workerURLs.server, server, MAX_STARTS - 1, {
        onReady: () => resolve(started),
        onEnd: (error) => (error || isLast ? reject(error ?? new WorkerLostError()) : resolve(start(true))),
      });
      // The server starts with the options that its first port brings.
      first = started.port();
    });
  const worker = await start(false);
  return {
    openPort() {
      const port = first ?? worker.port();
      first = undefined;
      return port;
    },
    close: () => worker.terminate(),
  };
}
