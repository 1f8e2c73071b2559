import { ACCESS_KEY_LENGTH, apiKeyOf, hashSecret, SECRET_KEY_LENGTH } from "../protocol/api-key.ts";
import type { KeyRegistration } from "../protocol/wire.ts";
import { toHex } from "../shared/hex.ts";
import { randomText } from "../shared/random-text.ts";

/** A generated key and its registration for the server. */
interface MintedKey {
  /** `infetch-<accessKey>-<secretKey>` */
  apiKey: string;
  registration: KeyRegistration;
}

/** Generates the page's own key. It lives as long as the page and is never stored. */
export async function mintKey(): Promise<MintedKey> {
  const accessKey = randomText(ACCESS_KEY_LENGTH);
  const secretKey = randomText(SECRET_KEY_LENGTH);
  const salt = toHex(crypto.getRandomValues(new Uint8Array(16)));
  return {
    apiKey: apiKeyOf(accessKey, secretKey),
    registration: { accessKey, salt, hash: await hashSecret(salt, secretKey) },
  };
}
