/**
 * Waits for servers that limit the rate of requests (429). The hub counts them in windows of five minutes. All files of
 * one load wait together, so that they send no further requests meanwhile.
 */

import { abortable } from "../../../src/shared/abortable.ts";
import { EngineError } from "../../engine-api/engine-error.ts";
import type { HubSource } from "../../engine-api/model-files.ts";
import type { RequestLimits, StoreEnvironment } from "../environment.ts";

/** How long one load waits in total. */
export const MAX_WAIT_MS = 300_000;
/** Without `retry-after`: the first pause, doubled each time. */
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 50_000;
/** Minimum pause, so that a server that answers "retry now" is not asked in a tight loop. */
const SHORTEST_PAUSE_MS = 1_000;

interface Pause {
  untilMs: number;
  over: Promise<void>;
}

/** The pauses of one load. */
export class RateLimits implements RequestLimits {
  readonly #environment: Pick<StoreEnvironment, "timers" | "now" | "random" | "origin">;
  readonly #onWait: (untilMs: number) => void;
  readonly #pauses = new Map<string, Pause>();
  #leftMs = MAX_WAIT_MS;
  #pauseMs = FIRST_PAUSE_MS;

  /** @param onWait called when a pause begins or becomes longer, with its end in Unix milliseconds */
  constructor(
    environment: Pick<StoreEnvironment, "timers" | "now" | "random" | "origin">,
    onWait: (untilMs: number) => void = () => {},
  ) {
    this.#environment = environment;
    this.#onWait = onWait;
  }

  async ready(url: string, signal: AbortSignal): Promise<void> {
    const origin = this.#originOf(url);
    for (let pause = this.#pauses.get(origin); pause; pause = this.#pauses.get(origin)) {
      await abortable(pause.over, signal);
    }
  }

  note(url: string, retryAfterMs: number | undefined, hub: HubSource | undefined): void {
    const origin = this.#originOf(url);
    const running = this.#pauses.get(origin);
    if (running && retryAfterMs === undefined) return;
    const wantedMs =
      retryAfterMs === undefined ? this.#nextPauseMs() : Math.max(SHORTEST_PAUSE_MS, retryAfterMs);
    const { timers, now } = this.#environment;
    const untilMs = now() + wantedMs;
    // Never more than is asked for: the clock may have been set ahead during the pause.
    const moreMs = running ? Math.min(wantedMs, untilMs - running.untilMs) : wantedMs;
    if (running && moreMs <= 0) return;
    if (moreMs > this.#leftMs) throw rateLimited(url, retryAfterMs, hub);
    this.#leftMs -= moreMs;
    const pause: Pause = {
      untilMs,
      over: (running?.over ?? Promise.resolve())
        .then(() => new Promise<void>((over) => void timers.after(moreMs, over)))
        .then(() => {
          if (this.#pauses.get(origin) === pause) this.#pauses.delete(origin);
        }),
    };
    this.#pauses.set(origin, pause);
    this.#onWait(pause.untilMs);
  }

  /** Doubles with each pause; the last one uses up what is left. */
  #nextPauseMs(): number {
    const jitter = 0.5 + this.#environment.random() / 2;
    const pauseMs = Math.max(SHORTEST_PAUSE_MS, Math.round(this.#pauseMs * jitter));
    this.#pauseMs = Math.min(LONGEST_PAUSE_MS, this.#pauseMs * 2);
    return this.#leftMs < SHORTEST_PAUSE_MS ? pauseMs : Math.min(pauseMs, this.#leftMs);
  }

  #originOf(url: string): string {
    return new URL(url, this.#environment.origin || undefined).origin;
  }
}

/** For small files that a caller waits for and cannot cancel: no pauses, a 429 is an error at once. */
export const NO_PAUSES: RequestLimits = {
  ready: async () => {},
  note(url, retryAfterMs, hub) {
    throw rateLimited(url, retryAfterMs, hub, "");
  },
};

function rateLimited(
  url: string,
  retryAfterMs: number | undefined,
  hub: HubSource | undefined,
  waited = ", and the load waited for it as long as it may, five minutes in all",
): EngineError {
  const when = retryAfterMs === undefined ? "" : ` Its limit ends in ${Math.ceil(retryAfterMs / 1000)} s.`;
  const token = hub?.token === undefined ? "set hub.token, as accounts have higher limits, or " : "";
  const remedy = hub ? `, or ${token}set hub.url to a mirror` : "";
  return new EngineError(
    "rate_limited",
    `The server of ${url.split("?")[0]} limits the rate of requests (429)${waited}.${when} What was downloaded is kept. Try again later${remedy}.`,
  );
}
