/** Runs the choices of one request one after another. */

import type { EngineUsage } from "../../engine-api/chat-engine.ts";
import type { Turn } from "../../engines/scheduling/model-queue.ts";
import type { GenerationEvent } from "../events.ts";
import type { PromptScores } from "./prompt-scores.ts";

type WithUsage<Event> = Event extends GenerationEvent
  ? Omit<Event, "counts"> & { usage: EngineUsage }
  : never;

/** An event with the usage of its own choice. */
export type ChoiceEvent = WithUsage<GenerationEvent>;

export interface Choices {
  choices: number;
  /** The events of one choice, in a turn. */
  run: (choice: number, turn: Turn, signal: AbortSignal) => AsyncGenerator<ChoiceEvent, void>;
  /** Waits for one more turn of the same request. */
  enter: (signal: AbortSignal) => Promise<Turn>;
  promptScores?: PromptScores | undefined;
  signal: AbortSignal;
}

/** The events of all choices, one after another; between two of them, other requests that wait go first. */
export async function* sequentialChoices(
  turn: Turn,
  { choices, run, signal }: Choices,
): AsyncGenerator<ChoiceEvent, void> {
  for (let choice = 0; choice < choices; choice++) {
    if (choice > 0) await turn.giveWay(signal);
    for await (const event of run(choice, turn, signal)) {
      yield event;
      if (event.type === "abort") return;
    }
  }
}
