/**
 * The required form of a reply: xgrammar's EBNF or its structural tags. JSON schemas are converted to EBNF first,
 * because xgrammar's own converter accepts values that the schema refuses and aborts its WebAssembly on some schemas.
 */
export type Constraint = { type: "grammar"; ebnf: string } | { type: "structural-tag"; tag: StructuralTag };

interface StructuralTag {
  type: "structural_tag";
  format: TagFormat;
}

/** The subset of xgrammar's structural tags that is used here, `text_until` and `dispatch`; all compile in web-llm 0.2.86. */
export type TagFormat =
  /** Free text up to and including the first of some ends, which must come. None is within another. */
  | { type: "text_until"; ends: string[] }
  | { type: "regex"; pattern: string }
  | { type: "grammar"; grammar: string }
  | { type: "sequence" | "or"; elements: TagFormat[] }
  | { type: "tag"; begin: string; content: TagFormat; end: string }
  | {
      type: "tags_with_separator";
      separator: string;
      tags: TagFormat[];
      at_least_one: true;
      stop_after_first: boolean;
    }
  | {
      type: "triggered_tags";
      triggers: string[];
      tags: TagFormat[];
      at_least_one: boolean;
      stop_after_first: boolean;
    }
  /** Free text until a trigger; then, before other text, what the rule `next` accepts, one of the lines of `rules`. */
  | {
      type: "dispatch";
      triggers: { trigger: string; next: string }[];
      rules: string;
      stop_after_first: boolean;
    };
