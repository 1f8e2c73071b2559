/** Loaded models, from events since the page opened. */

import { type Signal, signal } from "@preact/signals";
import type { EngineEvent } from "infetch";

interface EngineState {
  state: EngineEvent["state"];
  reason?: string | undefined;
}

export const engines: Signal<Readonly<Record<string, EngineState>>> = signal({});

export function noteEngine({ model, state, reason }: EngineEvent): void {
  engines.value = { ...engines.value, [model]: { state, reason } };
}
