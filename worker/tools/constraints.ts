/** Generation constraints: tool calls in a family's format, or JSON of a schema. */

import { commonPrefix } from "../../src/shared/common-prefix.ts";
import { ANSWER, MESSAGE, NEXT } from "../chat-template/reasoning/harmony.ts";
import type { Constraint, TagFormat } from "../engine-api/constraint.ts";
import type { ArgumentsDialect } from "../json-schema/arguments/arguments-grammar.ts";
import { CombinedGrammar } from "../json-schema/grammar/combined-grammar.ts";
import { type Expression, literal, repeat, sequence } from "../json-schema/grammar/grammar-text.ts";
import type { ReplyReasoning } from "../reply/reply-reasoning.ts";
import { allowedTools } from "./allowed-tools.ts";
import type { ToolChoice } from "./tool-types.ts";

/** The text of a family's calls around their arguments. */
export interface CallSyntax {
  /**
   * Marker that switches from free text to calls; each call, or the list, begins with it. A function of the tool's name,
   * where the marker alone may be in ordinary text: how its call begins, in a list after the bracket. Several:
   * each begins a call if a tool's name follows, as `begin` does. Undefined if calls begin as ordinary text does: only
   * calls that must be made are constrained then.
   */
  trigger?: string | readonly string[] | ((name: string) => string);
  begin(name: string): string;
  /** Grammar of the text between `begin` and the arguments, where that varies. @default nothing */
  head?: string;
  /** Between the arguments and `end`, where a tool's name follows them. @default nothing */
  tail?(name: string): string;
  end: string;
  /** Between two calls; may be empty. */
  separator: string;
  /** How arguments are written between `begin` and `end`. @default JSON */
  dialect?: ArgumentsDialect;
  /** Encloses all calls of a reply; `close` may be empty. */
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
  reasoning?: ReplyReasoning;
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
  if (choice.mode !== "auto") return structural(afterReasoning(onlyCalls(syntax, tools, once), reasoning));
  const { trigger } = syntax;
  if (trigger === undefined) return undefined;
  const free = freeCalls(syntax, trigger, tools, once);
  // A message to a tool may follow any other.
  return structural(reasoning?.messages ? free : afterReasoning(free, reasoning));
}

/** Free text, and calls once they begin. */
function freeCalls(
  syntax: CallSyntax,
  trigger: NonNullable<CallSyntax["trigger"]>,
  tools: readonly ConstrainedTool[],
  once: boolean,
): TagFormat {
  if (typeof trigger === "function") return dispatchCalls(syntax, trigger, tools, once);
  const isOne = typeof trigger === "string";
  const call = (begin = syntax.begin) => callTag({ ...syntax, begin }, tools);
  const tag = (): TagFormat => (syntax.list ? listTag(syntax.list, syntax, tools, once) : call());
  return {
    type: "triggered_tags",
    triggers: isOne ? [trigger] : [...trigger],
    tags: isOne ? [tag()] : trigger.map((before) => call((name) => before + name)),
    at_least_one: false,
    stop_after_first: once,
  };
}

/** Free text, and what follows a tool's name. Its list is constrained to its end. */
function dispatchCalls(
  syntax: CallSyntax,
  trigger: (name: string) => string,
  tools: readonly ConstrainedTool[],
  once: boolean,
): TagFormat {
  const { list, begin, end } = syntax;
  const rules = new CombinedGrammar();
  const more = (): Expression => (once ? '""' : moreCalls(rules, syntax, tools));
  const after = list ? rules.rule(sequence(more(), literal(list.close))) : '""';
  const triggers = tools.map((tool) => {
    const rest = begin(tool.name).slice(trigger(tool.name).length);
    const next = sequence(literal(rest), argumentsRule(rules, syntax, tool), literal(end), after);
    return { trigger: (list?.open ?? "") + trigger(tool.name), next: rules.rule(next) };
  });
  return { type: "dispatch", triggers, rules: rules.text, stop_after_first: once };
}

/**
 * Constrains a reply to the JSON of a schema's grammar.
 *
 * @param mayThink whether a thought may come first
 */
export function constrainJson(grammar: string, reasoning?: ReplyReasoning, mayThink = true): Constraint {
  const json: TagFormat = { type: "grammar", grammar };
  const header = reasoning && answerHeader(reasoning);
  const answer: TagFormat =
    header === undefined ? json : { type: "tag", begin: header, content: json, end: "" };
  if (mayThink && reasoning) return structural(afterReasoning(answer, reasoning));
  return header === undefined ? { type: "grammar", ebnf: grammar } : structural(answer);
}

/** The header of the answer, of models whose replies are messages; undefined if the prompt has one. */
function answerHeader({ messages, startsInside = false }: ReplyReasoning): string | undefined {
  if (!messages) return undefined;
  const { kind, begun } = messages;
  if (kind === "harmony") return begun.endsWith(MESSAGE) && !startsInside ? undefined : ANSWER;
  return begun !== "" && !startsInside ? undefined : messages.markers.texts[0];
}

