import { WorkerLostError } from "../errors.ts";
import type { Connection } from "../port/connection.ts";
import { factsOf, keepFacts } from "../protocol/request-facts.ts";

/**
 * Servers that may die under one request before it fails. A request that is what kills them must not go through
 * every tab.
 */
const MAX_SERVERS = 3;

/**
 * Sends a request, and sends it again to the next server where one died before anything of the answer was seen.
 * It keeps its id and says that it comes again: the server then first takes back what was booked for it.
 *
 * @param servers how many may die; 1 sends it once
 * @throws {WorkerLostError} once too many have died
 */
export async function carryOver(
  request: Request,
  connect: () => Promise<Connection>,
  servers = MAX_SERVERS,
): Promise<Response> {
  for (let current = request; ; ) {
    servers -= 1;
    const spare = servers > 0 ? spareOf(current) : undefined;
    const connection = await connect();
    try {
      const response = await connection.fetch(current);
      // What of it nobody reads would be kept for ever.
      if (spare !== current) spare?.body?.cancel().catch(() => {});
      return response;
    } catch (error) {
      if (!spare || !(error instanceof WorkerLostError) || request.signal.aborted) throw error;
      factsOf(request).isResent = true;
      current = spare;
    }
  }
}

/** What can be sent again. Where nothing is read off a request to send it, that is itself: a clone costs a tee. */
function spareOf(request: Request): Request {
  const isUnread = request.body === null || factsOf(request).text !== undefined;
  return isUnread ? request : keepFacts(request, request.clone());
}
