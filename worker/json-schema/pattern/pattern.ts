/** Parses regular expressions of schemas (ECMA 262), as far as a grammar can express them. */

import { CompileBudget } from "../budget.ts";
import { ANCHORS, ANY_TEXT, Anchors } from "./anchors.ts";
import {
  ASCII_CHARACTERS,
  addRange,
  asciiExcept,
  CHARACTER_CLASSES,
  type CharacterSet,
  CONTROL_ESCAPES,
  DOT,
  inBothCases,
  MAX_BEYOND,
  PatternProblem,
} from "./pattern-characters.ts";
import { caselessText, type PatternNode, text } from "./pattern-node.ts";

/**
 * Parses a pattern. As in JSON Schema, it is not anchored unless by `^` or `$`.
 *
 * @param isCaseless whether letters of upper and lower case are equal
 * @throws {PatternProblem} if it is not a valid regular expression, or uses lookaround, back references, word
 * boundaries, Unicode properties, or anchors in the middle or in what repeats
 * @throws {BudgetProblem} if its groups are nested too deep
 */
export function parsePattern(source: string, budget = new CompileBudget(), isCaseless = false): PatternNode {
  // JSON schemas do not say the flags: with `u`, a range may end in an emoji.
  if (!isRegex(source) && !isRegex(source, "u"))
    throw new PatternProblem(`'${shown(source)}' is not a valid regex.`);
  const parser = new PatternParser([...source], budget, isCaseless);
  const node = parser.choice();
  if (!parser.atEnd) throw new PatternProblem(`'${shown(source)}' is not a valid regex.`);
  return parser.anchored(node);
}

function isRegex(source: string, flags = ""): boolean {
  try {
    return new RegExp(source, flags) !== undefined;
  } catch {
    return false;
  }
}

function shown(source: string): string {
  return source.length > 80 ? `${source.slice(0, 80)}…` : source;
}

class PatternParser {
  readonly #chars: readonly string[];
  readonly #budget: CompileBudget;
  readonly #isCaseless: boolean;
  readonly #anchors = new Anchors();
  #at = 0;

  constructor(chars: readonly string[], budget: CompileBudget, isCaseless: boolean) {
    this.#chars = chars;
    this.#budget = budget;
    this.#isCaseless = isCaseless;
  }

  get atEnd(): boolean {
    return this.#at >= this.#chars.length;
  }

  /** A whole pattern, which matches any text that has what it matches where there is no anchor. */
  anchored(node: PatternNode): PatternNode {
    return this.#anchors.without(node, ANY_TEXT, ANY_TEXT);
  }

  choice(): PatternNode {
    const parts = [this.#sequence()];
    while (this.#takes("|")) parts.push(this.#sequence());
    return this.#anchors.joined("choice", parts);
  }

  #sequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (!this.atEnd && this.#peek !== "|" && this.#peek !== ")") parts.push(this.#repeated());
    return this.#anchors.joined("sequence", parts);
  }

  #repeated(): PatternNode {
    const part = this.#atom();
    const [min, max] = this.#quantifier() ?? [1, 1];
    if (min === 1 && max === 1) return part;
    return this.#anchors.repeated(part, min, max);
  }

