/**
 * Money is a BigInt count of pico-USD (1e-12 USD). A price per million tokens with at most six decimals is a whole
 * number of pico-USD per token, so every total is exact and nothing is ever rounded.
 */

const PICO_DIGITS = 12;
const PRICE_DIGITS = 6;

/**
 * USD per one million tokens → pico-USD per token.
 *
 * @throws {RangeError} for a negative price, one from 1e15 on, or one with more than six decimals
 */
export function pricePerToken(usdPerMillion: number | string): bigint {
  return scaled(usdPerMillion, PRICE_DIGITS, "A price in USD per million tokens");
}

/**
 * USD → pico-USD.
 *
 * @throws {RangeError} for a negative amount, one from 1e15 on, or one with more than twelve decimals
 */
export function picoFromUsd(usd: number | string): bigint {
  return scaled(usd, PICO_DIGITS, "An amount in USD");
}

function scaled(value: number | string, digits: number, what: string): bigint {
  const parts = /^(\d{1,15})(?:\.(\d+))?$/.exec(plainDecimal(value));
  const fraction = parts?.[2]?.replace(/0+$/, "") ?? "";
  if (!parts || fraction.length > digits) {
    throw new RangeError(
      `${what} must be at least 0 and below 1e15, with at most ${digits} decimals, not ${value}.`,
    );
  }
  return BigInt(parts[1]! + fraction.padEnd(digits, "0"));
}

/** Expands exponents, as JavaScript prints small numbers (`1e-7`), to be checked like a string. */
function plainDecimal(value: number | string): string {
  if (typeof value === "string") return value;
  const small = /^(\d)(?:\.(\d+))?e-(\d+)$/.exec(String(value));
  if (!small) return String(value);
  return `0.${"0".repeat(Number(small[3]) - 1)}${small[1]}${small[2] ?? ""}`;
}

/** All twelve decimals, without an exponent: `0.000025000000`. */
export function picoToDecimal(pico: bigint): string {
  const digits = String(pico < 0n ? -pico : pico).padStart(PICO_DIGITS + 1, "0");
  return `${pico < 0n ? "-" : ""}${digits.slice(0, -PICO_DIGITS)}.${digits.slice(-PICO_DIGITS)}`;
}

/** The nearest double; below 1,000 USD, its JSON is exact to the pico-USD. */
export function picoToUsd(pico: bigint): number {
  return Number(picoToDecimal(pico));
}
