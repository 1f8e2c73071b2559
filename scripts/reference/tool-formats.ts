/** Writes the table of tool formats of `docs/models.md`: one call, as each format writes it. */

import { TOOL_FORMATS } from "../../worker/tools/formats/recognise.ts";

const CALL = { id: "call_000000001", name: "f", arguments: '{"a":"b"}' };

/** Line breaks are left out; `|` is escaped, as it separates columns. */
export function toolFormatTable(): string {
  const rows = TOOL_FORMATS.map(({ name, write }) => {
    const call = write([CALL]).replaceAll("\n", "").replaceAll("|", "\\|");
    const fence = call.includes("`") ? "``" : "`";
    // A space keeps a fence at the end apart.
    const gap = call.endsWith("`") ? " " : "";
    return `| \`${name}\` | ${fence}${gap}${call}${gap}${fence} |`;
  });
  return ["| format | a call |", "|---|---|", ...rows].join("\n");
}

/** The guide with the current table. */
export function withToolFormats(guide: string): string {
  return guide.replace(/\| format \| a call \|\n(\|.*\n)*/, () => `${toolFormatTable()}\n`);
}
