import type { ModelPrices } from "../../../../src/protocol/rpc/billing.ts";
import type { SizeClass } from "./size-class.ts";

/**
 * Example prices by size class, USD per million tokens, similar to those of small hosted models, so that a first
 * invoice shows amounts. Batches cost half.
 */
const CLASS_PRICES: Record<SizeClass, ModelPrices> = {
  "*chat-1b": chat("0.05", "0.0125", "0.2", { input: "0.025", cachedInput: "0.00625", output: "0.1" }),
  "*chat-4b": chat("0.1", "0.025", "0.4", { input: "0.05", cachedInput: "0.0125", output: "0.2" }),
  "*chat-16b": chat("0.2", "0.05", "0.8", { input: "0.1", cachedInput: "0.025", output: "0.4" }),
  "*chat-max": chat("0.9", "0.225", "3.6", { input: "0.45", cachedInput: "0.1125", output: "1.8" }),
  "*embedding-small": { embedding: "0.02" },
  "*embedding-base": { embedding: "0.04" },
  "*embedding-large": { embedding: "0.08" },
};

/** Default prices of models, and of size classes for models without a price (docs/billing.md). */
export const DEFAULT_PRICES: Readonly<Record<string, ModelPrices>> = {
  ...CLASS_PRICES,
  "infetch-tiny": CLASS_PRICES["*chat-1b"],
  "infetch-tiny-vision": CLASS_PRICES["*chat-1b"],
  "infetch-tiny-embed": { embedding: "0.01" },
  "infetch-all-minilm-l6-v2": CLASS_PRICES["*embedding-small"],
};

function chat(
  input: string,
  cachedInput: string,
  output: string,
  batch: NonNullable<ModelPrices["batch"]>,
): ModelPrices {
  return { input, cachedInput, output, batch };
}
