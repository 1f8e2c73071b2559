import { KeyError } from "../usage/keys/key-error.ts";
import type { KeyHolder, KeyRing } from "../usage/keys/key-ring.ts";
import { unauthorized } from "./unauthorized.ts";

/** The bearer key of a request, if it has one. The scheme is case-insensitive (RFC 9110 §11.1). */
export function keyOf({ headers }: Request): string | undefined {
  return /^bearer +(\S+) *$/i.exec(headers.get("authorization") ?? "")?.[1];
}

/**
 * Returns the holder of the request's bearer key.
 *
 * @throws {ApiError} 401 `missing_api_key`, `invalid_api_key` or `expired_api_key`
 * @throws {KeyError} `keys_unavailable`
 */
export async function authenticate(request: Request, keys: KeyRing): Promise<KeyHolder> {
  const key = keyOf(request);
  if (!key) {
    throw unauthorized(
      "missing_api_key",
      "You didn't provide an API key. Send it in an Authorization header: 'Authorization: Bearer YOUR_KEY'. The page's own key is runtime.apiKey.",
    );
  }
  const holder = await keys.verify(key).catch((error) => {
    if (!(error instanceof KeyError) || error.code !== "key_expired") throw error;
    throw unauthorized("expired_api_key", `${error.message} Create a new one with runtime.keys.create().`);
  });
  if (!holder) {
    throw unauthorized(
      "invalid_api_key",
      `Incorrect API key provided: ${masked(key)}. Use runtime.apiKey, or a key created with runtime.keys.create().`,
    );
  }
  return holder;
}

/** As at OpenAI: enough to recognize a key, not enough to use it. */
function masked(key: string): string {
  return key.length <= 12 ? "*".repeat(key.length) : `${key.slice(0, 8)}${"*".repeat(8)}${key.slice(-4)}`;
}
