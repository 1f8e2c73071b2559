export type Path = readonly (string | number)[];

/** An error in a schema and its path, with OpenAI's message. */
export class SchemaProblem extends Error {
  override name = "SchemaProblem" as const;
  readonly path: Path;

  constructor(path: Path, message: string) {
    super(message);
    this.path = path;
  }
}

/** A grammar; or why there is none, as a message. */
export type GrammarResult = { ok: true; grammar: string } | { ok: false; message: string };

/** A value as messages quote it. */
export function shown(value: unknown): string {
  const text = typeof value === "string" ? `'${value}'` : (JSON.stringify(value) ?? String(value));
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
