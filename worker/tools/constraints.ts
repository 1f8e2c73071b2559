/** Generation constraints: tool calls in a family's format, or JSON of a schema. */

import { ANSWER, MESSAGE, NEXT } from "../chat-template/harmony.ts";
import type { Constraint, TagFormat } from "../engines/api/types.ts";
import type { ArgumentsDialect } from "../json-schema/arguments-grammar.ts";
import type { ReasoningMarkers } from "../reply/reasoning-reader.ts";
import { allowedTools } from "./allowed-tools.ts";
import type { ToolChoice } from "./tool-types.ts";

/** The text of a family's calls around their arguments. */
export interface CallSyntax {
  /**
   * Marker that switches from free text to calls; each call, or the list, begins with it. A function of the tool's name,
   * where the marker alone may be in ordinary text: how its call begins, in a list after the bracket or a comma. Several:
   * each begins a call if a tool's name follows, as `begin` does. Undefined if calls begin as ordinary text does: only
   * calls that must be made are constrained then.
   */
  trigger?: string | readonly string[] | ((name: string) => string);
  begin(name: string): string;
  /** Grammar of the text between `begin` and the arguments, where that varies. @default nothing */
  head?: string;
  end: string;
  /** Between two calls; may be empty. */
  separator: string;
  /** How arguments are written between `begin` and `end`. @default JSON */
  dialect?: ArgumentsDialect;
  /** Encloses all calls of a reply. */
  list?: { open: string; close: string };
}

/** A tool and the grammar of its arguments, from `checkTools`. */
export interface ConstrainedTool {
  name: string;
  grammar: string;
}

export interface CallConstraintOptions {
  choice: ToolChoice;
  tools: readonly ConstrainedTool[];
  /** Allows several calls in one reply. @default true, as at OpenAI */
  parallel?: boolean;
  reasoning?: ReasoningMarkers;
}

/**
 * Constrains the calls of a reply. With `auto`, text is free and calls are constrained once they begin; with
 * `required` or a named function, the reply is only calls. Undefined if there is nothing to constrain.
 */
export function constrainCalls(syntax: CallSyntax, options: CallConstraintOptions): Constraint | undefined {
  const { choice, reasoning } = options;
  const tools = allowedTools(choice, options.tools);
  if (choice.mode === "none" || tools.length === 0) return undefined;
  const once = choice.mode === "named" || options.parallel === false;
  const calls = tools.map((tool) => callTag(syntax, tool));
  if (choice.mode !== "auto") return structural(afterReasoning(onlyCalls(syntax, calls, once), reasoning));
  const { trigger } = syntax;
  if (trigger === undefined) return undefined;
  const free: TagFormat = {
    type: "triggered_tags",
    triggers: triggersOf(syntax, trigger, tools, once),
    tags: freeTags(syntax, tools, once),
    at_least_one: false,
    stop_after_first: once,
  };
  // A message to a tool may follow any other.
  return structural(reasoning?.message === undefined ? afterReasoning(free, reasoning) : free);
}

/** The calls that follow free text. */
function freeTags(syntax: CallSyntax, tools: readonly ConstrainedTool[], once: boolean): TagFormat[] {
  const { trigger, list, begin, end } = syntax;
  if (isList(trigger))
    return trigger.flatMap((before) => tools.map((tool) => callTag(syntax, tool, before + tool.name)));
  const calls = tools.map((tool) => callTag(syntax, tool));
  if (!list) return calls;
  if (typeof trigger !== "function") return [listTag(list, syntax, calls, once)];
  // A whole list for each tool that may begin it would be a grammar of thousands of calls.
  const call = once ? { ...syntax, end: end + list.close } : syntax;
  return tools.flatMap((tool) =>
    listStarts(syntax, once).map((before) => callTag(call, tool, before + begin(tool.name))),
  );
}

/** What stands before a call in a list without a marker. */
function listStarts({ list, separator }: CallSyntax, once: boolean): string[] {
  if (!list) return [""];
  return once ? [list.open] : [list.open, separator];
}

function isList(trigger: CallSyntax["trigger"]): trigger is readonly string[] {
  return Array.isArray(trigger);
}

function triggersOf(
  syntax: CallSyntax,
  trigger: NonNullable<CallSyntax["trigger"]>,
  tools: readonly ConstrainedTool[],
  once: boolean,
): string[] {
  if (typeof trigger === "function")
    return listStarts(syntax, once).flatMap((before) => tools.map(({ name }) => before + trigger(name)));
  return isList(trigger) ? [...trigger] : [trigger];
}

/**
 * Constrains a reply to the JSON of a schema's grammar.
 *
 * @param mayThink whether a thought may come first
 */
export function constrainJson(grammar: string, reasoning?: ReasoningMarkers, mayThink = true): Constraint {
  const { message } = reasoning ?? {};
  const json: TagFormat = { type: "grammar", grammar };
  const hasHeader = message === undefined || (message.endsWith(MESSAGE) && !reasoning?.startsInside);
  const answer: TagFormat = hasHeader ? json : { type: "tag", begin: ANSWER, content: json, end: "" };
  if (mayThink && reasoning) return structural(afterReasoning(answer, reasoning));
  return hasHeader ? { type: "grammar", ebnf: grammar } : structural(answer);
}

function structural(format: TagFormat): Constraint {
  return { type: "structural-tag", tag: { type: "structural_tag", format } };
}

function callTag(
  { begin, head, end }: CallSyntax,
  { name, grammar }: ConstrainedTool,
  beginning = begin(name),
): TagFormat {
  const parts = [...(head === undefined ? [] : [head]), grammar];
  const elements = parts.map((part): TagFormat => ({ type: "grammar", grammar: part }));
  const content: TagFormat = elements.length === 1 ? elements[0]! : { type: "sequence", elements };
  return { type: "tag", begin: beginning, content, end };
}

function onlyCalls(syntax: CallSyntax, tags: TagFormat[], once: boolean): TagFormat {
  if (syntax.list) return listTag(syntax.list, syntax, tags, once);
  if (once && tags.length === 1) return tags[0]!;
  if (once) return { type: "or", elements: tags };
  const rules = { at_least_one: true, stop_after_first: false } as const;
  // xgrammar rejects an empty separator; triggers work, but allow text after the first call.
  if (syntax.separator === "" && typeof syntax.trigger === "string")
    return { type: "triggered_tags", triggers: [syntax.trigger], tags, ...rules };
  return { type: "tags_with_separator", separator: syntax.separator, tags, ...rules };
}

/** Repetitions only compile at the end of their parent, so the closing bracket is the end of a tag. */
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

/** Allows an unconstrained reasoning block before the answer. */
function afterReasoning(answer: TagFormat, reasoning: ReasoningMarkers | undefined): TagFormat {
  if (!reasoning) return answer;
  const { open, close, startsInside = false, message } = reasoning;
  const gap: TagFormat =
    message === undefined
      ? { type: "regex", pattern: "\\n*" }
      : { type: "grammar", grammar: `root ::= "${NEXT}"` };
  const block: TagFormat = {
    type: "tag",
    begin: startsInside ? "" : open,
    content: { type: "any_text" },
    end: close,
  };
  const thoughtful: TagFormat = {
    type: "sequence",
    elements: [block, gap, answer],
  };
  return startsInside ? thoughtful : { type: "or", elements: [answer, thoughtful] };
}
