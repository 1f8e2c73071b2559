import { isFree, type Meter } from "./meter.ts";

/** Meter for runtimes whose app has disabled billing: records nothing. */
export const noMeter: Meter = {
  begin: ({ stream }) => ({
    checkpoint: () => {},
    settle: async (outcome, counts) => (isFree(outcome, counts, stream) ? undefined : counts),
    reverseUsage: async () => true,
  }),
};
