import type { KeyRegistration } from "../../../src/protocol/wire.ts";
import type { Clock } from "../../clock.ts";
import { DEFAULT_ACCOUNT } from "../ledger/accounts.ts";
import { KeyError } from "./key-error.ts";
import type { KeyRow, LimitsRow } from "./schema.ts";
import type { KeyScopes } from "./scopes.ts";
import { isSecretOf } from "./secrets.ts";

/** Account and permissions of a verified key. */
export interface KeyHolder extends KeyScopes {
  accessKey: string;
  account: string;
  /** Name and limits of a key created with `runtime.keys`. A page's own key has none. */
  limited?: { name: string; limits: LimitsRow };
}

const KEY_FORM = /^infetch-([A-Za-z0-9]+)-([A-Za-z0-9]+)$/;

interface StoredKeys {
  /** @throws {KeyError} `keys_unavailable` */
  find(accessKey: string): Promise<KeyRow | undefined>;
  clock: Clock;
  /** Opens a ledger for an account that has none. Rejects if the ledger is unavailable. */
  openAccount(id: string): Promise<void>;
}

/** The keys of requests: those of pages, in memory, and those created with `runtime.keys`. */
export class KeyRing {
  /** A page reconnects before its old connection's end is seen, so connections are counted. */
  readonly #pageKeys = new Map<string, KeyRegistration & { account: string; connections: number }>();
  readonly #stored: StoredKeys | undefined;
  readonly #openAccounts = new Set<string>();
  /** Called with each registration. */
  readonly #onRegister = new Set<() => void>();

  constructor(stored?: StoredKeys) {
    this.#stored = stored;
  }

  /** Registers a page's own key for one of its connections. */
  register(key: KeyRegistration, account = DEFAULT_ACCOUNT): void {
    const connections = (this.#pageKeys.get(key.accessKey)?.connections ?? 0) + 1;
    this.#pageKeys.set(key.accessKey, { ...key, account, connections });
    for (const listener of [...this.#onRegister]) listener();
  }

  /** One connection of the page has ended: the key ends with the last one. */
  forget(accessKey: string): void {
    const key = this.#pageKeys.get(accessKey);
    if (key && --key.connections === 0) this.#pageKeys.delete(accessKey);
  }

  /** Waits for the page whose own key `apiKey` is. @returns whether it has joined before the signal aborts */
  joins(apiKey: string, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (hasJoined: boolean): void => {
        this.#onRegister.delete(listener);
        signal.removeEventListener("abort", onAbort);
        resolve(hasJoined);
      };
      const listener = (): void => {
        if (this.isOfPage(apiKey)) end(true);
      };
      const onAbort = (): void => end(false);
      this.#onRegister.add(listener);
      signal.addEventListener("abort", onAbort);
      listener();
      if (signal.aborted) onAbort();
    });
  }

  /** Whether `apiKey` names a page's own key, whatever its secret. */
  isOfPage(apiKey: string): boolean {
    const accessKey = KEY_FORM.exec(apiKey)?.[1];
    return accessKey !== undefined && this.#pageKeys.has(accessKey);
  }

  /**
   * The holder of `apiKey`, or undefined if it is malformed, unknown or has a wrong secret.
   *
   * @throws {KeyError} `key_expired`; `keys_unavailable` if IndexedDB cannot be read
   */
  async verify(apiKey: string): Promise<KeyHolder | undefined> {
    const parts = KEY_FORM.exec(apiKey);
    if (!parts) return undefined;
    const [, accessKey, secretKey] = parts as unknown as [string, string, string];
    const pageKey = this.#pageKeys.get(accessKey);
    if (!pageKey) return this.#verifyStored(accessKey, secretKey);
    return (await isSecretOf(pageKey, secretKey)) ? { accessKey, account: pageKey.account } : undefined;
  }

  /**
   * The holder of a key created with `runtime.keys`, without its secret: for work already started.
   *
   * @throws {KeyError} `keys_unavailable`
   */
  async find(accessKey: string): Promise<KeyHolder | undefined> {
    const key = await this.#stored?.find(accessKey);
    return key && holderOf(key);
  }

  async #verifyStored(accessKey: string, secretKey: string): Promise<KeyHolder | undefined> {
    const key = await this.#stored?.find(accessKey);
    if (!key) return undefined;
    const nowMs = this.#stored!.clock.now();
    const isCurrent = await isSecretOf(key, secretKey);
    const { previous } = key;
    const isPrevious = !isCurrent && previous && nowMs < previous.until_ms;
    if (!isCurrent && !(isPrevious && (await isSecretOf(previous, secretKey)))) return undefined;
    if (key.expires_ms !== undefined && nowMs >= key.expires_ms) {
      throw new KeyError("key_expired", "This API key has expired.");
    }
    await this.#openOnce(key.account);
    return holderOf(key);
  }

  /** A key may have been created while billing was off, or be older than the ledger. */
  async #openOnce(account: string): Promise<void> {
    if (this.#openAccounts.has(account)) return;
    try {
      await this.#stored!.openAccount(account);
      this.#openAccounts.add(account);
    } catch {
      // An unavailable ledger must not reject keys.
    }
  }
}

function holderOf({ access_key, account, name, limits, models, endpoints }: KeyRow): KeyHolder {
  return {
    accessKey: access_key,
    account,
    limited: { name, limits },
    ...(models ? { models } : {}),
    ...(endpoints ? { endpoints } : {}),
  };
}
