/** Grammars of arguments that models do not write as JSON. Values that are no text remain JSON, or Python. */

import { Compilation } from "../compilation.ts";
import { schemaGrammar } from "../grammar/grammar.ts";
import { type Expression, sequence } from "../grammar/grammar-text.ts";
import type { CheckedSchema, SchemaNode } from "../schema/checked-schema.ts";
import { ArgumentsWriter } from "./arguments-writer.ts";
import { type ElementTags, ElementWriter } from "./element-arguments.ts";
import { EscapedWriter, QuotedWriter } from "./escaped-arguments.ts";
import { NestedWriter } from "./nested-arguments.ts";

export type ArgumentsDialect =
  | "json"
  /** `a="text", b=True` */
  | "python"
  /** `a="text", b=true` */
  | "keywords"
  /** `<parameter=a>\ntext\n</parameter>\n`, with these tags */
  | ElementTags
  /** `a:<escape>text<escape>,b:true` */
  | "escaped"
  /** `a:<|"|>text<|"|>,b:true` */
  | "quoted"
  /** `<a>text</a><b><item>1</item></b>`, with a token before each tag */
  | "nested";

/**
 * Returns xgrammar EBNF of the arguments that match an object's schema.
 *
 * @throws {BudgetProblem}
 */
export function argumentsGrammar(
  schema: CheckedSchema,
  dialect: ArgumentsDialect,
  compilation = new Compilation(),
): string {
  if (dialect === "json") return schemaGrammar(schema, compilation);
  if (typeof dialect === "object") return new ElementWriter(schema, compilation, dialect).write();
  return new WRITERS[dialect](schema, compilation).write();
}

class KeywordsWriter extends ArgumentsWriter {
  /** Python keeps the backslash of `\/`. */
  protected override readonly escape = '["\\\\bfnrt]';
  protected readonly separator = '"," " "?';

  protected member(name: Expression, schema: SchemaNode): Expression {
    return sequence(name, '"="', this.node(schema));
  }

  protected override anyName(): Expression {
    return "[a-zA-Z_] [a-zA-Z0-9_]*";
  }
}

class PythonWriter extends KeywordsWriter {
  protected override readonly literals = { true: '"True"', false: '"False"', null: '"None"' };
}

const WRITERS = {
  python: PythonWriter,
  keywords: KeywordsWriter,
  escaped: EscapedWriter,
  quoted: QuotedWriter,
  nested: NestedWriter,
};
