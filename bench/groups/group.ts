import type { Figure } from "../figures.ts";
import type { Lab } from "../lab.ts";

/** How much is measured. */
export interface Effort {
  /** Turns of each subject. */
  rounds: number;
  /** True for a look that takes a minute, not for figures to keep. */
  isQuick: boolean;
}

/** Measures one group of figures. */
export type Group = (lab: Lab, effort: Effort) => Promise<Figure[]>;
