import type { RequestLine } from "./request-line.ts";
import type { ResultRow } from "./schema.ts";

interface WindowSteps {
  /** How many waves may run now; asked again whenever one has ended. */
  places(): number;
  /** Whether no further wave begins. */
  isOver(): boolean | Promise<boolean>;
  /** Notes the numbers of all lines that run, before the new ones start. */
  note(running: readonly number[]): Promise<void>;
  /** Undefined if the line did not run. A failure ends the window: no line can run now. */
  run(line: RequestLine): Promise<ResultRow | undefined>;
  /** Stores the results of waves that have ended; `running` are the lines that still run. One call at a time. */
  store(results: readonly ResultRow[], running: readonly number[]): Promise<void>;
}

/**
 * Runs waves of lines side by side. When one ends, the next begins before its results are stored, so that the engine
 * does not wait for the storage.
 *
 * @throws the first failure of a step, once everything that ran has ended and was stored as far as possible
 */
export async function runWindow(
  waves: AsyncGenerator<RequestLine[], void>,
  steps: WindowSteps,
): Promise<void> {
  try {
    await new BatchWindow(waves, steps).run();
  } finally {
    await waves.return();
  }
}

class BatchWindow {
  readonly #waves: AsyncGenerator<RequestLine[], void>;
  readonly #steps: WindowSteps;
  readonly #running = new Map<RequestLine[], Promise<void>>();
  /** Of each wave that has ended and is not yet stored. */
  #ended: (ResultRow | undefined)[][] = [];
  #hasAllWaves = false;
  /** The first; no further wave begins. */
  #failure: { cause: unknown } | undefined;

  constructor(waves: AsyncGenerator<RequestLine[], void>, steps: WindowSteps) {
    this.#waves = waves;
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

  /** Begins as many waves as there are places for. */
  async #refill(): Promise<void> {
    const next: RequestLine[][] = [];
    while (await this.#mayBegin(next.length)) {
      const { done, value } = await this.#waves.next();
      if (done) this.#hasAllWaves = true;
      else next.push(value);
    }
    if (next.length === 0) return;
    await this.#steps.note(numbersOf([...this.#running.keys(), ...next]));
    for (const wave of next) this.#begin(wave);
  }

  async #mayBegin(waiting: number): Promise<boolean> {
    if (this.#hasAllWaves || this.#failure) return false;
    return this.#running.size + waiting < this.#steps.places() && !(await this.#steps.isOver());
  }

  #begin(wave: RequestLine[]): void {
    const lines = Promise.all(wave.map((line) => this.#steps.run(line).catch(this.#fail)));
    const work = lines.then((results) => {
      this.#running.delete(wave);
      this.#ended.push(results);
    });
    this.#running.set(wave, work);
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

function numbersOf(waves: Iterable<RequestLine[]>): number[] {
  return [...waves].flat().map(({ number }) => number);
}