function structural(format: TagFormat): Constraint {
  return { type: "structural-tag", tag: { type: "structural_tag", format } };
}

/** One call of any of the tools. One grammar: each rule compiles with the whole vocabulary. */
function callTag(syntax: CallSyntax, tools: readonly ConstrainedTool[]): TagFormat {
  const rules = new CombinedGrammar();
  const begin = commonPrefix(tools.map(({ name }) => syntax.begin(name)));
  const root = callRule(rules, syntax, tools, begin.length);
  const grammar = `root ::= ${root}\n${rules.text}`;
  return { type: "tag", begin, content: { type: "grammar", grammar }, end: syntax.end };
}

/** @param from where the text of the call begins; it ends before `end` */
function callRule(
  rules: CombinedGrammar,
  syntax: CallSyntax,
  tools: readonly ConstrainedTool[],
  from = 0,
): Expression {
  const calls = tools.map((tool) => ({
    text: syntax.begin(tool.name).slice(from),
    next: argumentsRule(rules, syntax, tool),
  }));
  return rules.choice(calls);
}

function argumentsRule(
  rules: CombinedGrammar,
  { head, tail }: CallSyntax,
  { name, grammar }: ConstrainedTool,
): Expression {
  const values = rules.add(grammar);
  const begun = head === undefined ? values : sequence(rules.add(head), values);
  return tail ? rules.rule(sequence(begun, literal(tail(name)))) : begun;
}

/** Any number of calls after another. */
function moreCalls(
  rules: CombinedGrammar,
  syntax: CallSyntax,
  tools: readonly ConstrainedTool[],
): Expression {
  const { separator, end } = syntax;
  return repeat(sequence(literal(separator), callRule(rules, syntax, tools), literal(end)), 0, undefined);
}

function onlyCalls(syntax: CallSyntax, tools: readonly ConstrainedTool[], once: boolean): TagFormat {
  if (syntax.list) return listTag(syntax.list, syntax, tools, once);
  const call = callTag(syntax, tools);
  if (once) return call;
  const all = { tags: [call], at_least_one: true as const, stop_after_first: false };
  // xgrammar rejects an empty separator; triggers work, but allow text after the first call.
  if (syntax.separator === "" && typeof syntax.trigger === "string")
    return { type: "triggered_tags", triggers: [syntax.trigger], ...all };
  return { type: "tags_with_separator", separator: syntax.separator, ...all };
}

/** Repetitions only compile at the end of their parent, so the closing bracket is the end of a tag. */
function listTag(
  { open, close }: { open: string; close: string },
  syntax: CallSyntax,
  tools: readonly ConstrainedTool[],
  once: boolean,
): TagFormat {
  const content: TagFormat =
    close === ""
      ? { type: "grammar", grammar: callsGrammar(syntax, tools, once) }
      : {
          type: "tags_with_separator",
          separator: syntax.separator,
          tags: [callTag(syntax, tools)],
          at_least_one: true,
          stop_after_first: once,
        };
  return { type: "tag", begin: open, content, end: close };
}

/** For lists without an end, which xgrammar rejects. */
function callsGrammar(syntax: CallSyntax, tools: readonly ConstrainedTool[], once: boolean): string {
  const rules = new CombinedGrammar();
  const first = sequence(callRule(rules, syntax, tools), literal(syntax.end));
  const root = once ? first : sequence(first, moreCalls(rules, syntax, tools));
  return `root ::= ${root}\n${rules.text}`;
}

/** Allows an unconstrained reasoning block before the answer. */
function afterReasoning(answer: TagFormat, reasoning: ReplyReasoning | undefined): TagFormat {
  if (!reasoning) return answer;
  const { open, close, variants = [], startsInside = false, messages } = reasoning;
  const begin = startsInside ? "" : open;
  const ends = [...new Set([close, ...variants.map((one) => one.close)])];
  const block: TagFormat = { type: "tag", begin, content: { type: "text_until", ends }, end: "" };
  // GLM 4.5 begins with a line break.
  const before = !messages && !startsInside ? [lineBreaks("?")] : [];
  const next: TagFormat = { type: "grammar", grammar: `root ::= "${NEXT}"` };
  const gap = messages ? (messages.kind === "harmony" ? [next] : []) : [lineBreaks("*")];
  const thoughtful: TagFormat = { type: "sequence", elements: [...before, block, ...gap, answer] };
  return startsInside ? thoughtful : { type: "or", elements: [answer, thoughtful] };
}

function lineBreaks(count: "?" | "*"): TagFormat {
  return { type: "regex", pattern: `\\n${count}` };
}
