import type { Clock } from "../clock.ts";
import { admit, type Demand, finish, finishOwnedBy, type RateStates, type Refusal } from "./admission.ts";
import type { KeyStore } from "./key-store.ts";
import type { KeyHolder } from "./keys.ts";
import type { UsageRow } from "./schema.ts";

/** What a request has used, for its price. */
export interface UsedTokens {
  endpoint: string;
  tier: string;
  model: string;
  inputTokens: number;
  cachedTokens: number;
  outputTokens: number;
}

export interface LimiterOptions {
  store: KeyStore;
  clock: Clock;
  /** Web Lock that this worker holds for life. */
  owner: string;
  /** Whether the worker that held this Web Lock is dead. */
  isDead(owner: string): Promise<boolean>;
  /** What it costs, in pico-USD. Never rejects. */
  price(used: UsedTokens): Promise<bigint>;
}

/** One request that was let in. Whoever holds it sees to it that it is finished, however the request ends. */
export class Admission {
  /** Where the limits by the minute stand, this request counted. */
  readonly rates: RateStates;
  readonly #end: (used: UsedTokens | undefined) => Promise<void>;
  #finished: Promise<void> | undefined;
  #isTaken = false;

  constructor(rates: RateStates, end: (used: UsedTokens | undefined) => Promise<void>) {
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
  finish(used?: UsedTokens): Promise<void> {
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
    while (true) {
      const { verdict, owners } = await store.changeUsage(accessKey, (usage) => {
        const verdict = admit(usage, limits, { ...demand, owner }, clock.now());
        return { row: verdict.row, result: { verdict, owners: foreignOwners(verdict.row, owner) } };
      });
      const { refusal, rates } = verdict;
      if (!refusal) return this.#admission(accessKey, demand.id, rates);
      // Tabs that died in the middle of requests can no longer end them: somebody else must.
      if (!(await this.#bury(accessKey, owners))) throw new LimitError(refusal, rates);
    }
  }

  /** Ends the requests of a key whose workers are dead. Returns whether there were any. */
  async #bury(accessKey: string, owners: ReadonlySet<string>): Promise<boolean> {
    const { store, clock, isDead } = this.#options;
    const dead = new Set<string>();
    for (const owner of owners) if (await isDead(owner)) dead.add(owner);
    if (dead.size === 0) return false;
    await store.changeUsage(accessKey, (usage) => ({
      row: finishOwnedBy(usage, dead, clock.now()),
      result: undefined,
    }));
    return true;
  }

  #admission(accessKey: string, id: string, rates: RateStates): Admission {
    const { store, clock, price } = this.#options;
    return new Admission(rates, async (used) => {
      const tokens = used ? used.inputTokens + used.outputTokens : 0;
      const pico = used ? await price(used) : 0n;
      await store.changeUsage(accessKey, (usage) => ({
        row: finish(usage, id, { tokens, pico }, clock.now()),
        result: undefined,
      }));
    });
  }
}

function foreignOwners({ active }: UsageRow, owner: string): ReadonlySet<string> {
  return new Set(active.map((one) => one.owner).filter((one) => one !== owner));
}
