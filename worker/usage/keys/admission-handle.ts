import { type ChargedUse, isLater } from "../ledger/charged.ts";
import type { RateStates, Used } from "./admission.ts";

interface AdmissionOptions {
  /** How many servers had the request before. @default 0 */
  attempt?: number;
  rates: RateStates;
  /** Tokens reserved for the prompt. */
  promptTokens: number;
  /** Reserves so many tokens more than at first, or nothing at all. @throws {LimitError} */
  extend(more: number): Promise<void>;
  /** Usage that the ledger has recorded. Rejects if it is unavailable. */
  charged(): Promise<ChargedUse | undefined>;
  /** Returns what it counted. */
  end(used: ChargedUse | undefined): Promise<Used | undefined>;
  /** Subtracts usage from the counters. */
  refund(used: Used): Promise<void>;
}

/** One admitted request. Its holder must finish it, however the request ends. */
export class Admission {
  /** State of the per-minute limits, including this request. */
  readonly rates: RateStates;
  readonly #options: AdmissionOptions;
  #finished: Promise<void> | undefined;
  #counted: Used | undefined;
  #isTaken = false;

  constructor(options: AdmissionOptions) {
    this.rates = options.rates;
    this.#options = options;
  }

  /** True once a meter owns it, which finishes it when a started response ends. */
  get isTaken(): boolean {
    return this.#isTaken;
  }

  take(): this {
    this.#isTaken = true;
    return this;
  }

  /**
   * Sets the exact token count of the prompts, once, before anything is computed: any excess over the estimate is
   * reserved, so that a wrong estimate cannot exceed a quota.
   *
   * @throws {LimitError} and releases the reservation
   */
  async countPrompt(promptTokens: number): Promise<void> {
    const more = promptTokens - this.#options.promptTokens;
    if (more > 0) await this.#options.extend(more);
  }

  /** Replaces the reservation with `used`, or releases it. Only the first call counts. */
  finish(used?: ChargedUse): Promise<void> {
    this.#finished ??= this.#finish(async () => used);
    return this.#finished;
  }

  /**
   * Replaces the reservation with what the ledger has recorded, unless for a later attempt. Only the first call counts.
   *
   * @param counted used if the ledger is unavailable
   * @param isDue whether it also applies if nothing is recorded: a full disk lifts no quota
   */
  finishAsRecorded(counted: ChargedUse | undefined, isDue: boolean): Promise<void> {
    this.#finished ??= this.#finish(() =>
      this.#options.charged().then(
        (recorded) => {
          if (!recorded) return isDue ? counted : undefined;
          return isLater(recorded, this.#options) ? undefined : recorded;
        },
        () => counted,
      ),
    );
    return this.#finished;
  }

  /** Subtracts the counted usage, once the ledger has reversed it. */
  async reverseUsage(): Promise<void> {
    await this.#finished;
    const used = this.#counted;
    this.#counted = undefined;
    if (used) await this.#options.refund(used);
  }

  async #finish(use: () => Promise<ChargedUse | undefined>): Promise<void> {
    this.#counted = await this.#options.end(await use());
  }
}
