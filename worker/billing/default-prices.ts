import type { PriceTable } from "../../src/protocol/billing.ts";

/**
 * The prices of the catalogue's own models, USD per million tokens. Nobody is asked to pay them: they
 * let a first invoice show money, at the height that small hosted models have (docs/billing.md).
 */
export const DEFAULT_PRICES: PriceTable = {
  "infetch-tiny": {
    input: "0.05",
    cachedInput: "0.0125",
    output: "0.2",
    batch: { input: "0.025", cachedInput: "0.00625", output: "0.1" },
  },
  "infetch-tiny-embed": { embedding: "0.01" },
  "infetch-all-minilm-l6-v2": { embedding: "0.02" },
};
