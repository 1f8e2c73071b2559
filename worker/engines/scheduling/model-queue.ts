import { NEVER } from "../../../src/shared/abortable.ts";
import type { ReplyRank } from "../../engine-api/chat-engine.ts";
import { EngineError } from "../../engine-api/engine-error.ts";

/** Background work runs only when no interactive request waits. Its callers bound it, so it has no queue limit. */
export type Priority = "interactive" | "background";

/** A request's position in the queue. */
export interface QueuePosition {
  /** @default "interactive" */
  priority?: Priority;
  /** Arrival of the request at the server; lower values run first. @default last */
  arrival?: number;
  /** Runs while no other request does. @default false */
  isAlone?: boolean;
  /** It had a turn before, so it is not refused if the queue is full. @default false */
  isRepeated?: boolean;
  /** Another reply of a request that runs: it comes after all others and leaves one place free. @default false */
  isFurther?: boolean;
}

interface Request extends Required<QueuePosition> {
  /** Not a request, but the wait for the end of all of them. */
  isDrain: boolean;
}

const ANY: Request = {
  priority: "interactive",
  arrival: Number.POSITIVE_INFINITY,
  isAlone: false,
  isRepeated: false,
  isFurther: false,
  isDrain: false,
};

interface Waiting extends Request {
  start: () => void;
}

/** A request's use of the engine; release it when done. */
export interface Turn {
  /** How far its reply gives way in the engine. */
  readonly rank: ReplyRank;
  /**
   * Between two replies: lets the requests that wait now go first, and those that come later not. A turn that was alone
   * is so no more.
   *
   * @throws the signal's reason if it aborts first, without a turn
   */
  giveWay(signal: AbortSignal): Promise<void>;
  /**
   * To repeat a reply whose engine was lost: gives the turn up and waits, at its first place in the order, until no other
   * request runs.
   *
   * @throws the signal's reason if it aborts first, without a turn
   */
  beAlone(signal: AbortSignal): Promise<void>;
  release(): void;
}

/** What an engine runs at once. */
interface Capacity {
  /** How many replies run side by side. @default 1 */
  parallel?: number;
  /** Whether it interrupts background replies while others need their places. @default false */
  suspends?: boolean;
}

/**
 * Runs as many requests at a time as the engine does. Interactive requests are served before background ones, each in
 * order of arrival, and further replies of running ones last; where there are several places, both of these leave one free.
 * From an engine that suspends them, background ones take no places.
 */
export class ModelQueue {
  readonly #waiting: Waiting[] = [];
  readonly #running = new Set<Request>();
  readonly #limit: number;
  #width = 1;
  #suspends = false;

  /** @param limit maximum number of waiting interactive requests, excluding the running ones */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Adapts to an engine, which others may replace. */
  adapt({ parallel = 1, suspends = false }: Capacity): void {
    this.#width = parallel;
    this.#suspends = suspends;
    this.#next();
  }

  /** How many requests run now. */
  get running(): number {
    return Math.min(this.#running.size, this.#width);
  }

  /** How many requests wait, those that the engine suspends included. */
  get waiting(): number {
    return this.#waiting.filter((one) => !one.isDrain).length + this.#running.size - this.running;
  }

  /** How many background requests run at a time: all places but one, and at least one. */
  get backgroundPlaces(): number {
    return Math.max(1, this.#width - 1);
  }

  /**
   * Waits until the engine is free for this request.
   *
   * @throws {EngineError} `queue_full`
   * @throws the signal's reason if it aborts first
   */
  async enter(signal: AbortSignal, position: QueuePosition = {}): Promise<Turn> {
    return this.#enter(signal, { ...ANY, ...position });
  }

  async #enter(signal: AbortSignal, request: Request): Promise<Turn> {
    const { arrival } = request;
    await this.#admit(signal, request);
    return {
      rank: rankOf(request),
      giveWay: (signal) => this.#giveWay(signal, request),
      beAlone: (signal) => {
        this.#end(request);
        request.arrival = arrival;
        request.isAlone = true;
        request.isRepeated = true;
        return this.#admit(signal, request);
      },
      release: () => this.#end(request),
    };
  }

  async #admit(signal: AbortSignal, request: Request): Promise<void> {
    const { priority, isRepeated, isFurther } = request;
    signal.throwIfAborted();
    if (this.#waiting.some((one) => !comesBefore(request, one)) || !this.#hasRoom(request)) {
      if (priority === "interactive" && !isRepeated && !isFurther && this.#count(priority) >= this.#limit) {
        const message = `The model's queue of ${this.#limit} is full. Try again in a moment.`;
        throw new EngineError("queue_full", message);
      }
      await this.#wait(signal, request);
    } else this.#running.add(request);
  }

