/** Converts a constraint to a single grammar in GBNF, llama.cpp's grammar language. */

import type { Constraint, TagFormat } from "../../../engine-api/constraint.ts";
import { textUntil } from "../text-until.ts";
import { splitRepetitions } from "./gbnf-repetitions.ts";

/** A GBNF expression, the right-hand side of `::=`. */
type Expression = string;

/**
 * Returns a grammar with the rule `root`. Free text before a trigger gets explicit rules, so that the result does not
 * depend on llama.cpp's own trigger detection.
 */
export function toGbnf(constraint: Constraint): string {
  const writer = new GbnfWriter();
  const root =
    constraint.type === "grammar" ? writer.embed(constraint.ebnf) : writer.format(constraint.tag.format);
  return [`root ::= ${root}`, ...writer.rules].join("\n");
}

class GbnfWriter {
  readonly rules: string[] = [];
  #names = 0;

  format(format: TagFormat): Expression {
    switch (format.type) {
      case "text_until":
        return this.#textUntil(format.ends);
      case "regex":
        return this.#regex(format.pattern);
      case "grammar":
        return this.embed(format.grammar);
      case "sequence":
        return format.elements.map((element) => `(${this.format(element)})`).join(" ");
      case "or":
        return this.#choice(format.elements.map((element) => this.format(element)));
      case "tag":
        return this.#tag(format);
      case "tags_with_separator":
        return this.#list(format);
      case "triggered_tags":
        return this.#triggered(format);
      case "dispatch":
        return this.#dispatch(format);
    }
  }

  /** Adds the rules of a whole grammar under prefixed names and returns the name of its root. */
  embed(ebnf: string): Expression {
    return `${this.#addRules(ebnf)}root`;
  }

  /** @returns the prefix of the names */
  #addRules(ebnf: string): string {
    const prefix = `g${this.#names++}-`;
    for (const line of ebnf.split("\n"))
      this.rules.push(splitRepetitions(renameRules(line, prefix), (part) => this.#rule(part)));
    return prefix;
  }

  #tag({ begin, content, end }: Extract<TagFormat, { type: "tag" }>): Expression {
    return `${literal(begin)} (${this.format(content)}) ${literal(end)}`;
  }

  #list({ separator, tags, stop_after_first: once }: Extract<TagFormat, { type: "tags_with_separator" }>) {
    const one = this.#rule(this.#choice(tags.map((tag) => this.format(tag))));
    return once ? one : `${one} (${literal(separator)} ${one})*`;
  }

  #triggered(format: Extract<TagFormat, { type: "triggered_tags" }>): Expression {
    const { tags, at_least_one: required, stop_after_first: once } = format;
    const whole = this.#rule(this.#choice(tags.map((tag) => this.format(tag))));
    // Required calls follow each other without text between them.
    if (required) return once ? whole : `${whole}+`;
    const name = `t${this.#names++}`;
    const all = format.triggers.map((trigger) => {
      const rests = tags.flatMap((tag) => withoutBeginning(tag, trigger)).map((tag) => this.format(tag));
      const rest = this.#rule(this.#choice(rests));
      return { marker: trigger, next: once ? rest : `${rest} ${name}-0` };
    });
    this.rules.push(...textUntil(all, name, true));
    return `${name}-0`;
  }

  #dispatch({
    triggers,
    rules,
    stop_after_first: once,
  }: Extract<TagFormat, { type: "dispatch" }>): Expression {
    const prefix = this.#addRules(rules);
    const name = `t${this.#names++}`;
    const all = triggers.map(({ trigger, next }) => ({
      marker: trigger,
      next: prefix + next + (once ? "" : ` ${name}-0`),
    }));
    this.rules.push(...textUntil(all, name, true));
    return `${name}-0`;
  }

  #textUntil(ends: readonly string[]): Expression {
    const name = `t${this.#names++}`;
    const all = ends.map((marker) => ({ marker, next: literal("") }));
    this.rules.push(...textUntil(all, name, false));
    return `${name}-0`;
  }

  /** Supports only the pattern that our structural tags use: one plain or escaped character, repeated. */
  #regex(pattern: string): Expression {
    const [, character, repetition = ""] = /^(\\?.)([*+?]?)$/.exec(pattern) ?? [];
    if (character === undefined) throw new Error(`The pattern ${pattern} is not known to this engine.`);
    return `[${character}]${repetition}`;
  }

  #choice(options: readonly Expression[]): Expression {
    return options.length === 1 ? options[0]! : options.map((option) => `(${option})`).join(" | ");
  }

  #rule(expression: Expression): Expression {
    const name = `c${this.#names++}`;
    this.rules.push(`${name} ::= ${expression}`);
    return name;
  }
}

/** The rest of a tag that begins with the trigger; nothing for other tags. */
function withoutBeginning(tag: TagFormat, trigger: string): TagFormat[] {
  if (tag.type !== "tag" || !tag.begin.startsWith(trigger)) return [];
  return [{ ...tag, begin: tag.begin.slice(trigger.length) }];
}

function literal(text: string): Expression {
  const escaped = text.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\r", "\\r");
  return `"${escaped.replaceAll("\t", "\\t")}"`;
}

/** xgrammar and llama.cpp share the syntax of literals and classes, except for the class of all characters. */
const PIECES = /"(?:\\.|[^"\\])*"|\[(?:\\.|[^\]\\])*\]|[A-Za-z][A-Za-z0-9_-]*/g;

function renameRules(line: string, prefix: string): string {
  return line.replace(PIECES, (piece) => {
    if (piece === "[^]") return "[^\\x00]";
    return piece.startsWith('"') || piece.startsWith("[") ? piece : prefix + piece;
  });
}
