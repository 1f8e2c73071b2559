/** Python's `pprint.pformat`: lines of 80 characters, keys in order. */

import type { Budget } from "../budget.ts";
import { compare } from "../operators.ts";
import { lengthOf, repr } from "../text/python-text.ts";
import { linesOf } from "../text/strip.ts";
import {
  fromKey,
  isList,
  isMapping,
  isNumber,
  isText,
  isTuple,
  type Key,
  list,
  mapping,
  text,
  tuple,
  type Value,
} from "../values.ts";

const WIDTH = 80;

export function prettyPrinted(value: Value, budget: Budget): string {
  const { length, values, depth } = budget.sizeOf(value);
  // Each value is written for each value around it.
  budget.spend(values * (depth + 1));
  budget.spendCharacters(length * (depth + 1));
  const printer = new Printer(budget);
  printer.print(sorted(value), 0, 0, 0);
  return printer.written;
}

/** With the keys of all mappings in order. */
function sorted(value: Value): Value {
  if (isList(value)) return (isTuple(value) ? tuple : list)(value.value.map(sorted));
  if (!isMapping(value)) return value;
  const entries = [...value.value].map(([key, one]): [Key, Value] => [key, sorted(one)]);
  return mapping(new Map(entries.sort(([a], [b]) => inOrder(fromKey(a), fromKey(b)))));
}

/** By the names that Python gives them. */
const KEY_TYPES = ["NullValue", "BooleanValue", "FloatValue", "IntegerValue", "StringValue"];

/** Keys without an order are sorted by their type. */
function inOrder(a: Value, b: Value): number {
  if ((isText(a) && isText(b)) || (isNumber(a) && isNumber(b))) return compare(a, b);
  return KEY_TYPES.indexOf(a.type) - KEY_TYPES.indexOf(b.type);
}

class Printer {
  written = "";
  readonly #budget: Budget;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  /**
   * @param indent of the lines after the first
   * @param allowance characters that follow the value in its line
   */
  print(value: Value, indent: number, allowance: number, level: number): void {
    const short = repr(value);
    if (lengthOf(short) <= WIDTH - indent - allowance) this.#write(short);
    else if (isMapping(value)) this.#mapping(value.value, indent + 1, allowance + 1, level + 1);
    else if (isList(value)) {
      const [open, close] = isTuple(value) ? ["(", value.value.length === 1 ? ",)" : ")"] : ["[", "]"];
      this.#write(open);
      for (const [at, one] of value.value.entries()) {
        if (at > 0) this.#newLine(",", indent + 1);
        const isLast = at === value.value.length - 1;
        this.print(one, indent + 1, isLast ? allowance + close.length : 1, level + 1);
      }
      this.#write(close);
    } else if (isText(value)) this.#text(value.value, indent, allowance, level === 0);
    else this.#write(short);
  }

  #mapping(entries: ReadonlyMap<Key, Value>, indent: number, allowance: number, level: number): void {
    this.#write("{");
    let at = 0;
    for (const [key, one] of entries) {
      if (at > 0) this.#newLine(",", indent);
      const name = `${repr(fromKey(key))}: `;
      this.#write(name);
      this.print(one, indent + lengthOf(name), ++at === entries.size ? allowance : 1, level);
    }
    this.#write("}");
  }

  /** A text in several literals, one in a line. */
  #text(given: string, from: number, after: number, isWhole: boolean): void {
    const [indent, allowance] = isWhole ? [from + 1, after + 1] : [from, after];
    const lines = linesOf(given, true);
    const pieces = lines.flatMap((line, at) => {
      const isLast = at === lines.length - 1;
      return literalsOf(line, WIDTH - indent, isLast ? allowance : 0);
    });
    const hasParentheses = isWhole && pieces.length > 1;
    if (hasParentheses) this.#write("(");
    for (const [at, piece] of pieces.entries()) {
      if (at > 0) this.#newLine("", indent);
      this.#write(piece);
    }
    if (hasParentheses) this.#write(")");
  }

  #newLine(mark: string, indent: number): void {
    this.#budget.require(this.written.length + indent);
    this.#write(`${mark}\n${" ".repeat(indent)}`);
  }

  #write(text: string): void {
    this.#budget.require(this.written.length + text.length);
    this.written += text;
  }
}

/** A line in literals that fit the width; the last one leaves room for what follows. */
function literalsOf(line: string, width: number, allowance: number): string[] {
  const whole = repr(text(line));
  if (lengthOf(whole) <= width - allowance) return [whole];
  const words = line.match(/\S+\s*|^\s+/g) ?? [];
  const pieces: string[] = [];
  let current = "";
  for (const [at, word] of words.entries()) {
    const most = at === words.length - 1 ? width - allowance : width;
    if (lengthOf(repr(text(current + word))) <= most) current += word;
    else {
      if (current !== "") pieces.push(repr(text(current)));
      current = word;
    }
  }
  return current === "" ? pieces : [...pieces, repr(text(current))];
}
