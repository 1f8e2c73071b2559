/** Runs the choices of one request: one after another, or side by side. */

import type { EngineUsage } from "../engines/api/types.ts";
import type { GenerationEvent } from "./events.ts";
import type { Lane } from "./lane.ts";

type WithUsage<Event> = Event extends GenerationEvent
  ? Omit<Event, "counts"> & { usage: EngineUsage }
  : never;

/** An event with the usage of its own choice. */
export type ChoiceEvent = WithUsage<GenerationEvent>;

interface Choices {
  choices: number;
  /** The events of one choice, with turns of the lane. */
  run: (choice: number, lane: Lane, signal: AbortSignal) => AsyncGenerator<ChoiceEvent, void>;
  /** Waits for one more place of the same request. */
  enter: (signal: AbortSignal) => Promise<Lane>;
  signal: AbortSignal;
}

/** The events of all choices, one after another; between two of them, other requests that wait go first. */
export async function* inTurn(
  lane: Lane,
  { choices, run, signal }: Choices,
): AsyncGenerator<ChoiceEvent, void> {
  for (let choice = 0; choice < choices; choice++) {
    if (choice > 0) await lane.giveWay(signal);
    for await (const event of run(choice, lane, signal)) {
      yield event;
      if (event.type === "finish" && event.reason === "abort") return;
    }
  }
}

/**
 * The events of all choices as they come. The request's own lane runs one choice after another and takes turns with
 * other requests, so that it makes progress however many wait; each further place is for one choice. If one fails,
 * all end.
 */
export function sideBySide(own: Lane, choices: Choices): AsyncGenerator<ChoiceEvent, void> {
  return new SideBySide(own, choices).events();
}

/** A choice yielded an event or ended. */
interface Moved {
  type: "moved";
  lane: Lane;
  result: IteratorResult<ChoiceEvent, void>;
}

/** A lane is free for a choice; none if the wait for a further one ended. */
interface Entered {
  type: "entered";
  lane: Lane | undefined;
}

interface RunningChoice {
  events: AsyncGenerator<ChoiceEvent, void>;
  move: Promise<Moved>;
}

class SideBySide {
  readonly #own: Lane;
  readonly #request: Choices;
  readonly #running = new Map<Lane, RunningChoice>();
  readonly #left = new AbortController();
  readonly #allStarted = new AbortController();
  /** Aborts when the request does or its reader left. */
  readonly #ended: AbortSignal;
  /** Aborts when no choice needs a lane any more. */
  readonly #unwanted: AbortSignal;
  #started = 0;
  /** A further lane, while it is waited for. */
  #entering: Promise<Entered> | undefined;
  /** The own lane, while it lets other requests go first. */
  #returning: Promise<Entered> | undefined;

  constructor(own: Lane, request: Choices) {
    this.#own = own;
    this.#request = request;
    this.#ended = AbortSignal.any([request.signal, this.#left.signal]);
    this.#unwanted = AbortSignal.any([this.#ended, this.#allStarted.signal]);
  }

  async *events(): AsyncGenerator<ChoiceEvent, void> {
    this.#start(this.#own);
    try {
      while (this.#running.size > 0 || this.#returning) {
        const step = await this.#step();
        if (step.type === "entered") this.#enter(step.lane);
        else if (step.result.done) this.#leave(step.lane);
        else {
          this.#pull(step.lane, this.#running.get(step.lane)!.events);
          yield step.result.value;
        }
      }
    } finally {
      await this.#end();
    }
  }

  /** Whether a choice waits for a lane. */
  get #isWaiting(): boolean {
    return this.#started < this.#request.choices && !this.#request.signal.aborted;
  }

  #step(): Promise<Moved | Entered> {
    if (this.#isWaiting) {
      this.#entering ??= this.#request.enter(this.#unwanted).then(
        (lane) => ({ type: "entered", lane }),
        () => ({ type: "entered", lane: undefined }),
      );
    }
    const moves = [...this.#running.values()].map(({ move }) => move);
    const lanes = [this.#entering, this.#returning].filter((lane) => lane !== undefined);
    return Promise.race([...moves, ...lanes]);
  }

  #enter(lane: Lane | undefined): void {
    if (lane === this.#own) this.#returning = undefined;
    else this.#entering = undefined;
    if (lane) this.#start(lane);
  }

  /** Starts the next choice on the lane, which is released if there is none. */
  #start(lane: Lane): void {
    if (!this.#isWaiting) {
      lane.release();
      return;
    }
    this.#pull(lane, this.#request.run(this.#started++, lane, this.#ended));
    if (this.#started === this.#request.choices) this.#allStarted.abort();
  }

  #pull(lane: Lane, events: RunningChoice["events"]): void {
    const move = events.next().then((result): Moved => ({ type: "moved", lane, result }));
    this.#running.set(lane, { events, move });
  }

  #leave(lane: Lane): void {
    this.#running.delete(lane);
    if (lane !== this.#own) lane.release();
    else {
      const returned: Entered = { type: "entered", lane };
      // Where the wait was aborted, `#start` releases it.
      this.#returning = lane.giveWay(this.#unwanted).then(
        () => returned,
        () => returned,
      );
    }
  }

  /** Ends what runs, also when the reader leaves or a choice fails. */
  async #end(): Promise<void> {
    this.#left.abort();
    for (const { move } of this.#running.values()) move.catch(() => {});
    await Promise.allSettled([...this.#running.values()].map(({ events }) => events.return()));
    for (const lane of this.#running.keys()) lane.release();
    void this.#entering?.then(({ lane }) => lane?.release());
  }
}
