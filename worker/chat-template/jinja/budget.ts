/** What one rendering may cost. Templates are untrusted: a short one can ask for gigabytes, or for hours. */

import type { Value } from "./values.ts";

export interface TemplateLimits {
  /** Steps of one rendering. Known templates take some thousands for a short conversation. */
  steps: number;
  /** Characters of a text or elements of a list that the template creates. */
  length: number;
}

/** What a value grows to when it is written out. */
interface Size {
  /** Characters of its texts, plus one for each value. */
  length: number;
  values: number;
  depth: number;
}

/** Characters that cost as much as one step. */
const CHARACTERS_PER_STEP = 64;

export class Budget {
  readonly #limits: TemplateLimits;
  #left: number;
  /** Lists and mappings are measured once, until one changes. Nothing reads through namespaces. */
  #known = new WeakMap<object, Size>();
  /** Values that were read to measure these. */
  #measured = 0;

  constructor(limits: TemplateLimits) {
    this.#limits = limits;
    this.#left = limits.steps;
  }

  /** Charges steps. @throws {Error} if none are left */
  spend(steps: number): void {
    this.#left -= steps;
    if (!(this.#left >= 0)) throw new Error(`it takes more than ${this.#limits.steps} steps`);
  }

  /** Charges for reading characters. @throws {Error} as {@link spend} */
  spendCharacters(count: number): void {
    this.spend(Math.floor(count / CHARACTERS_PER_STEP));
  }

  /** Charges for going through a text, a list or a mapping once. @throws {Error} as {@link spend} */
  spendReading({ value }: Value): void {
    if (typeof value === "string") this.spendCharacters(value.length);
    else if (Array.isArray(value)) this.spend(value.length);
    else if (value instanceof Map) this.spend(value.size);
  }

  /**
   * Charges for a value that an expression has made. A value within a value twice doubles what is read of it, at each level.
   *
   * @throws {Error} as {@link spend} and {@link sizeOf}
   */
  spendMaking(value: Value): void {
    this.spendReading(value);
    if (typeof value.value === "object") this.sizeOf(value);
  }

  /** Charges for comparing or writing a value: a list or a mapping as deep as it is. @throws {Error} as {@link spend} */
  spendUsing(value: Value): void {
    if (typeof value.value === "object" && value.value !== null) this.spendDeep(value);
    else this.spendReading(value);
  }

  /** Charges for reading a value as deep as it is. @throws {Error} as {@link spend} */
  spendDeep(value: Value): void {
    const { length, values } = this.sizeOf(value);
    this.spend(values);
    this.spendCharacters(length);
  }

  /** A list or a mapping changes: all are measured again, which costs as much. @throws {Error} as {@link spend} */
  forget(): void {
    this.spend(this.#measured);
    this.#measured = 0;
    this.#known = new WeakMap();
  }

  /** @throws {Error} for a result that would be too long */
  require(length: number): void {
    if (!(length <= this.#limits.length))
      throw new Error(`it creates a string or list longer than ${this.#limits.length}`);
  }

  /** @throws {Error} for a text that is too long, or a list or mapping that would be when written out */
  sizeOf({ type, value, digits }: Value): Size {
    const written = digits ?? value;
    if (typeof written === "string") {
      this.require(written.length);
      return { length: written.length + 1, values: 1, depth: 0 };
    }
    const isMap = value instanceof Map && type !== "NamespaceValue";
    const children = Array.isArray(value) ? value : isMap ? [...value.values()] : undefined;
    if (!children) return { length: 1, values: 1, depth: 0 };
    const known = this.#known.get(value as object);
    if (known) return known;
    const size: Size = { length: 1, values: 1, depth: 1 };
    if (isMap) for (const key of value.keys()) size.length += String(key).length + 1;
    for (const child of children as Value[]) {
      const inner = this.sizeOf(child);
      size.length += inner.length;
      size.values += inner.values;
      size.depth = Math.max(size.depth, inner.depth + 1);
      this.require(size.length);
    }
    this.#known.set(value as object, size);
    this.#measured += children.length + 1;
    return size;
  }
}
