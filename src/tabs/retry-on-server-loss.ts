import { WorkerLostError } from "../errors.ts";
import type { Connection } from "../port/connection.ts";
import { holdBody } from "../protocol/transfer/request-body.ts";
import { stateOf } from "../protocol/transfer/request-state.ts";
import { abortable } from "../shared/abortable.ts";

/** So that a request that crashes servers does not crash every tab's. */
const MAX_ATTEMPTS = 3;

/**
 * Sends a request, and retries it on the next server if one dies before any of the response was delivered. The retry
 * keeps its id and counts its attempts, so that only what the last one recorded is charged.
 *
 * @param attempts 1 disables retries
 * @throws {WorkerLostError} after the last attempt
 * @throws what `connect` throws, or the reason of an aborted signal
 */
export async function retryOnServerLoss(
  request: Request,
  connect: () => Promise<Connection>,
  attempts = MAX_ATTEMPTS,
): Promise<Response> {
  for (let left = attempts - 1; ; left--) {
    const release = left > 0 ? holdBody(request) : undefined;
    let connection: Connection | undefined;
    try {
      request.signal.throwIfAborted();
      connection = await abortable(connect(), request.signal);
      const response = await connection.fetch(request);
      release?.(false);
      return response;
    } catch (error) {
      const isLost = connection !== undefined && error instanceof WorkerLostError;
      const isRetried = isLost && left > 0 && !request.signal.aborted;
      release?.(isRetried);
      if (!isRetried) throw error;
      stateOf(request).attempt++;
    }
  }
}
