/** Human-readable number formats. */

const UNITS = ["B", "kB", "MB", "GB", "TB"];

/** 4_894_848 → "4.9 MB", in decimal units. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let power = 0;
  // The limit is what rounds to 1000.0: 999,999 bytes are 1.0 MB.
  while (power < UNITS.length - 1 && value >= (power === 0 ? 1000 : 999.95)) {
    value /= 1000;
    power += 1;
  }
  return `${power === 0 ? value : value.toFixed(1)} ${UNITS[power]}`;
}

/** "1 token", "12 tokens". */
export function count(number: number, noun: string): string {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}

/** "85 ms", "1.2 s", "2 min 5 s", "3 h 20 min". */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 999.5) return `${milliseconds.toFixed(0)} ms`;
  if (milliseconds < 59_950) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/**
 * Dollars with two decimals, or enough for small amounts to show, so that a thousand tokens are not "$0.00". Rounding
 * also hides float errors of about 1e-16 in billing sums.
 */
export function formatMoney(dollars: number): string {
  const size = Math.abs(dollars);
  const digits = size === 0 || size >= 1 ? 2 : Math.min(12, 2 - Math.floor(Math.log10(size)) + 1);
  const short = size.toFixed(digits).replace(/(\.\d\d\d*?)0+$/, "$1");
  const [whole, cents] = short.split(".");
  return `${dollars < 0 && short !== "0.00" ? "−" : ""}$${Number(whole).toLocaleString("en")}.${cents}`;
}

/** A price in full: "$1.125", "$0.20". Prices per million tokens have at most six decimals; more are float errors. */
export function formatPrice(dollars: number): string {
  const size = Math.abs(dollars).toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 6 });
  return `${dollars < 0 && size !== "0.00" ? "−" : ""}$${size}`;
}

/** "1.2k", "3.4M". */
export function formatCount(number: number): string {
  return new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 }).format(number);
}

/** UTC day, like the ledger's: "3 Nov 2026". */
export function formatDay(timestamp: string | number): string {
  return new Date(timestamp).toLocaleDateString("en-GB", {
    day: "numeric",
    month: "short",
    year: "numeric",
    timeZone: "UTC",
  });
}

/** Local date and time; with its year unless that is the current one. */
export function formatTime(timestamp: string | number): string {
  const time = new Date(timestamp);
  return time.toLocaleString("en-GB", {
    day: "numeric",
    month: "short",
    ...(time.getFullYear() === new Date().getFullYear() ? {} : { year: "numeric" }),
    hour: "2-digit",
    minute: "2-digit",
  });
}

/**
 * End of a local day of a date field: "2026-12-31" → the next midnight, in ISO 8601.
 *
 * @throws for a year beyond 9999, which date fields accept
 */
export function endOfLocalDay(date: string): string {
  const day = new Date(`${date}T00:00`);
  if (Number.isNaN(day.getTime())) throw new Error(`${date} is not a date: years have four digits.`);
  day.setHours(24, 0, 0, 0);
  return day.toISOString();
}
