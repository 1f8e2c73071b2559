/** Prompts whose tokens are kept. */
const MAX_PROMPTS = 64;
/** Characters that they have together, at most. */
const MAX_CHARACTERS = 2 ** 20;

interface Prompt {
  scope: string | undefined;
  ids: readonly number[];
  parts: ReadonlyMap<string, readonly number[]>;
}

/**
 * The tokens of recent prompts. A prompt is counted before it is queued and encoded when it runs, and the next turn of its
 * conversation repeats most of its parts.
 */
export class RecentPrompts {
  readonly #split: (text: string) => readonly string[];
  readonly #encode: (part: string) => Iterable<number>;
  /** By their text, the oldest first. */
  readonly #kept = new Map<string, Prompt>();
  #characters = 0;

  /** @param split into parts whose tokens do not depend on each other */
  constructor(split: (text: string) => readonly string[], encode: (part: string) => Iterable<number>) {
    this.#split = split;
    this.#encode = encode;
  }

  /**
   * @param scope whose prompt it is: scopes share nothing. Without it nothing is kept
   * @throws what the encoder throws
   */
  encode(text: string, scope?: string): readonly number[] {
    if (scope === undefined) return this.#read(text, scope).ids;
    const kept = this.#kept.get(text);
    const prompt = kept?.scope === scope ? kept : this.#read(text, scope);
    this.#forget(text);
    this.#kept.set(text, prompt);
    this.#characters += text.length;
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MAX_PROMPTS && this.#characters <= MAX_CHARACTERS) break;
      this.#forget(oldest);
    }
    return prompt.ids;
  }

  #read(text: string, scope: string | undefined): Prompt {
    const parts = new Map<string, readonly number[]>();
    const ids: number[] = [];
    for (const part of this.#split(text)) {
      const tokens = parts.get(part) ?? this.#earlier(part, scope) ?? Array.from(this.#encode(part));
      parts.set(part, tokens);
      for (const id of tokens) ids.push(id);
    }
    return { scope, ids, parts };
  }

  #earlier(part: string, scope: string | undefined): readonly number[] | undefined {
    for (const prompt of this.#kept.values()) {
      const tokens = prompt.scope === scope ? prompt.parts.get(part) : undefined;
      if (tokens) return tokens;
    }
    return undefined;
  }

  #forget(text: string): void {
    if (this.#kept.delete(text)) this.#characters -= text.length;
  }
}
