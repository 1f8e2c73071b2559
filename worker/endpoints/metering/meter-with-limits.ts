import type { Admission } from "../../usage/keys/admission-handle.ts";
import type { ChargedUse } from "../../usage/ledger/charged.ts";
import type { MeteredRequest, RequestMeter, TokenCounts } from "../../usage/metering/meter.ts";

/**
 * A meter that also counts usage against the key's limits, as recorded in the ledger.
 *
 * @param isLine whether it is a batch line, which is recorded with its result
 */
export function meterWithLimits(
  meter: RequestMeter,
  { endpoint, tier, model }: MeteredRequest,
  admission: Admission,
  isLine: boolean,
): RequestMeter {
  const toUse = ({ inputTokens, outputTokens, cachedTokens }: TokenCounts): ChargedUse => ({
    endpoint,
    tier,
    model,
    inputTokens,
    cachedTokens: Math.min(cachedTokens, inputTokens),
    outputTokens,
  });
  return {
    checkpoint: (counts) => meter.checkpoint(counts),
    async settle(outcome, counts) {
      const recorded = await meter.settle(outcome, counts);
      const counted = recorded && toUse(recorded);
      const counting = isLine
        ? admission.finish(counted)
        : admission.finishAsRecorded(counted, outcome === "completed");
      // The reservation stays with its key, which another server counts from the ledger once this one has ended.
      await counting.catch(() => {});
      return recorded;
    },
    async reverseUsage() {
      const isReversed = await meter.reverseUsage();
      // Counters that cannot be written reverse nothing, and fail no request.
      if (isReversed) await admission.reverseUsage().catch(() => {});
      return isReversed;
    },
  };
}
