import type { MeteredUse, RequestState } from "../../../src/protocol/transfer/request-state.ts";
import { type MeteredRequest, NO_TOKENS, type RequestMeter } from "../../usage/metering/meter.ts";

/** A meter that also stores the recorded usage on the request, for the `request` event and for reversals. */
export function meterWithState(
  meter: RequestMeter,
  { model, tier, endpoint, stream, deploymentName }: MeteredRequest,
  state: RequestState,
  engine: MeteredUse["engine"],
): RequestMeter {
  let resolve!: () => void;
  const settled = new Promise<void>((settle) => {
    resolve = settle;
  });
  const use: MeteredUse = {
    model,
    tier,
    endpoint,
    stream,
    ...(deploymentName === undefined ? {} : { deploymentName }),
    engine,
    settled,
    async reverseUsage() {
      const isReversed = await meter.reverseUsage();
      use.recorded = { outcome: "aborted", tokens: NO_TOKENS };
      return isReversed;
    },
  };
  state.metered = use;
  return {
    checkpoint: (counts) => meter.checkpoint(counts),
    async settle(outcome, counts) {
      const recorded = await meter.settle(outcome, counts);
      const { inputTokens, cachedTokens } = recorded ?? NO_TOKENS;
      const tokens = { ...(recorded ?? NO_TOKENS), cachedTokens: Math.min(cachedTokens, inputTokens) };
      use.recorded ??= { outcome, tokens };
      resolve();
      return recorded;
    },
    reverseUsage: use.reverseUsage,
  };
}
