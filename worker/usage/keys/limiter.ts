import type { Clock } from "../../clock.ts";
import { type ChargedUse, isLater } from "../ledger/charged.ts";
import {
  type AdmittedRequest,
  admit,
  extend,
  finish,
  giveBack,
  isOutdated,
  refund,
  type Used,
  type Verdict,
} from "./admission.ts";
import { Admission } from "./admission-handle.ts";
import { KeyError } from "./key-error.ts";
import type { KeyHolder } from "./key-ring.ts";
import type { KeyStore } from "./key-store.ts";
import { LimitError } from "./limit-error.ts";
import { hasTokenQuota } from "./quotas.ts";
import type { Demand } from "./refusals.ts";
import type { LimitsRow, UsageRow } from "./schema.ts";

interface LimiterOptions {
  store: KeyStore;
  clock: Clock;
  /** Web Lock that this worker holds for its lifetime. */
  owner: string;
  /** Whether the worker that held this Web Lock is dead. */
  isDead(owner: string): Promise<boolean>;
  /** What a request is charged for. Rejects if the ledger is unavailable. */
  charged(requestId: string): Promise<ChargedUse | undefined>;
  /** Reverses what earlier attempts of a request are charged for, and returns it. Rejects if the ledger is unavailable. */
  reverseEarlier(requestId: string, attempt: number): Promise<ChargedUse | undefined>;
  /** Its cost in pico-USD. Never rejects. */
  price(used: ChargedUse): Promise<bigint>;
}

/** Demand of a request, with the prompt separate: its exact size is known after tokenization. */
interface RequestDemand extends Omit<Demand, "owner"> {
  /** The part of `tokens` that is reserved for the prompt. */
  promptTokens: number;
}

/** Maximum reversed requests kept until they are admitted again. */
const MAX_REVERSED = 1_000;
/** Maximum requests kept whose end could not be stored. */
const MAX_UNENDED = 1_000;

/** Enforces the limits of keys, together with every other server of the origin. */
export class Limiter {
  readonly #options: LimiterOptions;
  /** By request id: usage to return to its key on the next admission. */
  readonly #reversed = new Map<string, ChargedUse>();
  /** By {@link attemptKey}: usage of requests that have ended, but not where they were admitted, as the storage failed. */
  readonly #unended = new Map<string, Used>();

  constructor(options: LimiterOptions) {
    this.#options = options;
  }

