/** The one source of time, ids and randomness in the server: tests inject their own. */
export interface Clock {
  /** Wall clock, milliseconds since the epoch. */
  now(): number;
  /** Monotonic milliseconds, for durations. */
  monotonic(): number;
  /** An id as OpenAI writes them: `prefix` and random letters and digits, 29 unless told otherwise. */
  id(prefix: string, length?: number): string;
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  id(prefix, length = 29) {
    const bytes = crypto.getRandomValues(new Uint8Array(length));
    return prefix + Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join("");
  },
};

/** The system's clock, moved by so many milliseconds (`clockOffsetMs`). */
export function offsetClock(offsetMs: number): Clock {
  return offsetMs === 0 ? systemClock : { ...systemClock, now: () => systemClock.now() + offsetMs };
}

/** The one source of waiting, beside {@link Clock}: tests move it by hand. */
export interface Timers {
  /** Calls once, so many milliseconds from now; returns what calls it off. */
  after(delayMs: number, call: () => void): () => void;
}

export const systemTimers: Timers = {
  after(delayMs, call) {
    const timer = setTimeout(call, delayMs);
    return () => clearTimeout(timer);
  },
};

/** Unix seconds, as every `created` field wants them. */
export function unixSeconds(clock: Clock): number {
  return Math.floor(clock.now() / 1000);
}
