/** Detects unknown option names and suggests the intended one. */

import { nearestName } from "../../shared/nearest-name.ts";

/** @returns a TypeError message for unknown names in `given`; undefined if all are known */
export function findUnknownNames(where: string, given: object, known: readonly string[]): string | undefined {
  const unknown = Object.keys(given).filter((name) => !known.includes(name));
  if (unknown.length === 0) return undefined;
  const meant = unknown.map((name) => {
    const nearest = nearestName(name, known, 1 / 2);
    return `'${where}${name}'${nearest ? ` (did you mean '${where}${nearest}'?)` : ""}`;
  });
  const are = unknown.length === 1 ? "is not an option" : "are not options";
  return `${meant.join(", ")} ${are}. Known options: ${known.join(", ")}.`;
}
