/** RPC types for API keys. */

import type { Result } from "./result.ts";

/**
 * Limits of a key. Omitted limits are not enforced. Counts are whole numbers of at least 1, amounts 0 or more. Days and
 * months are in UTC.
 */
export interface KeyLimits {
  /** Requests in any 60-second window. */
  requestsPerMinute?: number;
  /** Tokens in any 60-second window, prompts and replies together. */
  tokensPerMinute?: number;
  /** Concurrent requests; a stream counts until its last event. */
  concurrentRequests?: number;
  /** Tokens of a UTC day, prompts and replies together. */
  tokensPerDay?: number;
  /** Tokens of a calendar month in UTC. */
  tokensPerMonth?: number;
  /** USD at rate card prices, with at most twelve decimals. */
  usdPerDay?: number | string;
  /** Likewise, for a calendar month in UTC. */
  usdPerMonth?: number | string;
}

/** A key to create: its scopes, expiry and limits. An empty list of models or endpoints allows none. */
export interface KeyRequest {
  /** Display name, 1 to 100 characters. */
  name: string;
  /**
   * Account billed for its usage, 1 to 64 letters, digits, `_`, `.` and `-`; created if it does not exist.
   * @default "default"
   */
  account?: string;
  /** Model ids and deployment names; a trailing `*` matches any suffix. @default all */
  models?: readonly string[];
  /** Paths such as `/v1/chat/completions`; each includes its sub-paths. @default all */
  endpoints?: readonly string[];
  /** RFC 3339, in the future. @default never */
  expiresAt?: string;
  /** @default no limits */
  limits?: KeyLimits;
}

/** A key without its secret. */
export interface ApiKey {
  /** The public part of the key, `infetch-<id>-<secretKey>`. */
  id: string;
  /** Display name. */
  name: string;
  /** Account billed for its usage. */
  account: string;
  /** null: all. */
  models: readonly string[] | null;
  /** null: all. */
  endpoints: readonly string[] | null;
  /** Limits that are set; empty if none. */
  limits: KeyLimits;
  /** RFC 3339, like all times here. */
  createdAt: string;
  /** null: never used. */
  lastUsedAt: string | null;
  /** null: never. */
  expiresAt: string | null;
  /** False if the key could not be stored; it then expires when this server ends. */
  stored: boolean;
  /** What counts against the limits now. */
  usage: ApiKeyUsage;
}

/** Current usage of a key, also for limits that are not set. */
export interface ApiKeyUsage {
  /** Requests in the last 60 seconds. */
  requestsThisMinute: number;
  /** Tokens in the last 60 seconds, prompts and replies together. */
  tokensThisMinute: number;
  /** Requests that run now. */
  activeRequests: number;
  /** Since the start of the UTC day: tokens of prompts and replies, and USD before credits. */
  today: { tokens: number; usd: number };
  /** As `today`, since the start of the calendar month in UTC. */
  month: { tokens: number; usd: number };
}

/** A created or rotated key. Includes the secret, which is shown only once. */
export interface CreatedKey {
  /** The full key. Not shown again: only its salted hash is stored. */
  apiKey: string;
  /** The key without its secret. */
  key: ApiKey;
  /** Present if IndexedDB could not store the key, which then expires when this server ends; `message` is for people. */
  warning?: { code: "key_not_stored"; message: string };
}

/** Options for rotating a key. */
export interface KeyRotation {
  /** How long the old secret stays valid, in milliseconds; at most 30 days. @default 0 */
  graceMs?: number;
}

/** The calls of `runtime.keys`, which resolve with a {@link Result}. Errors have the name `KeyError`. */
export interface KeysEndpoint {
  /** As `runtime.keys.create()`. */
  create(request: KeyRequest): Promise<Result<CreatedKey>>;
  /** As `runtime.keys.list()`. */
  list(): Promise<Result<ApiKey[]>>;
  /** As `runtime.keys.revoke()`. */
  revoke(id: string): Promise<Result<void>>;
  /** As `runtime.keys.rotate()`. */
  rotate(id: string, rotation?: KeyRotation): Promise<Result<CreatedKey>>;
}