  #quantifier(): [number, number | undefined] | undefined {
    const counts = this.#simpleQuantifier() ?? this.#bracedQuantifier();
    // Lazy quantifiers match the same texts.
    if (counts) this.#takes("?");
    return counts;
  }

  #simpleQuantifier(): [number, number | undefined] | undefined {
    if (this.#takes("*")) return [0, undefined];
    if (this.#takes("+")) return [1, undefined];
    return this.#takes("?") ? [0, 1] : undefined;
  }

  /** Undefined, without consuming anything, if the brace is literal. */
  #bracedQuantifier(): [number, number | undefined] | undefined {
    if (this.#peek !== "{") return undefined;
    const begin = this.#at++;
    const min = this.#digits();
    const max = min !== "" && this.#takes(",") ? this.#digits() : min;
    if (min !== "" && this.#takes("}")) return [Number(min), max === "" ? undefined : Number(max)];
    this.#at = begin;
    return undefined;
  }

  #digits(): string {
    let digits = "";
    while (/^\d$/.test(this.#peek ?? "")) digits += this.#next();
    return digits;
  }

  #atom(): PatternNode {
    const char = this.#next();
    if (char === "(") return this.#group();
    if (char === "[") return { kind: "set", set: this.#class() };
    if (char === ".") return { kind: "set", set: DOT };
    if (char === "^" || char === "$") return ANCHORS[char]!;
    const exact = char === "\\" ? this.#escape() : char;
    if (typeof exact !== "string") return { kind: "set", set: exact };
    return this.#isCaseless ? caselessText(exact) : text(exact);
  }

  #group(): PatternNode {
    if (this.#takes("?")) {
      if (this.#takes("<")) {
        if (this.#peek === "=" || this.#peek === "!")
          throw new PatternProblem("lookaround is not supported.");
        this.#at = this.#chars.indexOf(">", this.#at) + 1;
      } else if (!this.#takes(":")) throw new PatternProblem("lookaround is not supported.");
    }
    const node = this.#budget.nested(() => this.choice());
    this.#next();
    return node;
  }

  #class(): CharacterSet {
    const negated = this.#takes("^");
    const ascii = new Set<number>();
    const beyond: string[] = [];
    let all = false;
    while (!this.#takes("]")) {
      const low = this.#classMember();
      if (typeof low !== "string") {
        for (const code of low.ascii) ascii.add(code);
        if (low.beyond === "all") all = true;
        continue;
      }
      let high: string | CharacterSet = low;
      if (this.#peek === "-" && this.#chars[this.#at + 1] !== "]") {
        this.#at++;
        high = this.#classMember();
        if (typeof high !== "string") throw new PatternProblem("a class in a range is not supported.");
      }
      this.#budget.spend("automaton members", high > "\x7f" ? MAX_BEYOND : 1);
      addRange(low.codePointAt(0)!, high.codePointAt(0)!, ascii, beyond);
    }
    const named: CharacterSet = { ascii, beyond: all ? "all" : beyond };
    const set = this.#isCaseless ? inBothCases(named) : named;
    if (!negated) return set;
    this.#budget.spend("automaton members", ASCII_CHARACTERS);
    // A grammar can only exclude all non-ASCII characters, or none.
    const excludesBeyond = set.beyond === "all" || set.beyond.length > 0;
    return { ascii: asciiExcept([...set.ascii]), beyond: excludesBeyond ? [] : "all" };
  }

  #classMember(): string | CharacterSet {
    const char = this.#next();
    if (char !== "\\") return char;
    if (this.#takes("b")) return "\b";
    return this.#escape();
  }

  #escape(): string | CharacterSet {
    const char = this.#next();
    const named = CHARACTER_CLASSES[char];
    if (named) return named;
    const control = CONTROL_ESCAPES[char];
    if (control !== undefined) return control;
    if (char === "x") return String.fromCodePoint(this.#hex(2));
    if (char === "u") return whole(this.#takes("{") ? this.#bracedCode() : this.#hex(4));
    if (/[1-9k]/.test(char)) throw new PatternProblem("back references are not supported.");
    if (/[a-zA-Z]/.test(char)) throw new PatternProblem(`'\\${char}' is not supported.`);
    return char;
  }

  #hex(length: number): number {
    const digits = this.#chars.slice(this.#at, this.#at + length).join("");
    if (!new RegExp(`^[0-9a-fA-F]{${length}}$`).test(digits))
      throw new PatternProblem("an escape is incomplete.");
    this.#at += length;
    return Number.parseInt(digits, 16);
  }

  #bracedCode(): number {
    let digits = "";
    while (!this.#takes("}")) digits += this.#next();
    const code = Number.parseInt(digits, 16);
    if (!(code <= 0x10ffff)) throw new PatternProblem("an escape is incomplete.");
    return code;
  }

  get #peek(): string | undefined {
    return this.#chars[this.#at];
  }

  #next(): string {
    const char = this.#chars[this.#at++];
    if (char === undefined) throw new PatternProblem("the pattern ends too early.");
    return char;
  }

  #takes(char: string): boolean {
    if (this.#peek !== char) return false;
    this.#at++;
    return true;
  }
}

/** Lone surrogates are not characters. */
function whole(code: number): string {
  if (code >= 0xd800 && code <= 0xdfff) throw new PatternProblem("surrogates are not supported.");
  return String.fromCodePoint(code);
}
