/** API key secrets: stored as salted hashes, compared in constant time. */

import { hashSecret } from "../../../src/protocol/api-key.ts";
import type { HashedSecret } from "./schema.ts";

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
