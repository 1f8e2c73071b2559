/** Runs the choices of one request concurrently: a part for engines that run several replies at once. */

import type { Turn } from "../../engines/scheduling/model-queue.ts";
import type { ChoiceEvent, Choices } from "./sequential-choices.ts";

/**
 * The events of all choices as they come. The request's own turn runs one choice after another and gives way to other
 * requests between two, so that it makes progress however many wait; each further turn is for one choice. If one
 * fails, all end.
 */
export function concurrentChoices(own: Turn, choices: Choices): AsyncGenerator<ChoiceEvent, void> {
  return new ConcurrentChoices(own, choices).events();
}

/** A choice yielded an event or ended. */
interface Moved {
  type: "moved";
  turn: Turn;
  result: IteratorResult<ChoiceEvent, void>;
}

/** A turn is free for a choice; none if the wait for a further one ended. */
interface Entered {
  type: "entered";
  turn: Turn | undefined;
}

interface RunningChoice {
  events: AsyncGenerator<ChoiceEvent, void>;
  move: Promise<Moved>;
}

class ConcurrentChoices {
  readonly #own: Turn;
  readonly #request: Choices;
  readonly #running = new Map<Turn, RunningChoice>();
  readonly #left = new AbortController();
  readonly #allStarted = new AbortController();
  /** Aborts when the request does or its reader left. */
  readonly #ended: AbortSignal;
  /** Aborts when no choice needs a turn any more. */
  readonly #unwanted: AbortSignal;
  #started = 0;
  /** A further turn, while it is waited for. */
  #entering: Promise<Entered> | undefined;
  /** The own turn, while it lets other requests go first. */
  #returning: Promise<Entered> | undefined;

  constructor(own: Turn, request: Choices) {
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
        if (step.type === "entered") this.#enter(step.turn);
        else if (step.result.done) this.#leave(step.turn);
        else {
          this.#pull(step.turn, this.#running.get(step.turn)!.events);
          yield step.result.value;
        }
      }
    } finally {
      await this.#end();
    }
  }

  /** Whether a choice waits for a turn. */
  get #isWaiting(): boolean {
    return this.#started < this.#request.choices && !this.#request.signal.aborted;
  }

  #step(): Promise<Moved | Entered> {
    if (this.#isWaiting) {
      this.#entering ??= this.#furtherTurn().then(
        (turn) => ({ type: "entered", turn }),
        () => ({ type: "entered", turn: undefined }),
      );
    }
    const moves = [...this.#running.values()].map(({ move }) => move);
    const turns = [this.#entering, this.#returning].filter((turn) => turn !== undefined);
    return Promise.race([...moves, ...turns]);
  }

  async #furtherTurn(): Promise<Turn> {
    const { promptScores, enter } = this.#request;
    // Not in a turn: a reply that is repeated alone would wait for this one.
    if (promptScores) await promptScores.whenKnown(this.#started, this.#unwanted);
    return enter(this.#unwanted);
  }

  #enter(turn: Turn | undefined): void {
    if (turn === this.#own) this.#returning = undefined;
    else this.#entering = undefined;
    if (turn) this.#start(turn);
  }

  /** Starts the next choice in the turn, which is released if there is none. */
  #start(turn: Turn): void {
    if (!this.#isWaiting) {
      turn.release();
      return;
    }
    this.#pull(turn, this.#request.run(this.#started++, turn, this.#ended));
    if (this.#started === this.#request.choices) this.#allStarted.abort();
  }

  #pull(turn: Turn, events: RunningChoice["events"]): void {
    const move = events.next().then((result): Moved => ({ type: "moved", turn, result }));
    this.#running.set(turn, { events, move });
  }

  #leave(turn: Turn): void {
    this.#running.delete(turn);
    if (turn !== this.#own) turn.release();
    else {
      const returned: Entered = { type: "entered", turn };
      // Where the wait was aborted, `#start` releases it.
      this.#returning = turn.giveWay(this.#unwanted).then(
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
    for (const turn of this.#running.keys()) turn.release();
    void this.#entering?.then(({ turn }) => turn?.release());
  }
}
