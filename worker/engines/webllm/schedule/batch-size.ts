/** Steps of each kind after which a number of rows is known. */
const SAMPLES = 16;
/** Speed of each reply below which fewer run, where that keeps it above. */
const MIN_TOKENS_PER_SECOND = 5;
/** Steps after which everything is measured again: the load of the device may have changed. */
const REMEASURE_AFTER = 2_048;
/** Most kernels read the weights once for up to so many rows. Larger passes are compared with passes of this size. */
const TILE = 4;
/** By how much a larger pass must be faster, since each reader is slower for it. */
const MIN_GAIN = 1.1;

/** Milliseconds of steps with one number of rows: in one pass, and in several smaller ones. */
interface Trial {
  together: number[];
  apart: number[];
  /** Once both are known. */
  verdict?: "gain" | "loss";
}

/**
 * The batch size of decoding: how many replies are worth running concurrently on this device. Some steps draw their rows
 * in smaller passes: the two kinds take turns, so that both see the device in the same state. A number of rows that gains
 * nothing is not run any more.
 */
export class BatchSize {
  /** Never more. */
  readonly most: number;
  readonly #isMeasured: boolean;
  readonly #trials = new Map<number, Trial>();
  #steps = 0;

  /** @param isMeasured whether fewer may run; otherwise as many as possible do */
  constructor(most: number, isMeasured: boolean) {
    this.most = most;
    this.#isMeasured = isMeasured;
  }

  /** How many of these replies may run now: the largest number that is known to be faster, at least one. */
  rowsFor(replies: number): number {
    let rows = Math.min(replies, this.most);
    if (!this.#isMeasured) return rows;
    if (rows > TILE && !this.#gainsBelow()) rows = TILE;
    while (rows > 1 && this.#trials.get(rows)?.verdict === "loss") rows--;
    return rows;
  }

  /** How many of so many rows the next step is to draw in one pass: all, or fewer for a comparison. */
  perPass(rows: number): number {
    if (!this.#isMeasured || rows < 2) return rows;
    const { together, apart } = this.#trial(rows);
    return apart.length < together.length ? comparedSize(rows) : rows;
  }

  /** Notes a step's time. */
  record(rows: number, perPass: number, ms: number): void {
    if (!this.#isMeasured) return;
    if (++this.#steps % REMEASURE_AFTER === 0) this.#trials.clear();
    if (rows < 2) return;
    const trial = this.#trial(rows);
    const list = perPass < rows ? trial.apart : trial.together;
    if (list.length === SAMPLES) return;
    list.push(ms);
    if (trial.together.length === SAMPLES && trial.apart.length === SAMPLES)
      trial.verdict = judge(rows, trial);
  }

  /** Whether passes of a tile are better than smaller ones; only then larger ones are tried. A batch leaves one row free. */
  #gainsBelow(): boolean {
    const verdicts = [TILE - 1, TILE].map((rows) => this.#trials.get(rows)?.verdict);
    return verdicts.includes("gain") && !verdicts.includes("loss");
  }

  #trial(rows: number): Trial {
    const trial = this.#trials.get(rows) ?? { together: [], apart: [] };
    this.#trials.set(rows, trial);
    return trial;
  }
}

function judge(rows: number, { together, apart }: Trial): "gain" | "loss" {
  const [whole, parts] = [median(together), median(apart)];
  const passes = Math.ceil(rows / comparedSize(rows));
  const isSlow = 1_000 / whole < MIN_TOKENS_PER_SECOND && (1_000 * passes) / parts >= MIN_TOKENS_PER_SECOND;
  return isSlow || whole * (rows > TILE ? MIN_GAIN : 1) > parts ? "loss" : "gain";
}

/** The size of the smaller passes that a pass of so many rows is compared with. */
function comparedSize(rows: number): number {
  return rows > TILE ? TILE : 1;
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1]!;
}
