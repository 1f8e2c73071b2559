import type { RequestLine } from "./lines/request-line.ts";
import type { ResultRow } from "./schema.ts";

interface PoolSteps {
  /** How many groups may run now; asked again whenever one has ended. */
  places(): number;
  /** Whether no further group begins. */
  isOver(): boolean | Promise<boolean>;
  /** Notes the numbers of all lines that run, before the new ones start. */
  note(running: readonly number[]): Promise<void>;
  /** Undefined if the line did not run. A failure ends the pool: no line can run now. */
  run(line: RequestLine): Promise<ResultRow | undefined>;
  /** Stores the results of groups that have ended; `running` are the lines that still run. One call at a time. */
  store(results: readonly ResultRow[], running: readonly number[]): Promise<void>;
}

/**
 * Runs groups of lines concurrently. When one ends, the next begins before its results are stored, so that the engine
 * does not wait for the storage.
 *
 * @throws the first failure of a step, once everything that ran has ended and was stored as far as possible
 */
export async function runGroups(
  groups: AsyncGenerator<RequestLine[], void>,
  steps: PoolSteps,
): Promise<void> {
  try {
    await new GroupPool(groups, steps).run();
  } finally {
    await groups.return();
  }
}

class GroupPool {
  readonly #groups: AsyncGenerator<RequestLine[], void>;
  readonly #steps: PoolSteps;
  readonly #running = new Map<RequestLine[], Promise<void>>();
  /** Of each group that has ended and is not yet stored. */
  #ended: (ResultRow | undefined)[][] = [];
  #hasAllGroups = false;
  /** The first; no further group begins. */
  #failure: { cause: unknown } | undefined;

  constructor(groups: AsyncGenerator<RequestLine[], void>, steps: PoolSteps) {
    this.#groups = groups;
    this.#steps = steps;
  }

  async run(): Promise<void> {
    while (true) {
      await this.#refill().catch(this.#fail);
      if (this.#ended.length > 0) await this.#storeEnded().catch(this.#fail);
      else if (this.#running.size > 0) await Promise.race(this.#running.values());
      else break;
    }
    if (this.#failure) throw this.#failure.cause;
  }

  /** Begins as many groups as there are places for. */
  async #refill(): Promise<void> {
    const next: RequestLine[][] = [];
    while (await this.#mayBegin(next.length)) {
      const { done, value } = await this.#groups.next();
      if (done) this.#hasAllGroups = true;
      else next.push(value);
    }
    if (next.length === 0) return;
    await this.#steps.note(numbersOf([...this.#running.keys(), ...next]));
    for (const group of next) this.#begin(group);
  }

  async #mayBegin(waiting: number): Promise<boolean> {
    if (this.#hasAllGroups || this.#failure) return false;
    return this.#running.size + waiting < this.#steps.places() && !(await this.#steps.isOver());
  }

  #begin(group: RequestLine[]): void {
    const lines = Promise.all(group.map((line) => this.#steps.run(line).catch(this.#fail)));
    const work = lines.then((results) => {
      this.#running.delete(group);
      this.#ended.push(results);
    });
    this.#running.set(group, work);
  }

  #storeEnded(): Promise<void> {
    const results = this.#ended.flat().filter((result) => result !== undefined);
    this.#ended = [];
    return this.#steps.store(results, numbersOf(this.#running.keys()));
  }

  readonly #fail = (cause: unknown): undefined => {
    this.#failure ??= { cause };
  };
}

function numbersOf(groups: Iterable<RequestLine[]>): number[] {
  return [...groups].flat().map(({ number }) => number);
}
