import { CodedError } from "../../../src/shared/coded-error.ts";

/** A refused or failed operation on a key. `code` is stable; `http` and the page's calls map it. */
export class KeyError extends CodedError<KeyErrorCode> {
  override name = "KeyError" as const;
}

type KeyErrorCode =
  | "invalid_argument"
  /** No such key, or no longer. */
  | "key_not_found"
  /** The secret is correct, but the key has expired. */
  | "key_expired"
  /** IndexedDB cannot be opened or read. */
  | "keys_unavailable";
