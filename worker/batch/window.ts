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
  { places, isOver, note, run, store }: WindowSteps,
): Promise<void> {
  const running = new Map<RequestLine[], Promise<void>>();
  const ended: (ResultRow | undefined)[][] = [];
  let isLast = false;
  let failure: { cause: unknown } | undefined;
  const fail = (cause: unknown): undefined => {
    failure ??= { cause };
  };
  const numbersOf = (all: Iterable<RequestLine[]>): number[] => [...all].flat().map(({ number }) => number);
  const begin = (wave: RequestLine[]): void => {
    const lines = Promise.all(wave.map((line) => run(line).catch(fail)));
    const work = lines.then((results) => {
      running.delete(wave);
      ended.push(results);
    });
    running.set(wave, work);
  };
  const refill = async (): Promise<void> => {
    const next: RequestLine[][] = [];
    while (!isLast && !failure && running.size + next.length < places() && !(await isOver())) {
      const { done, value } = await waves.next();
      if (done) isLast = true;
      else next.push(value);
    }
    if (next.length === 0) return;
    await note(numbersOf([...running.keys(), ...next]));
    for (const wave of next) begin(wave);
  };
  try {
    while (true) {
      await refill().catch(fail);
      if (ended.length > 0) {
        const results = ended.splice(0).flat();
        const finished = results.filter((one) => one !== undefined);
        await store(finished, numbersOf(running.keys())).catch(fail);
      } else if (running.size > 0) await Promise.race(running.values());
      else break;
    }
  } finally {
    await waves.return();
  }
  if (failure) throw failure.cause;
}
