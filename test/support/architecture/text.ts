/** What can be said of a file without knowing its language. */

import type { SourceFile } from "./files.ts";

/** Files of more than `limit` lines; a line break at the end begins no line. */
export function tooLong(files: SourceFile[], limit: number): string[] {
  return files.flatMap((file) => {
    const lines = file.text.replace(/\n$/, "").split("\n").length;
    return lines > limit ? [`${file.path}: ${lines} lines, ${limit} at most`] : [];
  });
}

/** Where someone meant to come back, as `path:line`. */
export function leftovers(files: SourceFile[]): string[] {
  const word = /\b(?:TO[D]O|FIX[M]E)\b/;
  return files.flatMap((file) =>
    file.text.split("\n").flatMap((line, at) => (word.test(line) ? [`${file.path}:${at + 1}`] : [])),
  );
}
