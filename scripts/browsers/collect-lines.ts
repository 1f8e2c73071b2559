import { createInterface } from "node:readline";
import type { Readable } from "node:stream";

/** Lines of a process's output that are wanted, as they come; the others are read and dropped. */
export function collectLines(output: Readable, isWanted: (line: string) => boolean): readonly string[] {
  const lines: string[] = [];
  createInterface({ input: output }).on("line", (line) => {
    if (isWanted(line)) lines.push(line);
  });
  return lines;
}
