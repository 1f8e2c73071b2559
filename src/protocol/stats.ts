/** What loaded models do, and how a page asks for it. */

/**
 * What a loaded chat model does, for all pages together: sent to a new listener, once the model has loaded, each second
 * while it works, and once when it is idle again. Nothing is measured while no page listens.
 */
export interface StatsEvent {
  /** Discriminates the events. */
  type: "stats";
  /** Model id as used in requests. */
  model: string;
  /** Requests that run, lines of batches included; each of several choices counts. */
  running: number;
  /** Requests that wait for others to end. */
  waiting: number;
  /** Tokens generated per second since the event before, of all requests together; 0 in the first event. */
  tokensPerSecond: number;
  /** Share of all prompt tokens that were in the KV cache, 0 to 1, since the model was loaded; null before the first. */
  cacheHitRate: number | null;
  /** The KV cache; null for engines that do not report it, such as llama.cpp. */
  pages: CachePages | null;
}

/** Pages of a KV cache, each for a fixed number of tokens (16 in MLC's libraries). */
export interface CachePages {
  /** Pages of the model's cache. */
  total: number;
  /** Not in use. */
  free: number;
  /** Held for later prompts only; they give way to requests. All others are in use by running requests. */
  retained: number;
}

/** Sent by a page on the port of its events. */
export interface EventsControl {
  /** Whether it listens to {@link StatsEvent}s. */
  watchStats: boolean;
}
