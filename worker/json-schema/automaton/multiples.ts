/** `multipleOf`: exact decimals, and the automaton of their multiples. */

import type { Compilation } from "../compilation.ts";
import { boundsAutomaton, decimalDigits, MAX_DIGITS } from "../pattern/number-pattern.ts";
import type { NumberBound, NumberNode } from "../schema/checked-schema.ts";
import { type Automaton, AutomatonProblem, type AutomatonState, type Edge, edgeOf } from "./automaton.ts";
import { intersection, minimized, withoutDeadEnds } from "./automaton-operations.ts";

/** Each remainder is a state. */
const MAX_UNITS = 1000;
/** Maximum states of an automaton of multiples; as for patterns. */
const MAX_STATES = 2000;
/** Before the states that lead nowhere are removed. */
const MAX_PAIRS = 3 * MAX_STATES;

/** The number `units / 10 ** places`. */
interface Decimal {
  units: bigint;
  places: number;
}

/** The least positive number of which the allowed ones are multiples. */
export function stepOf(multipleOf: number, integer: boolean): Decimal {
  const step = decimalOf(multipleOf);
  if (!integer) return step;
  return { units: step.units / commonDivisor(step.units, power(step.places)), places: 0 };
}

/** Whether a multiple lies within the bounds, without the limits of the grammar. */
export function hasMultipleWithin(step: Decimal, { minimum, maximum }: NumberNode): boolean {
  if (!minimum || !maximum) return true;
  const bounds = [decimalOf(minimum.value), decimalOf(maximum.value), step];
  const places = Math.max(...bounds.map((one) => one.places));
  const [low, high, unit] = bounds.map((one) => one.units * power(places - one.places)) as [
    bigint,
    bigint,
    bigint,
  ];
  return lowest(low, unit, minimum) <= -lowest(-high, unit, maximum);
}

/** The least number whose multiple is from `low`, or above it. */
function lowest(low: bigint, unit: bigint, { exclusive }: NumberBound): bigint {
  const isMultiple = low % unit === 0n;
  const up = low > 0n && !isMultiple ? 1n : 0n;
  return low / unit + up + (exclusive && isMultiple ? 1n : 0n);
}

/** Undefined unless both are positive and within the limits. */
export function leastCommonMultiple(first: number, second: number): number | undefined {
  if (![first, second].every((number) => number > 0 && Number.isFinite(number))) return undefined;
  const [one, other] = [decimalOf(first), decimalOf(second)];
  if (excessOf(one) !== undefined || excessOf(other) !== undefined) return undefined;
  const places = Math.max(one.places, other.places);
  const units = one.units * power(places - one.places);
  const otherUnits = other.units * power(places - other.places);
  // At most six digits before its zeros, so that no digit is lost.
  return Number(`${(units / commonDivisor(units, otherUnits)) * otherUnits}e-${places}`);
}

/**
 * The automaton of the multiples within the bounds, in plain digits.
 *
 * @throws {AutomatonProblem} if the step or the automaton is beyond the limits
 * @throws {BudgetProblem}
 */
export function multiplesWithin(step: Decimal, node: NumberNode, compilation: Compilation): Automaton {
  const excess = excessOf(step);
  if (excess !== undefined) throw new AutomatonProblem(excess);
  const { integer, minimum, maximum } = node;
  const { budget } = compilation;
  const key = `${step.units}e-${step.places}${integer ? " integer" : ""}`;
  const multiples = compilation.cached(`multiples ${key}`, () => {
    const states = remainders(step, integer);
    budget.spend("automaton steps", states.length);
    return minimized(withoutDeadEnds({ states }), budget);
  });
  return compilation.cached(`multiples ${key} ${JSON.stringify([minimum, maximum])}`, () => {
    const bounds = minimized(boundsAutomaton(node, compilation), budget);
    const both = intersection(bounds, multiples, budget, MAX_PAIRS);
    const live = both && withoutDeadEnds(both);
    if (!live || liveStates(live) > MAX_STATES)
      throw new AutomatonProblem(`its multiples within the bounds need more than ${MAX_STATES} states.`);
    return live;
  });
}

function liveStates({ states }: Automaton): number {
  return states.filter(({ accepts, edges }) => accepts || edges.length > 0).length;
}

function excessOf({ units, places }: Decimal): string | undefined {
  if (places > MAX_DIGITS) return `it has more than ${MAX_DIGITS} decimal places.`;
  return units > MAX_UNITS ? `without its decimal point it exceeds the limit of ${MAX_UNITS}.` : undefined;
}

/**
 * Behind the start, a layer of remainders for the whole part, and one for each count of decimal places up to those of
 * the step, which only zeros may follow.
 */
function remainders({ units, places }: Decimal, integer: boolean): AutomatonState[] {
  const size = Number(units);
  const states: AutomatonState[] = [{ accepts: false, edges: [] }];
  const layers = integer ? 1 : places + 2;
  for (let layer = 0; layer < layers; layer++) {
    const missing = places - Math.max(0, layer - 1);
    const scale = Number(power(missing) % units);
    for (let rest = 0; rest < size; rest++) {
      const edges = missing === 0 && layer > 0 ? [edgeOf("0", stateAt(layer, rest))] : digits(layer, rest);
      if (layer === 0 && !integer) edges.push(edgeOf(".", stateAt(1, rest)));
      states.push({ accepts: (rest * scale) % size === 0, edges });
    }
  }
  states[0]!.edges = [edgeOf("-", stateAt(0, 0)), ...digits(0, 0)];
  return states;

  function stateAt(layer: number, rest: number): number {
    return 1 + layer * size + rest;
  }

  function digits(layer: number, rest: number): Edge[] {
    const next = layer === 0 ? 0 : layer + 1;
    return [..."0123456789"].map((digit) => edgeOf(digit, stateAt(next, (10 * rest + Number(digit)) % size)));
  }
}

function decimalOf(value: number): Decimal {
  const [whole, part] = decimalDigits(Math.abs(value));
  const units = BigInt(whole + part);
  return { units: value < 0 ? -units : units, places: part.length };
}

function power(exponent: number): bigint {
  return 10n ** BigInt(exponent);
}

function commonDivisor(first: bigint, second: bigint): bigint {
  let [divisor, rest] = [first, second];
  while (rest !== 0n) [divisor, rest] = [rest, divisor % rest];
  return divisor;
}
