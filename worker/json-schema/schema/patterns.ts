/** Several patterns for one string, as Zod's `startsWith` and `regex` write them with `allOf`. */

/** In place of the text of one `pattern`; a request cannot have one. */
export class Patterns {
  readonly sources: readonly string[];

  constructor(sources: readonly string[]) {
    this.sources = sources;
  }
}

const MAX_PATTERNS = 16;

/** Undefined if one of them is no pattern, or if there are too many. */
export function joinPatterns(first: unknown, second: unknown): Patterns | undefined {
  const all = [sourcesOf(first), sourcesOf(second)];
  if (!all.every((one) => one !== undefined)) return undefined;
  const sources = [...new Set(all.flat())];
  return sources.length > MAX_PATTERNS ? undefined : new Patterns(sources);
}

export function sourcesOf(pattern: unknown): readonly string[] | undefined {
  if (typeof pattern === "string") return [pattern];
  return pattern instanceof Patterns ? pattern.sources : undefined;
}