  /** @throws {LimitError}; {KeyError} `key_not_found` for a key that has been revoked */
  async admit(holder: KeyHolder, demand: RequestDemand): Promise<Admission> {
    const { clock, owner } = this.#options;
    const { accessKey } = holder;
    const { id, attempt = 0 } = demand;
    const request = { id, attempt, owner };
    const key = attemptKey(request);
    const reversed = this.#reversed.get(demand.id);
    this.#reversed.delete(demand.id);
    this.#unended.delete(key);
    // Separate from the admission, which may be attempted twice.
    if (reversed) {
      const returned = await this.#usedOf(reversed);
      const earlier = { id, attempt: reversed.attempt ?? 0 };
      await this.#changeUsage(accessKey, (usage) => refund(usage, earlier, returned, clock.now()));
    }
    let before: UsageRow | undefined;
    const { rates } = await this.#change(holder, (usage, limits) => {
      before = usage;
      return admit(usage, limits, { ...demand, owner }, clock.now());
    });
    if (attempt > 0 && before) await this.#giveBackEarlier(before, request).catch(() => {});
    return new Admission({
      attempt,
      rates,
      promptTokens: demand.promptTokens,
      extend: async (more) => {
        if (!hasTokenQuota(holder.limited?.limits ?? {})) return;
        const tokens = demand.tokens + more;
        await this.#change(holder, (usage, limits) =>
          extend(usage, limits, { ...request, tokens }, clock.now()),
        );
      },
      charged: () => this.#options.charged(demand.id),
      end: (used) => this.#finish(accessKey, request, used),
      refund: async (used) => {
        // Not counted: its end is still to be stored, or another server has another attempt.
        if (this.#unended.has(key)) this.#unended.set(key, { tokens: 0, pico: 0n });
        else await this.#changeUsage(accessKey, (usage) => giveBack(usage, used, clock.now()));
      },
    });
  }

  /**
   * A retried request's usage, recorded by an earlier server, is reversed in the ledger: its key gets it back when the
   * request is admitted.
   */
  onReversal(requestId: string, used: ChargedUse): void {
    // Evicts: requests with a page's own key have no counters and are never admitted here.
    keep(this.#reversed, requestId, used, MAX_REVERSED);
  }

  /**
   * Ends a key's requests whose workers are dead, and those of this worker whose end could not be stored. Returns whether
   * there were any.
   */
  async endDead({ access_key: accessKey, active }: UsageRow): Promise<boolean> {
    let isAny = false;
    for (const admitted of active) {
      const { id, attempt = 0, owner, tokens } = admitted;
      const request = { id, attempt, owner };
      const isOwn = owner === this.#options.owner;
      const unended = isOwn ? this.#unended.get(attemptKey(request)) : undefined;
      if (isOwn ? !unended : !(await this.#options.isDead(owner))) continue;
      isAny = true;
      if (unended) {
        await this.#end(accessKey, request, unended);
        continue;
      }
      // If the ledger is unavailable, the reservation counts as used.
      await this.#options.charged(id).then<unknown, unknown>(
        (used) => this.#finish(accessKey, request, used && isLater(used, admitted) ? undefined : used),
        () => this.#end(accessKey, request, { tokens, pico: 0n }),
      );
    }
    return isAny;
  }

  /** Changes a key's usage unless a limit refuses; retries once without the requests of dead tabs. */
  async #change(
    { accessKey, limited }: KeyHolder,
    change: (usage: UsageRow, limits: LimitsRow) => Verdict,
  ): Promise<Verdict> {
    for (let attempt = 1; ; attempt++) {
      const verdict = await this.#options.store.changeUsage(accessKey, (usage) => {
        const result = change(usage, limited?.limits ?? {});
        return { row: result.row, result };
      });
      if (!verdict) throw new KeyError("key_not_found", "This API key has been revoked.");
      const { refusal, rates, row } = verdict;
      if (!refusal) return verdict;
      if (attempt > 1 || !(await this.endDead(row))) throw new LimitError(limited!.name, refusal, rates);
    }
  }

  /** An earlier attempt may have ended, and been counted, after it was reversed: its server had been suspended. */
  async #giveBackEarlier(before: UsageRow, { id, attempt = 0 }: AdmittedRequest): Promise<void> {
    if (before.active.some((one) => one.id === id)) return;
    const earlier = await this.#options.reverseEarlier(id, attempt);
    if (!earlier || isOutdated(before, { id, attempt: earlier.attempt ?? 0 })) return;
    const { access_key: accessKey } = before;
    const used = await this.#usedOf(earlier);
    await this.#changeUsage(accessKey, (usage) => giveBack(usage, used, this.#options.clock.now()));
  }

  /** Returns what it counted. */
  async #finish(accessKey: string, request: AdmittedRequest, charged: ChargedUse | undefined) {
    const used = charged && (await this.#usedOf(charged));
    await this.#end(accessKey, request, used ?? { tokens: 0, pico: 0n });
    return used;
  }

  async #usedOf(used: ChargedUse): Promise<Used> {
    const nowMs = this.#options.clock.now();
    // Usage that a wrong clock recorded in a day to come counts now: it would free the current quota.
    const timeMs = Math.min(used.timeMs ?? nowMs, nowMs);
    return { tokens: used.inputTokens + used.outputTokens, pico: await this.#options.price(used), timeMs };
  }

  async #end(accessKey: string, request: AdmittedRequest, used: Used): Promise<void> {
    let isEnded = false;
    await this.#changeUsage(accessKey, (usage) => {
      const row = finish(usage, request, used, this.#options.clock.now());
      isEnded = row !== usage;
      return row;
    });
    const key = attemptKey(request);
    if (isEnded) this.#unended.delete(key);
    else if (request.owner === this.#options.owner) keep(this.#unended, key, used, MAX_UNENDED);
  }

  async #changeUsage(accessKey: string, change: (usage: UsageRow) => UsageRow): Promise<void> {
    await this.#options.store.changeUsage(accessKey, (usage) => ({ row: change(usage), result: undefined }));
  }
}

/** A server may have two attempts of one request: it was suspended, and the page has resent it. */
function attemptKey({ id, attempt = 0 }: AdmittedRequest): string {
  return `${id} ${attempt}`;
}

/** Sets an entry, and evicts the oldest one if there are more than `most`. */
function keep<Value>(entries: Map<string, Value>, key: string, value: Value, most: number): void {
  entries.set(key, value);
  if (entries.size > most) entries.delete(entries.keys().next().value!);
}
