/** JSON numbers between bounds, digit by digit: xgrammar's own ranges let wrong numbers through. */

import type { NumberBound } from "./checked-schema.ts";
import { choice, type Expression, repeat, sequence } from "./grammar-text.ts";
import { highestInteger, lowestInteger } from "./scalar-schema.ts";

/** More digits than a double holds are noise. */
const MOST_DIGITS = 15;
/** A bound beyond this is none. */
const UNBOUNDED = 1e15;

const DIGIT = "[0-9]";
const FRACTION = repeat(sequence('"."', repeat(DIGIT, 1, MOST_DIGITS)), 0, 1);
const ZEROS = repeat(sequence('"."', repeat('"0"', 1, MOST_DIGITS)), 0, 1);
const INTEGER = `("0" | [1-9] ${repeat(DIGIT, 0, MOST_DIGITS - 1)})`;

export const ANY_INTEGER: Expression = `"-"? ${INTEGER}`;
export const ANY_NUMBER: Expression = `${ANY_INTEGER} ${FRACTION} ([eE] [-+]? [0-9]{1,2})?`;

/** Undefined where no integer lies between the bounds. */
export function integerExpression(minimum?: NumberBound, maximum?: NumberBound): Expression | undefined {
  const low = minimum && lowestInteger(minimum);
  const high = maximum && highestInteger(maximum);
  if (low === undefined && high === undefined) return ANY_INTEGER;
  const negative =
    low === undefined || low < 0 ? naturals(Math.max(1, -(high ?? 0)), low && -low) : undefined;
  const positive = high === undefined || high >= 0 ? naturals(Math.max(0, low ?? 0), high) : undefined;
  return choice([negative && sequence('"-"', negative), positive]);
}

/** Undefined where no number lies between the bounds. Bounded numbers are written without exponent. */
export function numberExpression(minimum?: NumberBound, maximum?: NumberBound): Expression | undefined {
  if (!minimum && !maximum) return ANY_NUMBER;
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
  return choice([negative ? sequence('"-"', negative) : undefined, positive || undefined]);
}

function negate({ value, exclusive }: NumberBound): NumberBound {
  return { value: -value, exclusive };
}

/** Whole numbers from `low` (≥ 0) to `high`. */
function naturals(low: number, high: number | undefined): Expression | undefined {
  const from = digitsOf(low);
  if (high === undefined || high >= UNBOUNDED) {
    const longer = sequence("[1-9]", repeat(DIGIT, from.length, Math.max(MOST_DIGITS, from.length)));
    return choice([atLeast(from, ""), longer]);
  }
  if (low > high) return undefined;
  const to = digitsOf(high);
  const options: (Expression | undefined)[] = [];
  for (let length = from.length; length <= to.length; length++) {
    const first = length === from.length ? from : `1${"0".repeat(length - 1)}`;
    const last = length === to.length ? to : "9".repeat(length);
    options.push(between(first, last, { low: '""', high: '""', free: "" }));
  }
  return choice(options);
}

/** Numbers without sign from `low` (≥ 0) to `high`. */
function magnitudes(low: NumberBound, high: NumberBound | undefined): Expression | undefined {
  const [lowWhole, lowPart] = split(low.value);
  const options: (Expression | undefined)[] = [];
  const upper = high && high.value < UNBOUNDED ? split(high.value) : undefined;
  if (upper && upper[0] === lowWhole) {
    return sequenceOf(digits(lowWhole), partBetween(lowPart, upper[1], low.exclusive, high!.exclusive));
  }
  options.push(sequenceOf(digits(lowWhole), partAtLeast(lowPart, low.exclusive)));
  const wholes = naturals(Number(lowWhole) + 1, upper ? Number(upper[0]) - 1 : undefined);
  options.push(sequenceOf(wholes, FRACTION));
  if (upper) options.push(sequenceOf(digits(upper[0]), partAtMost(upper[1], high!.exclusive)));
  return choice(options);
}

