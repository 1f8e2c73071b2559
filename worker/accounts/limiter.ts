import type { Clock } from "../clock.ts";
import type { ChargedUse } from "../ledger/charged.ts";
import { admit, type Demand, finish, type RateStates, type Refusal } from "./admission.ts";
import type { KeyStore } from "./key-store.ts";
import type { KeyHolder } from "./keys.ts";
import type { UsageRow } from "./schema.ts";

export interface LimiterOptions {
  store: KeyStore;
  clock: Clock;
  /** Web Lock that this worker holds for life. */
  owner: string;
  /** Whether the worker that held this Web Lock is dead. */
  isDead(owner: string): Promise<boolean>;
  /** What a request of a dead worker is charged for. Rejects where nobody can tell. */
  charged(requestId: string): Promise<ChargedUse | undefined>;
  /** What it costs, in pico-USD. Never rejects. */
  price(used: ChargedUse): Promise<bigint>;
}

/** One request that was let in. Whoever holds it sees to it that it is finished, however the request ends. */
export class Admission {
  /** Where the limits by the minute stand, this request counted. */
  readonly rates: RateStates;
  readonly #end: (used: ChargedUse | undefined) => Promise<void>;
  #finished: Promise<void> | undefined;
  #isTaken = false;

  constructor(rates: RateStates, end: (used: ChargedUse | undefined) => Promise<void>) {
    this.rates = rates;
    this.#end = end;
  }

  /** True once it is in the hands of a meter, which finishes it when an answer that was begun has ended. */
  get isTaken(): boolean {
    return this.#isTaken;
  }

  take(): this {
    this.#isTaken = true;
    return this;
  }

  /** What was reserved becomes what was used, or nothing. Only the first call counts. */
  finish(used?: ChargedUse): Promise<void> {
    this.#finished ??= this.#end(used);
    return this.#finished;
  }
}

/** A request that a limit of its key refuses. */
export class LimitError extends Error {
  override name = "LimitError" as const;
  readonly refusal: Refusal;
  readonly rates: RateStates;

  constructor(refusal: Refusal, rates: RateStates) {
    super(`Refused by the key's limit of ${refusal.reason}.`);
    this.refusal = refusal;
    this.rates = rates;
  }
}

/** Holds requests to the limits of their keys, together with every other server of the origin. */
export class Limiter {
  readonly #options: LimiterOptions;

  constructor(options: LimiterOptions) {
    this.#options = options;
  }

  /** @throws {LimitError} */
  async admit(holder: KeyHolder, demand: Omit<Demand, "owner">): Promise<Admission> {
    const { store, clock, owner } = this.#options;
    const { accessKey } = holder;
    const limits = holder.limited?.limits ?? {};
    for (let attempt = 1; ; attempt++) {
      const { refusal, rates, row } = await store.changeUsage(accessKey, (usage) => {
        const verdict = admit(usage, limits, { ...demand, owner }, clock.now());
        return { row: verdict.row, result: verdict };
      });
      if (!refusal) return this.#admission(accessKey, demand.id, rates);
      // Tabs that died in the middle of requests can no longer end them: somebody else must.
      if (attempt > 1 || !(await this.endDead(row))) throw new LimitError(refusal, rates);
    }
  }

  /** Ends those requests of a key whose workers are dead. Returns whether there were any. */
  async endDead({ access_key: accessKey, active }: UsageRow): Promise<boolean> {
    let isAny = false;
    for (const { id, owner, tokens } of active) {
      if (owner === this.#options.owner || !(await this.#options.isDead(owner))) continue;
      isAny = true;
      // Where the ledger cannot tell how far it came, what it had reserved counts.
      await this.#options.charged(id).then(
        (used) => this.#finish(accessKey, id, used),
        () => this.#end(accessKey, id, { tokens, pico: 0n }),
      );
    }
    return isAny;
  }

  #admission(accessKey: string, id: string, rates: RateStates): Admission {
    return new Admission(rates, (used) => this.#finish(accessKey, id, used));
  }

  async #finish(accessKey: string, id: string, used: ChargedUse | undefined): Promise<void> {
    const tokens = used ? used.inputTokens + used.outputTokens : 0;
    const pico = used ? await this.#options.price(used) : 0n;
    await this.#end(accessKey, id, { tokens, pico });
  }

  #end(accessKey: string, id: string, used: { tokens: number; pico: bigint }): Promise<void> {
    const { store, clock } = this.#options;
    return store.changeUsage(accessKey, (usage) => ({
      row: finish(usage, id, used, clock.now()),
      result: undefined,
    }));
  }
}
