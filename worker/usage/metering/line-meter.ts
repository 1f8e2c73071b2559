import type { Clock } from "../../clock.ts";
import type { NewEvent } from "../ledger/record.ts";
import type { Meter, MeteredRequest, RequestMeter } from "./meter.ts";
import { usageEvent } from "./usage-event.ts";

/**
 * Meter for one line of a batch. Records nothing itself: the batch runner stores `event` together with the line's
 * result and records it then, so that no line is charged without a stored result.
 */
export class LineMeter implements Meter {
  readonly #clock: Clock;
  /** The event to record; absent if nothing was used. Failed lines are free. */
  event: NewEvent | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  begin(request: MeteredRequest): RequestMeter {
    return {
      checkpoint: () => {},
      settle: async (outcome, counts) => {
        if (outcome !== "completed") return undefined;
        this.event ??= usageEvent(request, outcome, counts, this.#clock.now());
        return counts;
      },
      reverseUsage: async () => {
        const wasUsed = this.event !== undefined;
        this.event = undefined;
        return wasUsed;
      },
    };
  }
}
