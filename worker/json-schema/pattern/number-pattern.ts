/** Patterns of bounded JSON numbers, digit by digit: xgrammar's own ranges accept wrong numbers. */

import type { Automaton } from "../automaton/automaton.ts";
import type { Compilation } from "../compilation.ts";
import type { NumberBound, NumberNode } from "../schema/checked-schema.ts";
import { EMPTY, either, inOrder, type PatternNode, range, repeated, text } from "./pattern-node.ts";

/** A double holds no more decimal digits exactly. */
export const MAX_DIGITS = 15;
/** Above it, upper limits of a magnitude are ignored: no number is written with so many digits. */
const UNBOUNDED = Number.MAX_SAFE_INTEGER;

const DIGIT = range("0", "9");
const FRACTION = repeated(inOrder(text("."), repeated(DIGIT, 1, MAX_DIGITS)), 0, 1);
const ZEROS = repeated(inOrder(text("."), repeated(text("0"), 1, MAX_DIGITS)), 0, 1);

/** The automaton of the numbers within the bounds, in plain digits. */
export function boundsAutomaton(
  { integer, minimum, maximum }: NumberNode,
  compilation: Compilation,
): Automaton {
  const between = integer ? integersBetween : numbersBetween;
  const key = `number ${JSON.stringify([integer, minimum, maximum])}`;
  return compilation.automaton(key, () => between(minimum, maximum)!);
}

/** The least integer within a lower bound. */
export function lowestInteger({ value, exclusive }: NumberBound): number {
  return exclusive ? Math.floor(value) + 1 : Math.ceil(value);
}

/** The greatest integer within an upper bound. */
export function highestInteger({ value, exclusive }: NumberBound): number {
  return exclusive ? Math.ceil(value) - 1 : Math.floor(value);
}

/** Undefined if there is no integer between the bounds. */
function integersBetween(minimum?: NumberBound, maximum?: NumberBound): PatternNode | undefined {
  const low = minimum && lowestInteger(minimum);
  const high = maximum && highestInteger(maximum);
  // As Zod's integers: what is the same with and without a sign is written once.
  if (low !== undefined && low < 0 && high === -low)
    return either([text("0"), inOrder(repeated(text("-"), 0, 1), naturals(1, high)!)]);
  const negative =
    low === undefined || low < 0 ? naturals(Math.max(1, -(high ?? 0)), low && -low) : undefined;
  const positive = high === undefined || high >= 0 ? naturals(Math.max(0, low ?? 0), high) : undefined;
  return either([negative && inOrder(text("-"), negative), positive]);
}

/** Undefined if there is no number between the bounds. Bounded numbers have no exponent. */
function numbersBetween(minimum?: NumberBound, maximum?: NumberBound): PatternNode | undefined {
  const zero: NumberBound = { value: 0, exclusive: false };
  const belowZero = !minimum || minimum.value < 0;
  const aboveZero = !maximum || maximum.value >= 0;
  const negative =
    belowZero &&
    magnitudes(
      maximum && maximum.value < 0 ? negate(maximum) : { value: 0, exclusive: true },
      minimum && negate(minimum),
    );
  const positive = aboveZero && magnitudes(minimum && minimum.value >= 0 ? minimum : zero, maximum);
  return either([negative ? inOrder(text("-"), negative) : undefined, positive || undefined]);
}

function negate({ value, exclusive }: NumberBound): NumberBound {
  return { value: -value, exclusive };
}

/** Natural numbers from `low` (≥ 0) to `high`. */
function naturals(low: number, high: number | undefined): PatternNode | undefined {
  const from = digitsOf(low);
  if (high === undefined || (high > UNBOUNDED && from.length <= MAX_DIGITS)) {
    const others = high === undefined ? Math.max(MAX_DIGITS - 1, from.length) : MAX_DIGITS - 1;
    const isLongest = from.length > others;
    const longer = isLongest ? undefined : inOrder(range("1", "9"), repeated(DIGIT, from.length, others));
    return either([atLeast(from, undefined), longer]);
  }
  if (low > high) return undefined;
  const to = digitsOf(high);
  const tails: Tails = { low: EMPTY, high: EMPTY, free: undefined };
  if (from.length === to.length) return between(from, to, tails);
  // All lengths between the two in one pattern: Zod's integers have sixteen, and each field costs as much.
  const longer =
    to.length - from.length > 1
      ? inOrder(range("1", "9"), repeated(DIGIT, from.length, to.length - 2))
      : undefined;
  return either([atLeast(from, undefined), longer, between(`1${"0".repeat(to.length - 1)}`, to, tails)]);
}

/** Unsigned numbers from `low` (≥ 0) to `high`. */
function magnitudes(low: NumberBound, high: NumberBound | undefined): PatternNode | undefined {
  const [lowWhole, lowPart] = decimalDigits(low.value);
  const options: (PatternNode | undefined)[] = [];
  const isBounded = high && (high.value <= UNBOUNDED || lowWhole.length > MAX_DIGITS);
  const upper = isBounded ? decimalDigits(high.value) : undefined;
  if (upper && upper[0] === lowWhole) {
    return sequenceOf(text(lowWhole), partBetween(lowPart, upper[1], low.exclusive, high!.exclusive));
  }
  options.push(sequenceOf(text(lowWhole), partAtLeast(lowPart, low.exclusive)));
  const wholes = naturals(Number(lowWhole) + 1, upper ? Number(upper[0]) - 1 : undefined);
  options.push(sequenceOf(wholes, FRACTION));
  if (upper) options.push(sequenceOf(text(upper[0]), partAtMost(upper[1], high!.exclusive)));
  return either(options);
}

