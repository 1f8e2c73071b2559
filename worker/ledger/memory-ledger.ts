import type { Clock } from "../clock.ts";
import type { Meter, MeteredRequest, Outcome, RequestMeter, TokenCounts } from "../metering/meter.ts";

/** One settled request. */
export interface UsageEvent extends MeteredRequest, TokenCounts {
  outcome: Outcome;
  timeMs: number;
}

/** The ledger of a runtime that keeps no books beyond its own life. */
export class MemoryLedger implements Meter {
  readonly #events = new Map<string, UsageEvent>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  begin(request: MeteredRequest): RequestMeter {
    return {
      checkpoint: () => {},
      settle: async (outcome, counts) => {
        const nothingDelivered = counts.outputTokens === 0 && outcome !== "completed";
        if (nothingDelivered || this.#events.has(request.transactionId)) return;
        this.#events.set(request.transactionId, {
          ...request,
          ...counts,
          outcome,
          timeMs: this.#clock.now(),
        });
      },
    };
  }

  /** Every settled request, in the order of settlement. */
  events(): UsageEvent[] {
    return [...this.#events.values()];
  }
}
