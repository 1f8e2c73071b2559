/** API key secrets: generated here, stored as salted hashes, compared in constant time. */

import { ACCESS_KEY_LENGTH, apiKeyOf, hashSecret, SECRET_KEY_LENGTH } from "../../../src/protocol/api-key.ts";
import type { Clock } from "../../clock.ts";
import type { HashedSecret } from "./schema.ts";

interface MintedSecret {
  /** `infetch-<accessKey>-<secretKey>` */
  apiKey: string;
  hashed: HashedSecret;
}

/** The public part of a new key, by which it is named. */
export function mintAccessKey(clock: Clock): string {
  return clock.id("", ACCESS_KEY_LENGTH);
}

/** A new secret for an access key. It is returned in `apiKey` and not stored. */
export async function mintSecret(clock: Clock, accessKey: string): Promise<MintedSecret> {
  const secretKey = clock.id("", SECRET_KEY_LENGTH);
  const salt = clock.id("", SECRET_KEY_LENGTH);
  return {
    apiKey: apiKeyOf(accessKey, secretKey),
    hashed: { salt, hash: await hashSecret(salt, secretKey) },
  };
}

/** Whether a secret is the one that was hashed. */
export async function isSecretOf({ salt, hash }: HashedSecret, secretKey: string): Promise<boolean> {
  return equalInConstantTime(await hashSecret(salt, secretKey), hash);
}

/** Always compares the full length. */
function equalInConstantTime(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let at = 0; at < a.length; at++) difference |= a.charCodeAt(at) ^ b.charCodeAt(at % b.length);
  return difference === 0;
}
