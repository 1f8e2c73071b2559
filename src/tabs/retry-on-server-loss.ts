import { WorkerLostError } from "../errors.ts";
import type { Connection } from "../port/connection.ts";
import { abortable } from "../protocol/abortable.ts";
import { holdBody } from "../protocol/request-body.ts";
import { factsOf } from "../protocol/request-facts.ts";

/** Maximum attempts per request, so that a request that crashes servers does not crash every tab's. */
const MAX_SERVERS = 3;

/**
 * Sends a request, and retries it on the next server if one dies before any of the response was delivered. The retry
 * keeps its id and is flagged, so that the server first reverses usage recorded for it.
 *
 * @param servers maximum attempts; 1 disables retries
 * @throws {WorkerLostError} after the last attempt
 * @throws what `connect` throws, or the reason of an aborted signal
 */
export async function retryOnServerLoss(
  request: Request,
  connect: () => Promise<Connection>,
  servers = MAX_SERVERS,
): Promise<Response> {
  while (true) {
    servers -= 1;
    const release = servers > 0 ? holdBody(request) : undefined;
    let connection: Connection | undefined;
    try {
      request.signal.throwIfAborted();
      connection = await abortable(connect(), request.signal);
      const response = await connection.fetch(request);
      release?.(false);
      return response;
    } catch (error) {
      const isLost = connection !== undefined && error instanceof WorkerLostError;
      const isSentAgain = isLost && servers > 0 && !request.signal.aborted;
      release?.(isSentAgain);
      if (!isSentAgain) throw error;
      factsOf(request).isResent = true;
    }
  }
}
