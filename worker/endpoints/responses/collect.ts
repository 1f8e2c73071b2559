import type { FinishReason, GenerationEvent } from "../../generation/events.ts";
import type { TokenCounts } from "../../usage/metering/meter.ts";
import { collectEvents } from "../text/collect-events.ts";
import type { OutputWriter } from "./output.ts";

/** Writes a whole reply, and returns how it ended. */
export async function collectOutput(
  events: AsyncIterable<GenerationEvent>,
  writer: OutputWriter,
): Promise<{ reason: FinishReason; counts: TokenCounts }> {
  let reason: FinishReason = "stop";
  const counts = await collectEvents(events, (event) => {
    if (event.type === "reply") writer.write(event.events, event.logprobs);
    else {
      reason = event.reason;
      writer.finish(reason);
    }
  });
  return { reason, counts };
}
