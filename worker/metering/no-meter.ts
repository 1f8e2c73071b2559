import type { Meter } from "./meter.ts";

/** The meter of a runtime whose app has switched billing off: nothing is counted and nothing is kept. */
export const noMeter: Meter = {
  begin: () => ({ checkpoint: () => {}, settle: async () => {} }),
};
