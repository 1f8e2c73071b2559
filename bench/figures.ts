/** What a benchmark says: one line of the table. */

export interface Amount {
  what: string;
  value: number;
  unit: Unit;
}

export type Unit = "tokens/s" | "tokens" | "texts/s" | "ms" | "s" | "KB" | "×";

/** A result is met when it lies on the right side of `value`, its own end included. */
export interface Goal {
  bound: "at least" | "at most";
  value: number;
}

export interface Figure {
  /** The letter of its group. */
  group: string;
  what: string;
  infetch: Amount;
  /** Measured in the same run, in turns with infetch. Absent where a size or a count stands for itself. */
  baseline?: Amount;
  /** What the goal is about: mostly infetch against its baseline, the median of the rounds' own ratios. */
  result: { value: number; unit: Unit };
  goal?: Goal;
}

/** Undefined where there is no goal. */
export function isMet({ result, goal }: Figure): boolean | undefined {
  if (!goal) return undefined;
  return goal.bound === "at least" ? result.value >= goal.value : result.value <= goal.value;
}

/** The middle of the values; of an even number of them, the lower one. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** @param part from 0 (the least) to 1 (the greatest) */
export function quantile(values: readonly number[], part: number): number {
  if (values.length === 0) throw new RangeError("There is no quantile of nothing.");
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * part)]!;
}

/** The median of each round's own ratio: neighbours in time share what else the machine was doing. */
export function pairedRatio(values: readonly number[], baseline: readonly number[]): number {
  return median(values.map((value, round) => value / baseline[round]!));
}
