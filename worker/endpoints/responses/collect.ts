import type { FinishReason, GenerationEvent } from "../../generation/events.ts";
import { NO_TOKENS, type TokenCounts } from "../../usage/metering/meter.ts";
import type { OutputWriter } from "./output.ts";

/**
 * Collects a whole generation.
 *
 * @throws {DOMException} AbortError: an aborted request has no response and is free
 */
export async function collectOutput(
  events: AsyncIterable<GenerationEvent>,
  writer: OutputWriter,
): Promise<{ reason: FinishReason; counts: TokenCounts }> {
  let counts = NO_TOKENS;
  let reason: FinishReason = "stop";
  for await (const event of events) {
    counts = event.counts;
    if (event.type === "reply") {
      writer.write(event.events, event.logprobs);
      continue;
    }
    reason = event.reason;
    if (reason === "abort") throw new DOMException("The request was aborted.", "AbortError");
    writer.finish(reason);
  }
  return { reason, counts };
}
