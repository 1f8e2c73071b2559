/** `runtime.keys`: API key calls reserved to the page. Errors are returned as data. */

import type { ApiKey, CreatedKey, KeysEndpoint } from "../../src/protocol/rpc/keys.ts";
import type { Clock } from "../clock.ts";
import { picoToUsd } from "../usage/billing/money.ts";
import { formatTimestamp } from "../usage/billing/timestamps.ts";
import { newUsage } from "../usage/keys/admission.ts";
import { KeyError } from "../usage/keys/key-error.ts";
import { toGraceMs, toKeyTerms } from "../usage/keys/key-request.ts";
import type { KeyStore, ListedKey } from "../usage/keys/key-store.ts";
import type { Limiter } from "../usage/keys/limiter.ts";
import { mintAccessKey, mintSecret } from "../usage/keys/mint-secret.ts";
import { countingSlots, usedOf } from "../usage/keys/minute-window.ts";
import type { KeyRow, LimitsRow, SpanRow } from "../usage/keys/schema.ts";
import { currentSpans } from "../usage/keys/spans.ts";
import { LedgerError } from "../usage/ledger/ledger-error.ts";
import { resultsWith } from "./result.ts";

const asResult = resultsWith("KeyError", (error) =>
  error instanceof KeyError || error instanceof LedgerError
    ? error
    : {
        code: "internal_error",
        message: "The call of runtime.keys failed: this is a bug in infetch, please report it.",
      },
);

interface KeysRpcServices {
  store: KeyStore;
  clock: Clock;
  /** Creates the ledger account if it does not exist. @throws {LedgerError} */
  openAccount(id: string): Promise<void>;
  limiter: Limiter;
}

export function keysRpc({ store, clock, openAccount, limiter }: KeysRpcServices): KeysEndpoint {
  /** Ends the active requests of dead tabs before listing. */
  const listAlive = async (): Promise<ListedKey[]> => {
    let isAny = false;
    const listed = await store.list();
    for (const { usage } of listed) isAny = (await limiter.endDead(usage)) || isAny;
    return isAny ? store.list() : listed;
  };
  return {
    create: (request) =>
      asResult(async () => {
        const terms = toKeyTerms(request, clock.now());
        await openAccount(terms.account);
        const access_key = mintAccessKey(clock);
        const { apiKey, hashed } = await mintSecret(clock, access_key);
        const key: KeyRow = { ...terms, ...hashed, access_key, created_ms: clock.now() };
        const isStored = await store.add(key);
        return created(apiKey, { key, usage: newUsage(access_key), isStored }, clock.now());
      }),
    list: () => asResult(async () => (await listAlive()).map((one) => toApiKey(one, clock.now()))),
    revoke: (id) =>
      asResult(async () => {
        if (!(await store.change(id, () => undefined))) throw notFound(id);
      }),
    rotate: (id, rotation) =>
      asResult(async () => {
        const graceMs = toGraceMs(rotation);
        const { apiKey, hashed } = await mintSecret(clock, id);
        const before = await store.change(id, ({ previous: _, ...key }) => ({
          ...key,
          ...hashed,
          ...(graceMs === 0
            ? {}
            : { previous: { salt: key.salt, hash: key.hash, until_ms: clock.now() + graceMs } }),
        }));
        const listed = before && (await store.list()).find(({ key }) => key.access_key === id);
        if (!listed) throw notFound(id);
        return created(apiKey, listed, clock.now());
      }),
  };
}

function created(apiKey: string, listed: ListedKey, nowMs: number): CreatedKey {
  const key = toApiKey(listed, nowMs);
  if (listed.isStored) return { apiKey, key };
  const message =
    "The key could not be stored in IndexedDB. It ends with the server: when the last page of this site closes, or the server dies.";
  return { apiKey, key, warning: { code: "key_not_stored", message } };
}

function toApiKey({ key, usage, isStored }: ListedKey, nowMs: number): ApiKey {
  const slots = countingSlots(usage.slots, nowMs);
  const { day, month } = currentSpans(usage, nowMs);
  const timeOf = (timeMs: number | undefined) => (timeMs === undefined ? null : formatTimestamp(timeMs));
  return {
    id: key.access_key,
    name: key.name,
    account: key.account,
    models: key.models ?? null,
    endpoints: key.endpoints ?? null,
    limits: toKeyLimits(key.limits),
    createdAt: formatTimestamp(key.created_ms),
    lastUsedAt: timeOf(usage.last_used_ms),
    expiresAt: timeOf(key.expires_ms),
    stored: isStored,
    usage: {
      requestsThisMinute: usedOf(slots, "requests"),
      tokensThisMinute: usedOf(slots, "tokens"),
      activeRequests: usage.active.length,
      today: toUsed(day),
      month: toUsed(month),
    },
  };
}

function toUsed({ tokens, pico }: SpanRow) {
  return { tokens, usd: picoToUsd(BigInt(pico)) };
}

function toKeyLimits(row: LimitsRow): ApiKey["limits"] {
  const usd = (pico: string | undefined) => (pico === undefined ? undefined : picoToUsd(BigInt(pico)));
  const limits: Record<keyof ApiKey["limits"], number | undefined> = {
    requestsPerMinute: row.requests_per_minute,
    tokensPerMinute: row.tokens_per_minute,
    concurrentRequests: row.concurrent_requests,
    tokensPerDay: row.tokens_per_day,
    tokensPerMonth: row.tokens_per_month,
    usdPerDay: usd(row.pico_per_day),
    usdPerMonth: usd(row.pico_per_month),
  };
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined));
}

function notFound(id: string): KeyError {
  return new KeyError("key_not_found", `The API key '${id}' does not exist.`);
}
