/** Numbers schemas and members of objects: equal ones are found without comparing each with each. */
export class SchemaIds {
  readonly #known = new Map<string, number>();
  readonly #ids = new Map<object, number>();

  /** Equal for what is written alike: references have the same name, and automata are the same. */
  of(schema: object): number {
    const known = this.#ids.get(schema);
    if (known !== undefined) return known;
    // Nested parts are written as their numbers, so that each part is read once.
    const text = JSON.stringify(schema, (key, value: unknown) => {
      if (key === "" || typeof value !== "object" || value === null) return value;
      const isAutomaton = key === "automaton" || key === "multiples";
      return { "": isAutomaton ? this.#note(value, `automaton ${this.#ids.size}`) : this.of(value) };
    });
    return this.#note(schema, text);
  }

  #note(value: object, text: string): number {
    const id = this.#ids.get(value) ?? this.#known.get(text) ?? this.#known.size;
    this.#known.set(text, id);
    this.#ids.set(value, id);
    return id;
  }
}
