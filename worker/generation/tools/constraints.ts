/** What the engine may generate: tool calls of a family's form, or JSON of a schema. */

import type { ToolChoice, ToolDefinition } from "./tool-types.ts";

/** What web-llm's grammar engine (xgrammar) is given. */
export type Constraint =
  /** Checked by `checkSchema`: anything else may abort the engine's WebAssembly. */
  | { type: "json-schema"; schema: Record<string, unknown> | boolean }
  | { type: "grammar"; ebnf: string }
  | { type: "structural-tag"; tag: StructuralTag };

export interface StructuralTag {
  type: "structural_tag";
  format: TagFormat;
}

/** The forms of xgrammar's structural tags that compile in web-llm 0.2.86 and that we use. */
export type TagFormat =
  | { type: "any_text" }
  | { type: "regex"; pattern: string }
  | { type: "json_schema"; json_schema: Record<string, unknown> | boolean }
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
    };

/** How a family writes a call around its arguments. */
export interface CallSyntax {
  /** What free text leads over to calls with; each call, or the list, begins with it. */
  trigger: string;
  begin(name: string): string;
  end: string;
  /** Between two calls; empty where the family puts nothing there. */
  separator: string;
  /** Around all calls of a reply. */
  list?: { open: string; close: string };
}

export interface CallConstraintOptions {
  choice: ToolChoice;
  tools: readonly ToolDefinition[];
  /** Several calls in one reply; OpenAI's default. */
  parallel?: boolean;
  reasoning?: ReasoningMarkers;
}

/** The block with which a reply may begin; `startsInside` where the prompt has opened it already. */
export interface ReasoningMarkers {
  open: string;
  close: string;
  startsInside?: boolean;
}

/**
 * What keeps a reply to the tools: under `auto` the text is free and a call, once begun, is constrained; under
 * `required` or a named function the reply is nothing but calls. Undefined where nothing is to be constrained.
 * The parameters of the tools must have passed `checkTools`.
 */
export function constrainCalls(syntax: CallSyntax, options: CallConstraintOptions): Constraint | undefined {
  const { choice, reasoning } = options;
  const tools = allowedTools(choice, options.tools);
  if (choice.mode === "none" || tools.length === 0) return undefined;
  const once = choice.mode === "named" || options.parallel === false;
  const calls = tools.map((tool) => callTag(syntax, tool));
  if (choice.mode !== "auto") return structural(afterReasoning(onlyCalls(syntax, calls, once), reasoning));
  const free: TagFormat = {
    type: "triggered_tags",
    triggers: [syntax.trigger],
    tags: syntax.list ? [listTag(syntax.list, syntax, calls, once)] : calls,
    at_least_one: false,
    stop_after_first: once,
  };
  return structural(afterReasoning(free, reasoning));
}

/** What keeps a reply to JSON; `{"type": "object"}` is `json_object`. The schema must have passed `checkSchema`. */
export function constrainJson(
  schema: Record<string, unknown> | boolean,
  reasoning?: ReasoningMarkers,
): Constraint {
  if (!reasoning) return { type: "json-schema", schema };
  return structural(afterReasoning({ type: "json_schema", json_schema: schema }, reasoning));
}

/** The tools that the choice leaves. */
export function allowedTools(
  choice: ToolChoice,
  tools: readonly ToolDefinition[],
): readonly ToolDefinition[] {
  if (choice.mode === "none") return [];
  if (choice.mode === "named") return tools.filter((tool) => tool.function.name === choice.name);
  if (!("names" in choice)) return tools;
  return tools.filter((tool) => choice.names.includes(tool.function.name));
}

function structural(format: TagFormat): Constraint {
  return { type: "structural-tag", tag: { type: "structural_tag", format } };
}

function callTag({ begin, end }: CallSyntax, { function: { name, parameters } }: ToolDefinition): TagFormat {
  const schema = parameters ?? { type: "object", properties: {}, additionalProperties: false };
  return { type: "tag", begin: begin(name), content: { type: "json_schema", json_schema: schema }, end };
}

function onlyCalls(syntax: CallSyntax, tags: TagFormat[], once: boolean): TagFormat {
  if (syntax.list) return listTag(syntax.list, syntax, tags, once);
  if (once && tags.length === 1) return tags[0]!;
  if (once) return { type: "or", elements: tags };
  const rules = { at_least_one: true, stop_after_first: false } as const;
  // An empty separator does not compile; triggers leave room for text behind the first call instead.
  if (syntax.separator === "") return { type: "triggered_tags", triggers: [syntax.trigger], tags, ...rules };
  return { type: "tags_with_separator", separator: syntax.separator, tags, ...rules };
}

/** A repetition compiles only at the end of its parent: the closing bracket has to be a tag's. */
function listTag(
  list: { open: string; close: string },
  syntax: CallSyntax,
  tags: TagFormat[],
  once: boolean,
): TagFormat {
  const { separator } = syntax;
  const content: TagFormat = {
    type: "tags_with_separator",
    separator,
    tags,
    at_least_one: true,
    stop_after_first: once,
  };
  return { type: "tag", begin: list.open, content, end: list.close };
}

/** Thinking comes first, or not at all; inside of it nothing is constrained. */
function afterReasoning(answer: TagFormat, reasoning: ReasoningMarkers | undefined): TagFormat {
  if (!reasoning) return answer;
  const { open, close, startsInside = false } = reasoning;
  const block: TagFormat = {
    type: "tag",
    begin: startsInside ? "" : open,
    content: { type: "any_text" },
    end: close,
  };
  const thoughtful: TagFormat = {
    type: "sequence",
    elements: [block, { type: "regex", pattern: "\\n*" }, answer],
  };
  return startsInside ? thoughtful : { type: "or", elements: [answer, thoughtful] };
}
