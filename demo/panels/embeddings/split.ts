/** A text as passages: what is embedded and found. */

export type Unit = "line" | "paragraph";

/** Blank ones count for nothing. */
export function splitPassages(text: string, unit: Unit): string[] {
  return text
    .split(unit === "line" ? /\r?\n/ : /(?:\r?\n[ \t]*){2,}/)
    .map((passage) => passage.trim())
    .filter((passage) => passage !== "");
}
