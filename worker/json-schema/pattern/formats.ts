/** Patterns of the `format`s of OpenAI's structured outputs, never wider than their RFCs. */

// Days 1 to 28 of all months, then 29 to 31 of the months that have them, then leap days.
const DAY = "(0[1-9]|1[0-2])-(0[1-9]|1\\d|2[0-8])|(0[13-9]|1[0-2])-(29|30)|(0[13578]|1[02])-31";
const BY_FOUR = "0[48]|[2468][048]|[13579][26]";
const LEAP_YEAR = `(\\d\\d(${BY_FOUR})|(00|${BY_FOUR})00)`;
const DATE = `(\\d{4}-(${DAY})|${LEAP_YEAR}-02-29)`;
const CLOCK = "([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,9})?(Z|[+-]([01]\\d|2[0-3]):[0-5]\\d)";
const LABEL = "[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
const BYTE = "(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
const SECONDS = "\\d{1,6}S";
const MINUTES = `\\d{1,6}M(${SECONDS})?`;
const DAYS = "\\d{1,6}D";
const MONTHS = `\\d{1,6}M(${DAYS})?`;

const GROUP = "[0-9a-fA-F]{1,4}";
/** With `::` after so many groups, all groups but one may follow. */
const SHORT_IPV6 = [1, 2, 3, 4, 5, 6].map((count) => `(${GROUP}:){1,${count}}(:${GROUP}){1,${7 - count}}`);
const IPV6 = `((${GROUP}:){7}${GROUP}|${SHORT_IPV6.join("|")}|(${GROUP}:){1,7}:|:((:${GROUP}){1,7}|:))`;

const SCHEME = "[A-Za-z][A-Za-z0-9+.-]*";
const ENCODED = "%[0-9a-fA-F]{2}";
const NAME_CHARACTER = `([A-Za-z0-9._~!$&'()*+,;=-]|${ENCODED})`;
const PATH_CHARACTER = `([A-Za-z0-9._~!$&'()*+,;=:@-]|${ENCODED})`;
const SEGMENTS = `(/${PATH_CHARACTER}*)`;
/** Without IP literals, whose states count for each URI of a schema (`budget.ts`). */
const AUTHORITY = `((${NAME_CHARACTER}|:)*@)?${NAME_CHARACTER}+(:\\d*)?`;
const PATH = `(//(${AUTHORITY}${SEGMENTS}*|${SEGMENTS}+)|/?${PATH_CHARACTER}+${SEGMENTS}*)`;
const REST = `(${PATH_CHARACTER}|[/?])*`;

const FORMATS: Record<string, string> = {
  date: DATE,
  time: CLOCK,
  "date-time": `${DATE}T${CLOCK}`,
  duration: `P(\\d{1,6}W|\\d{1,6}Y(${MONTHS})?|${MONTHS}|${DAYS}|(${DAYS})?T(\\d{1,6}H(${MINUTES})?|${MINUTES}|${SECONDS}))`,
  email: `[A-Za-z0-9_+-]{1,32}(\\.[A-Za-z0-9_+-]{1,16}){0,2}@(${LABEL}\\.){1,4}[A-Za-z]{2,24}`,
  hostname: `(${LABEL}\\.){0,4}${LABEL}`,
  ipv4: `${BYTE}(\\.${BYTE}){3}`,
  ipv6: IPV6,
  uuid: "[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}",
  uri: `${SCHEME}:${PATH}(\\?${REST})?(#${REST})?`,
};

const PLAIN_CHARACTER = "[A-Za-z0-9._~!$&'()*+,;=:@/?-]";
/** With few states, as a maximum length repeats them for each character: hosts are not checked. */
const SHORT_FORMATS: Record<string, string> = {
  ...FORMATS,
  ipv6: `(${GROUP}:){7}${GROUP}`,
  uri: `[A-Za-z][A-Za-z0-9+.-]{0,30}:${PLAIN_CHARACTER}+(#${PLAIN_CHARACTER}*)?`,
};

/**
 * The regex of a format; undefined for unknown formats.
 *
 * @param isLimited whether there is a maximum length, too
 */
export function formatPattern(format: string, isLimited = false): string | undefined {
  const formats = isLimited ? SHORT_FORMATS : FORMATS;
  const source = Object.hasOwn(formats, format) ? formats[format] : undefined;
  return source === undefined ? undefined : `^(?:${source})$`;
}
