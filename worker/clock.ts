/** The one source of time, ids and randomness in the server: tests inject their own. */
export interface Clock {
  /** Wall clock, milliseconds since the epoch. */
  now(): number;
  /** Monotonic milliseconds, for durations. */
  monotonic(): number;
  /** An id as OpenAI writes them: `prefix` and 29 random letters and digits. */
  id(prefix: string): string;
  /** A whole number in [0, 2^31), for requests that bring no seed. */
  seed(): number;
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const ID_LENGTH = 29;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  id(prefix) {
    const bytes = crypto.getRandomValues(new Uint8Array(ID_LENGTH));
    return prefix + Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join("");
  },
  seed: () => crypto.getRandomValues(new Uint32Array(1))[0]! >>> 1,
};

/** Unix seconds, as every `created` field wants them. */
export function unixSeconds(clock: Clock): number {
  return Math.floor(clock.now() / 1000);
}
