/** Python's `datetime.now().strftime(format)`, in English and local time. */

const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
const DAY_MS = 86_400_000;

const padded = (number: number, length = 2, filler = "0"): string => String(number).padStart(length, filler);

/** Day of the year, from 1. */
function dayOfYear(date: Date): number {
  const day = Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
  return Math.round((day - Date.UTC(date.getFullYear(), 0, 1)) / DAY_MS) + 1;
}

/** Week of the year, from 0. @param first day that weeks begin with: 0 for Sunday */
function week(date: Date, first: number): number {
  return Math.floor((dayOfYear(date) + 6 - ((date.getDay() - first + 7) % 7)) / 7);
}

const FIELDS: Readonly<Record<string, (date: Date) => string>> = {
  a: (date) => DAYS[date.getDay()]!.slice(0, 3),
  A: (date) => DAYS[date.getDay()]!,
  b: (date) => MONTHS[date.getMonth()]!.slice(0, 3),
  B: (date) => MONTHS[date.getMonth()]!,
  c: (date) => strftime("%a %b %e %H:%M:%S %Y", date),
  d: (date) => padded(date.getDate()),
  D: (date) => strftime("%m/%d/%y", date),
  e: (date) => padded(date.getDate(), 2, " "),
  f: (date) => padded(date.getMilliseconds() * 1000, 6),
  F: (date) => strftime("%Y-%m-%d", date),
  h: (date) => MONTHS[date.getMonth()]!.slice(0, 3),
  H: (date) => padded(date.getHours()),
  I: (date) => padded(date.getHours() % 12 || 12),
  j: (date) => padded(dayOfYear(date), 3),
  m: (date) => padded(date.getMonth() + 1),
  M: (date) => padded(date.getMinutes()),
  n: () => "\n",
  p: (date) => (date.getHours() < 12 ? "AM" : "PM"),
  R: (date) => strftime("%H:%M", date),
  s: (date) => String(Math.floor(date.getTime() / 1000)),
  S: (date) => padded(date.getSeconds()),
  t: () => "\t",
  T: (date) => strftime("%H:%M:%S", date),
  u: (date) => String(date.getDay() || 7),
  U: (date) => padded(week(date, 0)),
  w: (date) => String(date.getDay()),
  W: (date) => padded(week(date, 1)),
  x: (date) => strftime("%m/%d/%y", date),
  X: (date) => strftime("%H:%M:%S", date),
  y: (date) => padded(date.getFullYear() % 100),
  Y: (date) => String(date.getFullYear()),
  // Both are empty for a date without a zone, as `now()` gives it.
  z: () => "",
  Z: () => "",
  "%": () => "%",
};

/** Unknown fields stay as they are; `%-d` leaves out the padding, as glibc does. */
export function strftime(format: string, date: Date): string {
  return format.replace(/%(-?)([a-zA-Z%])/g, (whole, dash: string, name: string) => {
    const field = FIELDS[name]?.(date);
    if (field === undefined) return whole;
    return dash ? field.replace(/^[0 ]+(?=.)/, "") : field;
  });
}
