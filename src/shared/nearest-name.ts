/** Maximum compared length, since a request may send any name. */
const MAX_COMPARED = 100;

/**
 * The name in `known` with the smallest edit distance to `name`, of at most `maxShare` edits per letter of the longer
 * name. Ignores case and separators.
 */
export function nearestName(name: string, known: Iterable<string>, maxShare = 1 / 3): string | undefined {
  const wanted = normalized(name);
  let best: { name: string; edits: number } | undefined;
  for (const one of known) {
    const candidate = normalized(one);
    const edits = editDistance(wanted, candidate);
    if (edits > Math.max(wanted.length, candidate.length) * maxShare) continue;
    if (!best || edits < best.edits) best = { name: one, edits };
  }
  return best?.name;
}

function normalized(name: string): string {
  return name
    .slice(0, MAX_COMPARED)
    .toLowerCase()
    .replace(/[-_.:/\s]/g, "");
}

/** Optimal string alignment distance: replace, insert, delete, or swap adjacent letters. */
function editDistance(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= from.length; i++) {
    const [before, above] = [rows[i - 2], rows[i - 1]!];
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = above[j - 1]! + Number(from[i - 1] !== to[j - 1]);
      const isSwap = before && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const swapped = isSwap ? before[j - 2]! + 1 : replaced;
      row.push(Math.min(replaced, swapped, above[j]! + 1, row[j - 1]! + 1));
    }
    rows.push(row);
  }
  return rows.at(-1)!.at(-1)!;
}
