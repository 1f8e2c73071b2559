/** New API keys. Their secrets are generated here. */

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
