import type { Budget } from "../budget.ts";
import { str } from "../text/python-text.ts";
import type { Arguments, Value } from "../values.ts";

/** @param apply applies a filter by its name, for filters that take one */
export type Filter = (value: Value, args: Arguments, context: FilterContext) => Value;

export interface FilterContext {
  budget: Budget;
  apply(name: string, value: Value, args: Arguments): Value;
}

/** Of all filters; the test of that name reads them, and filters use tests. */
export const FILTER_NAMES = new Set<string>();

/** A number that a filter takes. */
export function numberOf(value: Value | undefined, otherwise: number): number {
  return value === undefined ? otherwise : Number(value.value);
}

/** A text that a filter takes. */
export function textOf(value: Value | undefined, otherwise: string): string {
  return value === undefined ? otherwise : str(value);
}
