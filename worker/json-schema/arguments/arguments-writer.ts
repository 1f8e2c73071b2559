import { AutomatonProblem } from "../automaton/automaton.ts";
import { GrammarWriter } from "../grammar/grammar.ts";
import {
  characterClass,
  choice,
  type Expression,
  list,
  literal,
  repeat,
  sequence,
} from "../grammar/grammar-text.ts";
import { memberRules } from "../grammar/member-rules.ts";
import { asciiExcept } from "../pattern/pattern-characters.ts";
import { either, text } from "../pattern/pattern-node.ts";
import type { MatchNode, ObjectNode, ObjectProperty, SchemaNode } from "../schema/checked-schema.ts";
import { optionsOf } from "../schema/definitions.ts";

/** Base of the writers of arguments that are not JSON. */
export abstract class ArgumentsWriter extends GrammarWriter {
  protected abstract readonly separator: Expression;
  /** A member with this name, which is an expression. */
  protected abstract member(name: Expression, schema: SchemaNode): Expression;

  /** The name of a member that the schema does not declare. */
  protected anyName(): Expression {
    return "[a-zA-Z_] [a-zA-Z0-9_-]*";
  }

  protected override root(node: SchemaNode): Expression {
    const objects = this.options(node).filter((option) => option.kind === "object");
    if (objects.length === 0) return this.node(node);
    return choice(objects.map((object) => this.#members(object)));
  }

  /** What a node may stand for, without references and unions; each once. */
  protected options(node: SchemaNode): SchemaNode[] {
    return optionsOf(node, this.schema.definitions);
  }

  #members(object: ObjectNode): Expression {
    if (object.properties.length > 0) {
      const rule = (expression: Expression): Expression => this.rules.of(expression);
      const member = ({ name, schema }: ObjectProperty) => rule(this.member(literal(name), schema));
      return memberRules(this.ordered(object.properties), { separator: this.separator, member, rule })
        .beginning;
    }
    const { additional, minProperties: min, maxProperties: max } = object;
    if (!additional || max === 0) return '""';
    const member = this.rules.of(this.member(this.anyName(), additional));
    return list(member, this.separator, min, max);
  }

  /** One of these texts: alternatives of literals would accept more (see automaton.ts). */
  protected oneOf(texts: readonly string[]): Expression {
    return this.pattern(`texts ${JSON.stringify(texts)}`, () => either(texts.map(text))!);
  }

  /**
   * Text without `end` that matches a pattern; any such text if the pattern cannot be enforced.
   *
   * @throws {AutomatonProblem} instead, if it is required
   */
  protected patternUntil(end: string, pattern: MatchNode): Expression {
    const { plainUntil, isRequired } = pattern;
    if (!plainUntil) return this.textUntil(end);
    try {
      return this.rules.automaton(plainUntil(end));
    } catch (error) {
      if (isRequired || !(error instanceof AutomatonProblem)) throw error;
      return this.textUntil(end);
    }
  }

  /**
   * Text without `end`, the same in all of the grammar, whose first character must not occur in it again. Text may end with a part of `end`, and such a
   * part may be followed by the next one. After the ASCII characters that `end` begins with, only ASCII follows.
   */
  protected textUntil(end: string): Expression {
    // xgrammar's classes exclude all characters other than ASCII, or none.
    const ascii = /^[\0-\x7f]*/.exec(end)![0].length;
    const parts = [...end].slice(1, ascii + 1).map((_, at) => end.slice(0, at + 1));
    const left = parts.map((part) => {
      const next = `[^${end[part.length]}${end[0]}]`.replace("]]", "\\]]");
      return sequence(
        literal(part),
        part.length < ascii ? next : characterClass([...asciiExcept([end.charCodeAt(0)])]),
      );
    });
    const begun = this.rules.define("begun", choice(parts.map(literal)));
    const piece = choice([`[^${end[0]}]`, `${begun}* ${choice(left)}`]);
    return this.rules.define("freetext", `${repeat(piece, 0, undefined)} ${begun}*`);
  }
}
