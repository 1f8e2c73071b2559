/** Size classes that price models without a price of their own, derived from the name. */

import type { ProductId } from "../../ledger/schema.ts";

/** Class names in the rate card; no model id starts with `*`. */
export type SizeClass = `*chat-${"1b" | "4b" | "16b" | "max"}` | `*embedding-${"small" | "base" | "large"}`;

/** A parameter count in a name: `360M`, `1.7b`, `1_6b`, but not part of `q4f16_1` or `v1.5`. */
const PARAMETERS = /(?<![a-z0-9.])(\d+(?:[._]\d+)?)([bm])(?![a-z0-9])/i;

/** The size class of a model for a product. Chat models without a size in their name count as up to 4 billion. */
export function sizeClassOf(named: string, product: ProductId): SizeClass {
  // The revision of a hub model says nothing about its size.
  const model = named.replace(/^([^/\s@]+\/[^/\s@]+)@.*$/s, "$1");
  const billions = parametersOf(model);
  if (product !== "embedding-input-tokens") {
    const size = billions ?? 4;
    return size <= 1 ? "*chat-1b" : size <= 4 ? "*chat-4b" : size <= 16 ? "*chat-16b" : "*chat-max";
  }
  if ((billions ?? 0) > 0.25 || /large|xl/i.test(model)) return "*embedding-large";
  return (billions ?? 0) > 0.05 || /base|medium/i.test(model) ? "*embedding-base" : "*embedding-small";
}

/** In billions; undefined if not in the name. */
function parametersOf(model: string): number | undefined {
  const [, count, unit] = PARAMETERS.exec(model) ?? [];
  if (count === undefined) return undefined;
  const size = Number(count.replace("_", "."));
  return unit!.toLowerCase() === "b" ? size : size / 1000;
}
