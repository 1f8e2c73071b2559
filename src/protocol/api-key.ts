/** The form of API keys, and the hash of their secret that is stored. */

import { sha256OfText } from "../shared/hex.ts";

export const ACCESS_KEY_LENGTH = 16;
/** 32 symbols of 62: 190 random bits. */
export const SECRET_KEY_LENGTH = 32;

/** The key that clients send. */
export function apiKeyOf(accessKey: string, secretKey: string): string {
  return `infetch-${accessKey}-${secretKey}`;
}

/** Hexadecimal SHA-256 of the salt and the secret. */
export function hashSecret(salt: string, secretKey: string): Promise<string> {
  return sha256OfText(salt + secretKey);
}
