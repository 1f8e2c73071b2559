import type { RateStates } from "./admission.ts";
import type { Refusal } from "./refusals.ts";

/** A request refused by a limit of its key. */
export class LimitError extends Error {
  override name = "LimitError" as const;
  /** The key's name. */
  readonly key: string;
  readonly refusal: Refusal;
  readonly rates: RateStates;

  constructor(key: string, refusal: Refusal, rates: RateStates) {
    super(`Refused by the key's limit of ${refusal.reason}.`);
    this.key = key;
    this.refusal = refusal;
    this.rates = rates;
  }
}