/** Allowed digits after the last digit of a bound. */
interface Tails {
  low: PatternNode | undefined;
  high: PatternNode | undefined;
  /** After a deciding digit; undefined for as many digits as remain. */
  free: PatternNode | undefined;
}

/** Any fraction after a digit that decides the comparison. */
const FREE = repeated(DIGIT, 0, MAX_DIGITS);
const NOT_ZERO = inOrder(repeated(text("0"), 0, MAX_DIGITS), range("1", "9"), FREE);

const lowTail = (exclusive: boolean): PatternNode => (exclusive ? NOT_ZERO : FREE);
const highTail = (exclusive: boolean): PatternNode | undefined =>
  exclusive ? undefined : repeated(text("0"), 0, MAX_DIGITS);

function partAtLeast(part: string, exclusive: boolean): PatternNode | undefined {
  if (part === "") return exclusive ? inOrder(text("."), NOT_ZERO) : FRACTION;
  return sequenceOf(text("."), atLeast(part, FREE, lowTail(exclusive)));
}

function partAtMost(part: string, exclusive: boolean): PatternNode | undefined {
  if (part === "") return exclusive ? undefined : ZEROS;
  return either([EMPTY, sequenceOf(text("."), atMost(part, FREE, highTail(exclusive)))]);
}

function partBetween(low: string, high: string, lowOut: boolean, highOut: boolean): PatternNode | undefined {
  const length = Math.max(low.length, high.length);
  if (length === 0) return lowOut || highOut ? undefined : ZEROS;
  const tails = { low: lowTail(lowOut), high: highTail(highOut), free: FREE };
  const part = between(low.padEnd(length, "0"), high.padEnd(length, "0"), tails);
  const none = low === "" && !lowOut ? EMPTY : undefined;
  return either([none, sequenceOf(text("."), part)]);
}

/** Digit strings of equal length from `low` to `high`. */
function between(low: string, high: string, tails: Tails): PatternNode | undefined {
  if (low === "") return tails.low && tails.high && (tails.free === undefined ? EMPTY : tails.high);
  const [first, last] = [Number(low[0]), Number(high[0])];
  const [lowRest, highRest] = [low.slice(1), high.slice(1)];
  if (first === last) {
    // Omitted digits of a fraction are zeros.
    const ends = tails.low === FREE && lowRest !== "" && isZero(lowRest) ? EMPTY : undefined;
    return sequenceOf(text(low[0]!), either([ends, between(lowRest, highRest, tails)]));
  }
  return either([
    sequenceOf(text(low[0]!), atLeast(lowRest, tails.free, tails.low)),
    first + 1 < last
      ? inOrder(range(String(first + 1), String(last - 1)), freeDigits(lowRest.length, tails.free))
      : undefined,
    sequenceOf(text(high[0]!), endingBelow(highRest, tails.free, tails.high)),
  ]);
}

function atLeast(
  low: string,
  free: PatternNode | undefined,
  tail: PatternNode | undefined = EMPTY,
): PatternNode | undefined {
  if (isZero(low)) return free === undefined ? sequenceOf(freeDigits(low.length, free), tail) : tail;
  const first = Number(low[0]);
  return either([
    sequenceOf(text(low[0]!), atLeast(low.slice(1), free, tail)),
    first < 9 ? inOrder(range(String(first + 1), "9"), freeDigits(low.length - 1, free)) : undefined,
  ]);
}

function atMost(
  high: string,
  free: PatternNode | undefined,
  tail: PatternNode | undefined,
): PatternNode | undefined {
  if (high === "" || (free !== undefined && isZero(high))) return tail;
  const first = Number(high[0]);
  const rest = high.slice(1);
  return either([
    sequenceOf(text(high[0]!), endingBelow(rest, free, tail)),
    first > 0 ? inOrder(range("0", String(first - 1)), freeDigits(rest.length, free)) : undefined,
  ]);
}

/** A fraction may also end after a digit of `high` if that keeps it below `high`. */
function endingBelow(
  rest: string,
  free: PatternNode | undefined,
  tail: PatternNode | undefined,
): PatternNode | undefined {
  const ends = free !== undefined && !isZero(rest) ? EMPTY : undefined;
  return either([ends, atMost(rest, free, tail)]);
}

function isZero(digits: string): boolean {
  return /^0*$/.test(digits);
}

function freeDigits(count: number, free: PatternNode | undefined): PatternNode {
  return free === undefined ? repeated(DIGIT, count, count) : free;
}

function sequenceOf(...parts: (PatternNode | undefined)[]): PatternNode | undefined {
  return parts.every((part) => part !== undefined) ? inOrder(...parts) : undefined;
}

function digitsOf(value: number): string {
  return BigInt(value).toString();
}

/** The digits of a number from 0 before and after the decimal point, without exponent and trailing zeros. */
export function decimalDigits(value: number): [string, string] {
  const [mantissa, exponent = "0"] = String(value).split("e");
  const [whole = "0", part = ""] = mantissa!.split(".");
  const shift = Number(exponent);
  const all = whole + part;
  const point = whole.length + shift;
  const padded = point <= 0 ? "0".repeat(1 - point) + all : all.padEnd(point, "0");
  const place = Math.max(1, point);
  const before = padded.slice(0, place).replace(/^0+(?=\d)/, "");
  return [before, padded.slice(place).replace(/0+$/, "")];
}
