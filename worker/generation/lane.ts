import type { ReplyRank } from "../engines/api/types.ts";
import type { ModelQueue, Place, Turn } from "../engines/scheduling/model-queue.ts";

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
