/** Runs the choices of one request: one after another, or side by side. */

import type { EngineUsage, ReplyRank } from "../engines/api/types.ts";
import type { ModelQueue, Place, Turn } from "../engines/scheduling/model-queue.ts";
import type { GenerationEvent } from "./events.ts";

/** A turn of the model's queue, which a reply changes for another if its engine was lost. */
export class Lane {
  readonly #queue: ModelQueue;
  readonly #place: Place;
  #turn: Turn;

  private constructor(queue: ModelQueue, place: Place, turn: Turn) {
    this.#queue = queue;
    this.#place = place;
    this.#turn = turn;
  }

  /** @throws as {@link ModelQueue.enter} */
  static async enter(queue: ModelQueue, signal: AbortSignal, place: Place = {}): Promise<Lane> {
    return new Lane(queue, place, await queue.enter(signal, place));
  }

  get rank(): ReplyRank {
    if (this.#place.priority === "background") return "background";
    return this.#place.isFurther ? "further" : "first";
  }

  /** Waits until no other reply runs. */
  async beAlone(signal: AbortSignal): Promise<void> {
    this.release();
    this.#turn = await this.#queue.enter(signal, { ...this.#place, isAlone: true, isRepeated: true });
  }

  /** Between two replies: lets other requests that wait go first. @throws as {@link Turn.giveWay} */
  giveWay(signal: AbortSignal): Promise<void> {
    return this.#turn.giveWay(signal);
  }

  release(): void {
    this.#turn.release();
  }
}

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

type Running = AsyncGenerator<ChoiceEvent, void>;
type Moved = { lane: Lane; result: IteratorResult<ChoiceEvent, void> };

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
 * other requests, so that it goes on however many wait; each further place is for one choice. If one fails, all end.
 */
export async function* sideBySide(
  own: Lane,
  { choices, run, enter, signal }: Choices,
): AsyncGenerator<ChoiceEvent, void> {
  const left = new AbortController();
  const ended = AbortSignal.any([signal, left.signal]);
  const running = new Map<Lane, Running>();
  const moves = new Map<Lane, Promise<Moved>>();
  let entering: Promise<Lane | undefined> | undefined;
  let returning: Promise<Lane> | undefined;
  const enough = new AbortController();
  const unwanted = AbortSignal.any([ended, enough.signal]);
  let next = 0;
  const pull = (lane: Lane): void => {
    moves.set(
      lane,
      running
        .get(lane)!
        .next()
        .then((result) => ({ lane, result })),
    );
  };
  const start = (lane: Lane): void => {
    if (next === choices || signal.aborted) {
      lane.release();
      return;
    }
    running.set(lane, run(next++, lane, ended));
    pull(lane);
    if (next === choices) enough.abort();
  };
  start(own);
  try {
    while (moves.size > 0 || returning) {
      if (next < choices && !signal.aborted) entering ??= enter(unwanted).catch(() => undefined);
      const coming = [entering, returning].filter((lane) => lane !== undefined);
      const moved = await Promise.race([...moves.values(), ...coming]);
      if (moved === undefined || moved instanceof Lane) {
        if (moved === own) returning = undefined;
        else entering = undefined;
        if (moved) start(moved);
        continue;
      }
      const { lane, result } = moved;
      if (!result.done) {
        pull(lane);
        yield result.value;
        continue;
      }
      moves.delete(lane);
      running.delete(lane);
      if (lane !== own) lane.release();
      else
        returning = own.giveWay(unwanted).then(
          () => own,
          () => own,
        );
    }
  } finally {
    left.abort();
    for (const move of moves.values()) move.catch(() => {});
    await Promise.allSettled([...running.values()].map((one) => one.return()));
    for (const lane of running.keys()) lane.release();
    void entering?.then((lane) => lane?.release());
  }
}
