/**
 * Whatever holds a reply to a form: the check of schemas and tools, and the grammars made of them. It is a sixth of
 * the server, so it is loaded with the first request that asks for tools or JSON; nobody else imports it at once.
 */

import type { ModelRecord } from "../catalog/model-record.ts";
import type { Constraint, TagFormat } from "../engines/types.ts";
import { type ChatRequest, callsTools } from "./chat-request.ts";
import { ANY_OBJECT } from "./structured/json-schema.ts";
import { type CallSyntax, constrainCalls, constrainJson } from "./tools/constraints.ts";

export { checkSchema } from "./structured/json-schema.ts";
export { checkTools } from "./tools/check-tools.ts";

/**
 * Where calls are free and JSON is asked for, the reply is one or the other. There it may be one call only: xgrammar
 * takes no alternatives of which some end and others, such as any number of calls, may go on for ever.
 */
export function toConstraint(
  chat: ChatRequest,
  model: ModelRecord,
  syntax: CallSyntax,
): Constraint | undefined {
  const reasoning = chat.reasoning === "on" ? model.reasoning : undefined;
  const json = jsonConstraint(chat, reasoning);
  if (!callsTools(chat)) return json;
  const calls = (choice: ChatRequest["toolChoice"], parallel = chat.parallelToolCalls) =>
    constrainCalls(syntax, {
      choice,
      tools: chat.callable,
      parallel,
      ...(reasoning ? { reasoning } : {}),
    });
  if (!json || chat.toolChoice.mode !== "auto") return calls(chat.toolChoice);
  const elements = [json, calls({ ...chat.toolChoice, mode: "required" }, false)].flatMap(toFormat);
  return { type: "structural-tag", tag: { type: "structural_tag", format: { type: "or", elements } } };
}

function jsonConstraint(
  { responseFormat }: ChatRequest,
  reasoning: { open: string; close: string } | undefined,
): ReturnType<typeof constrainJson> | undefined {
  if (responseFormat.type === "text") return undefined;
  return constrainJson(responseFormat.type === "json_schema" ? responseFormat.schema : ANY_OBJECT, reasoning);
}

function toFormat(constraint: ReturnType<typeof constrainCalls>): TagFormat[] {
  if (!constraint) return [];
  if (constraint.type === "structural-tag") return [constraint.tag.format];
  return [{ type: "grammar", grammar: constraint.ebnf }];
}
