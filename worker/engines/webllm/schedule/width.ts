/** Steps of each kind after which a number of rows is known. */
const TRIALS = 16;
/** Tokens per second below which no reader's pace falls, where fewer replies keep it above. */
const LEAST_PACE = 5;
/** Steps after which everything is measured anew: the device may do something else then. */
const TRY_AGAIN = 2_048;

/** Milliseconds of steps with one number of rows: in one pass, and row by row. */
interface Trial {
  together: number[];
  apart: number[];
}

/**
 * How many replies are worth running side by side on this device. Some steps draw their rows one by one: the two kinds
 * take turns, so that both see the device in the same state. A number of rows that gains nothing is not run any more.
 */
export class Width {
  /** Never more. */
  readonly most: number;
  readonly #isMeasured: boolean;
  readonly #trials = new Map<number, Trial>();
  #rows: number;
  #steps = 0;

  /** @param isMeasured whether fewer may run; otherwise as many as possible do */
  constructor(most: number, isMeasured: boolean) {
    this.most = most;
    this.#rows = most;
    this.#isMeasured = isMeasured;
  }

  /** Replies that may run now, at least one. */
  get rows(): number {
    return this.#rows;
  }

  /** Whether the next step is to draw these rows one by one. */
  isApart(rows: number): boolean {
    if (!this.#isMeasured || rows < 2) return false;
    const { together, apart } = this.#trial(rows);
    return apart.length < together.length;
  }

  /** Notes a step's time. */
  ran(rows: number, isApart: boolean, ms: number): void {
    if (!this.#isMeasured) return;
    if (++this.#steps % TRY_AGAIN === 0) {
      this.#trials.clear();
      this.#rows = this.most;
    }
    if (rows < 2) return;
    const { together, apart } = this.#trial(rows);
    const list = isApart ? apart : together;
    if (list.length === TRIALS) return;
    list.push(ms);
    if (apart.length === TRIALS) this.#choose();
  }

  /** The most that gain, as far as it is known. */
  #choose(): void {
    this.#rows = this.most;
    while (this.#rows > 1 && this.#isLoss(this.#rows)) this.#rows--;
  }

  #isLoss(rows: number): boolean {
    const { together, apart } = this.#trial(rows);
    if (apart.length < TRIALS) return false;
    const [whole, parts] = [median(together), median(apart)];
    const paces = [1_000 / whole, (1_000 * rows) / parts] as const;
    return whole > parts || (paces[0] < LEAST_PACE && paces[1] >= LEAST_PACE);
  }

  #trial(rows: number): Trial {
    const trial = this.#trials.get(rows) ?? { together: [], apart: [] };
    this.#trials.set(rows, trial);
    return trial;
  }
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1]!;
}
