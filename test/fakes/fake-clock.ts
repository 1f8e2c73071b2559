import type { Clock } from "../../worker/clock.ts";

/** A clock that stands still until it is moved. */
export class FakeClock implements Clock {
  #nowMs: number;
  #monotonicMs = 0;
  #ids = 0;

  constructor(now: string | number) {
    this.#nowMs = typeof now === "number" ? now : Date.parse(now);
  }

  /** Sets the wall clock alone, as a user does: the monotonic one goes on as before. */
  set(now: string | number): this {
    this.#nowMs = typeof now === "number" ? now : Date.parse(now);
    return this;
  }

  /** Both clocks run. */
  advance(ms: number): this {
    this.#nowMs += ms;
    this.#monotonicMs += ms;
    return this;
  }

  now = (): number => this.#nowMs;
  monotonic = (): number => this.#monotonicMs;
  id = (prefix: string, length = 29): string => prefix + String(++this.#ids).padStart(length, "0");
}
