import type { Figure } from "../figures.ts";
import type { Lab } from "../lab.ts";

/** Extent of the measurement. */
interface Effort {
  /** Measurements per subject. */
  rounds: number;
  /** True for a one-minute check whose figures are not published. */
  isQuick: boolean;
}

/** Measures one group of figures. */
export type Group = (lab: Lab, effort: Effort) => Promise<Figure[]>;
