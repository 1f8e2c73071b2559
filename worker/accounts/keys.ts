import type { KeyRegistration } from "../../src/protocol/wire.ts";
import type { KeyScopes } from "./scopes.ts";

/** Who a verified key stands for, and what it may do. */
export interface KeyHolder extends KeyScopes {
  accessKey: string;
  account: string;
}

interface StoredKey extends KeyRegistration {
  account: string;
}

const KEY_FORM = /^infetch-([A-Za-z0-9]+)-([A-Za-z0-9]+)$/;

/** The keys that the server knows, by access key: salted hashes only, never a secret. */
export class KeyRing {
  readonly #keys = new Map<string, StoredKey>();

  /** Registers a key; the same one again changes nothing. */
  register(key: KeyRegistration, account = "default"): void {
    this.#keys.set(key.accessKey, { ...key, account });
  }

  /** Forgets the key of a page that is gone. */
  forget(accessKey: string): void {
    this.#keys.delete(accessKey);
  }

  /** The holder of `apiKey`, or undefined where it is malformed, unknown or has a wrong secret. */
  async verify(apiKey: string): Promise<KeyHolder | undefined> {
    const parts = KEY_FORM.exec(apiKey);
    const stored = parts && this.#keys.get(parts[1]!);
    if (!stored) return undefined;
    const text = new TextEncoder().encode(stored.salt + parts[2]!);
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", text));
    const hash = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
    if (!equalInConstantTime(hash, stored.hash)) return undefined;
    return { accessKey: stored.accessKey, account: stored.account };
  }
}

/** Compares all of both texts, whatever differs first. */
function equalInConstantTime(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let at = 0; at < a.length; at++) difference |= a.charCodeAt(at) ^ b.charCodeAt(at % b.length);
  return difference === 0;
}
