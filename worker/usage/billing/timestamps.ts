/**
 * Strict RFC 3339. `Date.parse` is unusable: it accepts 30 February, local times, a space for the `T`, and
 * `24:00:00`.
 */

const FORM = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:([Zz])|([+-])(\d\d):(\d\d))$/;

const END_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * Milliseconds since the epoch, or undefined if not an RFC 3339 timestamp. Digits below the millisecond are
 * truncated, leap seconds are rejected. Instants before 1970 become the epoch; those that an offset puts after the
 * year 9999, which has no successor in RFC 3339, become its end.
 */
export function parseTimestamp(text: string): number | undefined {
  const parts = FORM.exec(text);
  if (!parts) return undefined;
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const offsetHours = Number(parts[10] ?? 0);
  const offsetMinutes = Number(parts[11] ?? 0);
  const isCalendarDay = month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
  if (!isCalendarDay || hour > 23 || minute > 59 || second > 59) return undefined;
  if (offsetHours > 23 || offsetMinutes > 59) return undefined;
  // Date.UTC reads the years 0 to 99 as 1900 to 1999; times before 1970 become the epoch anyway.
  if (year < 1969) return 0;
  const offsetMs = (offsetHours * 60 + offsetMinutes) * 60_000 * (parts[9] === "-" ? -1 : 1);
  const milliseconds = Number((parts[7] ?? "").padEnd(3, "0").slice(0, 3));
  const timeMs = Date.UTC(year, month - 1, day, hour, minute, second, milliseconds) - offsetMs;
  return Math.min(END_MS, Math.max(0, timeMs));
}

/** `YYYY-MM-DDTHH:MM:SSZ`, with milliseconds only if not zero. */
export function formatTimestamp(timeMs: number): string {
  return new Date(timeMs).toISOString().replace(".000Z", "Z");
}

function daysIn(year: number, month: number): number {
  if (month !== 2) return [4, 6, 9, 11].includes(month) ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}