  /**
   * A turn after all requests that run or wait, with all their replies, and before all that come.
   *
   * @param isLast whether it comes after these, too: no more come
   */
  drain(isLast = false): Promise<Turn> {
    const arrivals = [...this.#running, ...this.#waiting].map(({ arrival }) => arrival);
    // Between two arrivals.
    const arrival = isLast ? ANY.arrival : Math.max(0, ...arrivals.filter(Number.isFinite)) + 0.5;
    const drain = { ...ANY, arrival, isAlone: true, isRepeated: true, isDrain: true };
    return this.#enter(NEVER, drain);
  }

  async #giveWay(signal: AbortSignal, request: Request): Promise<void> {
    if (signal.aborted) this.#end(request);
    signal.throwIfAborted();
    request.isAlone = false;
    const drain = this.#waiting.findIndex(({ isDrain }) => isDrain);
    const first = this.#waiting
      .slice(0, drain < 0 ? undefined : drain)
      .filter(
        (one) => !one.isFurther && (one.priority === "interactive" || one.priority === request.priority),
      );
    if (first.length === 0) {
      this.#next();
      return;
    }
    request.arrival = Math.max(...first.map(({ arrival }) => arrival));
    this.#running.delete(request);
    await this.#wait(signal, request);
  }

  #end(request: Request): void {
    if (this.#running.delete(request)) this.#next();
  }

  #wait(signal: AbortSignal, request: Request): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(entry), 1);
        reject(signal.reason);
        // Others may have waited only for this one.
        this.#next();
      };
      const entry: Waiting = {
        ...request,
        start: () => {
          this.#running.add(request);
          signal.removeEventListener("abort", onAbort);
          resolve();
        },
      };
      // No request passes one that runs alone to overtake requests of lower rank before it.
      const barrier = this.#waiting.findLastIndex((one) => one.isAlone && !comesBefore(entry, one));
      const follower = this.#waiting.findIndex((one, at) => at > barrier && comesBefore(entry, one));
      this.#waiting.splice(follower < 0 ? this.#waiting.length : follower, 0, entry);
      signal.addEventListener("abort", onAbort, { once: true });
      this.#next();
    });
  }

  #count(priority: Priority): number {
    return this.#waiting.filter((one) => one.priority === priority && !one.isFurther && !one.isDrain).length;
  }

  #hasRoom({ priority, isAlone, isFurther }: Request): boolean {
    const running = [...this.#running];
    if (running.some((one) => one.isAlone)) return false;
    if (isAlone) return running.length === 0;
    const background = running.filter((one) => one.priority === "background").length;
    if (this.#suspends && priority === "interactive" && !isFurther)
      return running.length - background < this.#width;
    const isLeft = priority === "interactive" || background < this.backgroundPlaces;
    // The engine keeps a row free from both: they could not use the place, and others could not have it.
    const leavesOne = this.#width > 1 && (isFurther || (priority === "background" && running.length > 0));
    return running.length + (leavesOne ? 1 : 0) < this.#width && isLeft;
  }

  /** Passes turns on synchronously, so that no new request can overtake the queue. */
  #next(): void {
    while (this.#waiting[0] && this.#hasRoom(this.#waiting[0])) this.#waiting.shift()!.start();
  }
}

function rankOf({ priority, isFurther }: Request): ReplyRank {
  if (priority === "background") return "background";
  return isFurther ? "further" : "first";
}

/** Requests enter the queue after async auth and token counting, so their arrival time decides the order. */
function comesBefore(one: Request, other: Request): boolean {
  // A request that runs alone waits until none runs: by priority, background requests would never start.
  if (one.isAlone || other.isAlone) return one.arrival < other.arrival;
  if (one.isFurther !== other.isFurther) return other.isFurther;
  if (one.priority !== other.priority) return one.priority === "interactive";
  return one.arrival < other.arrival;
}