/** What the digits behind the last digit of a bound may be. */
interface Tails {
  low: Expression | undefined;
  high: Expression | undefined;
  /** `""`: as many digits as are left; else this expression. */
  free: Expression | "";
}

/** Any fraction behind a digit that decides the comparison. */
const FREE = repeat(DIGIT, 0, MOST_DIGITS);
const NOT_ZERO = sequence(repeat('"0"', 0, MOST_DIGITS), "[1-9]", FREE);

const lowTail = (exclusive: boolean): Expression => (exclusive ? NOT_ZERO : FREE);
const highTail = (exclusive: boolean): Expression | undefined =>
  exclusive ? undefined : repeat('"0"', 0, MOST_DIGITS);

function partAtLeast(part: string, exclusive: boolean): Expression | undefined {
  if (part === "") return exclusive ? sequence('"."', NOT_ZERO) : FRACTION;
  return sequenceOf('"."', atLeast(part, FREE, lowTail(exclusive)));
}

function partAtMost(part: string, exclusive: boolean): Expression | undefined {
  if (part === "") return exclusive ? undefined : ZEROS;
  return choice(['""', sequenceOf('"."', atMost(part, FREE, highTail(exclusive)))]);
}

function partBetween(low: string, high: string, lowOut: boolean, highOut: boolean): Expression | undefined {
  const length = Math.max(low.length, high.length);
  if (length === 0) return lowOut || highOut ? undefined : ZEROS;
  const tails = { low: lowTail(lowOut), high: highTail(highOut), free: FREE };
  const part = between(low.padEnd(length, "0"), high.padEnd(length, "0"), tails);
  const none = low === "" && !lowOut ? '""' : undefined;
  return choice([none, sequenceOf('"."', part)]);
}

/** Digit strings of equal length from `low` to `high`. */
function between(low: string, high: string, tails: Tails): Expression | undefined {
  if (low === "") return tails.low && tails.high && (tails.free === "" ? '""' : tails.high);
  const [first, last] = [Number(low[0]), Number(high[0])];
  const [lowRest, highRest] = [low.slice(1), high.slice(1)];
  if (first === last) return sequenceOf(digits(low[0]!), between(lowRest, highRest, tails));
  return choice([
    sequenceOf(digits(low[0]!), atLeast(lowRest, tails.free, tails.low)),
    first + 1 < last
      ? sequence(`[${first + 1}-${last - 1}]`, freeDigits(lowRest.length, tails.free))
      : undefined,
    sequenceOf(digits(high[0]!), atMost(highRest, tails.free, tails.high)),
  ]);
}

function atLeast(
  low: string,
  free: Expression | "",
  tail: Expression | undefined = '""',
): Expression | undefined {
  if (low === "") return tail;
  const first = Number(low[0]);
  return choice([
    sequenceOf(digits(low[0]!), atLeast(low.slice(1), free, tail)),
    first < 9 ? sequence(`[${first + 1}-9]`, freeDigits(low.length - 1, free)) : undefined,
  ]);
}

function atMost(high: string, free: Expression | "", tail: Expression | undefined): Expression | undefined {
  if (high === "") return tail;
  const first = Number(high[0]);
  const rest = high.slice(1);
  // Of a fraction, the digits that are not written are zeros.
  const ends = free !== "" && /[1-9]/.test(rest) ? '""' : undefined;
  return choice([
    sequenceOf(digits(high[0]!), choice([ends, atMost(rest, free, tail)])),
    first > 0 ? sequence(`[0-${first - 1}]`, freeDigits(rest.length, free)) : undefined,
  ]);
}

function freeDigits(count: number, free: Expression | ""): Expression {
  return free === "" ? repeat(DIGIT, count, count) : free;
}

function sequenceOf(...parts: (Expression | undefined)[]): Expression | undefined {
  return parts.every((part) => part !== undefined) ? sequence(...parts) : undefined;
}

function digits(text: string): Expression {
  return `"${text}"`;
}

function digitsOf(value: number): string {
  return BigInt(value).toString();
}

/** The digits before and behind the point, without exponent and without zeros at the end. */
function split(value: number): [string, string] {
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
