import type { GenerationEvent } from "../../generation/events.ts";
import { NO_TOKENS, type TokenCounts } from "../../usage/metering/meter.ts";

/**
 * Passes each event of a whole generation to `add`, and returns the final counts.
 *
 * @throws {DOMException} AbortError: an aborted request has no response and is free
 */
export async function collectEvents(
  events: AsyncIterable<GenerationEvent>,
  add: (event: Exclude<GenerationEvent, { type: "abort" }>) => void,
): Promise<TokenCounts> {
  let counts = NO_TOKENS;
  for await (const event of events) {
    if (event.type === "abort") throw new DOMException("The request was aborted.", "AbortError");
    counts = event.counts;
    add(event);
  }
  return counts;
}
