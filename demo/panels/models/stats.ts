/** What loaded models do, while the panel is open. */

import { type Signal, signal } from "@preact/signals";
import type { StatsEvent } from "infetch";
import { runtime } from "../../store/runtime.ts";

/** The latest event, by model. */
export const stats: Signal<Readonly<Record<string, StatsEvent>>> = signal({});

/** Returns a function that ends it. */
export function watchStats(): () => void {
  const end = runtime().on("stats", (event) => {
    stats.value = { ...stats.value, [event.model]: event };
  });
  return () => {
    end();
    stats.value = {};
  };
}
