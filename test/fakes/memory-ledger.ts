import type { Clock } from "../../worker/clock.ts";
import type { Outcome } from "../../worker/usage/ledger/schema.ts";
import type { Meter, MeteredRequest, RequestMeter, TokenCounts } from "../../worker/usage/metering/meter.ts";

/** One settled request. */
export interface UsageEvent extends MeteredRequest, TokenCounts {
  outcome: Outcome;
  timeMs: number;
}

/** A meter that keeps its events in memory, for tests of the endpoints. */
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
        if (nothingDelivered) return undefined;
        if (this.#events.has(request.transactionId)) return counts;
        this.#events.set(request.transactionId, {
          ...request,
          ...counts,
          outcome,
          timeMs: this.#clock.now(),
        });
        return counts;
      },
      reverseUsage: async () => this.#events.delete(request.transactionId),
    };
  }

  /** Every settled request, in the order of settlement. */
  events(): UsageEvent[] {
    return [...this.#events.values()];
  }
}
