import { randomText } from "../src/shared/random-text.ts";

/** The only source of time, ids and randomness in the server, so that tests can inject it. */
export interface Clock {
  /** Wall clock, milliseconds since the epoch. */
  now(): number;
  /** Monotonic milliseconds, for durations. */
  monotonic(): number;
  /** An id in OpenAI's format: `prefix` and random letters and digits, 29 by default. */
  id(prefix: string, length?: number): string;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  id: (prefix, length = 29) => prefix + randomText(length),
};

/** The system clock, shifted by `offsetMs` (`clockOffsetMs`). */
export function offsetClock(offsetMs: number): Clock {
  return offsetMs === 0 ? systemClock : { ...systemClock, now: () => systemClock.now() + offsetMs };
}

/** The only source of delays, like {@link Clock}: tests advance it by hand. */
export interface Timers {
  /** Calls `call` once after `delayMs`; returns a function that cancels it. */
  after(delayMs: number, call: () => void): () => void;
}

export const systemTimers: Timers = {
  after(delayMs, call) {
    const timer = setTimeout(call, delayMs);
    return () => clearTimeout(timer);
  },
};

/** Unix seconds, as in every `created` field. */
export function unixSeconds(clock: Clock): number {
  return Math.floor(clock.now() / 1000);
}
