/** Steps of each kind after which a number of rows is known. */
const TRIALS = 16;
/** Tokens per second below which no reader's pace falls, where fewer replies keep it above. */
const LEAST_PACE = 5;
/** Steps after which everything is measured anew: the device may do something else then. */
const TRY_AGAIN = 2_048;
/** Most kernels read the weights once for so many rows: more in a pass have to gain over passes of this many. */
const TILE = 4;
/** By how much, since each reader is slower for it. */
const LEAST_GAIN = 1.1;

/** Milliseconds of steps with one number of rows: in one pass, and in several smaller ones. */
interface Trial {
  together: number[];
  apart: number[];
}

/**
 * How many replies are worth running side by side on this device. Some steps draw their rows in smaller passes: the two
 * kinds take turns, so that both see the device in the same state. A number of rows that gains nothing is not run any more.
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

  /** How many of so many rows the next step is to draw in one pass: all, or fewer for a comparison. */
  perPass(rows: number): number {
    if (!this.#isMeasured || rows < 2) return rows;
    const { together, apart } = this.#trial(rows);
    return apart.length < together.length ? part(rows) : rows;
  }

  /** Notes a step's time. */
  ran(rows: number, perPass: number, ms: number): void {
    if (!this.#isMeasured) return;
    if (++this.#steps % TRY_AGAIN === 0) {
      this.#trials.clear();
      this.#rows = this.most;
    }
    if (rows < 2) return;
    const { together, apart } = this.#trial(rows);
    const list = perPass < rows ? apart : together;
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
    const passes = Math.ceil(rows / part(rows));
    const paces = [1_000 / whole, (1_000 * passes) / parts] as const;
    const gain = rows > TILE ? LEAST_GAIN : 1;
    return whole * gain > parts || (paces[0] < LEAST_PACE && paces[1] >= LEAST_PACE);
  }

  #trial(rows: number): Trial {
    const trial = this.#trials.get(rows) ?? { together: [], apart: [] };
    this.#trials.set(rows, trial);
    return trial;
  }
}

/** Rows of a smaller pass that a pass of so many is compared with. */
function part(rows: number): number {
  return rows > TILE ? TILE : 1;
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1]!;
}
