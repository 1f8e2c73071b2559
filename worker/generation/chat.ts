/** From a conversation to a generation: the prompt, what constrains the reply, and how it is read. */

import type { ModelRecord } from "../catalog/model-record.ts";
import type { Constraint, TagFormat } from "../engines/types.ts";
import type { ChatRequest } from "./chat-request.ts";
import type { Generation } from "./generate.ts";
import { renderPrompt } from "./prompt/render.ts";
import { type ReplyMemory, visibleReply } from "./prompt/reply-memory.ts";
import { toTurns } from "./prompt/turns.ts";
import type { ReaderOptions } from "./readers/reply-reader.ts";
import { ANY_OBJECT } from "./structured/json-schema.ts";
import { constrainCalls, constrainJson } from "./tools/constraints.ts";
import { chooseFamily } from "./tools/families.ts";
import type { ToolFamily } from "./tools/tool-family.ts";

export function toGeneration(
  chat: ChatRequest,
  model: ModelRecord,
  memory: ReplyMemory,
  promptParam: Generation["promptParam"] = "messages",
): Generation {
  const family = chooseFamily({ id: model.baseModel ?? model.id });
  const turns = toTurns(chat, model, family);
  const reader = toReader(chat, model, family);
  const constraint = toConstraint(chat, model, family);
  return {
    model,
    prompt: ({ conversation }) =>
      renderPrompt(turns, conversation, (prompt, at) => {
        const reply = turns[at]?.reply;
        return reply && memory.recall(prompt, reply);
      }),
    promptParam,
    choices: chat.choices,
    request: {
      sampling: chat.sampling,
      reader,
      ...(constraint ? { constraint } : {}),
      ...(chat.topLogprobs === undefined ? {} : { topLogprobs: chat.topLogprobs }),
    },
    onReply: (prompt, raw) => memory.remember(prompt, visibleReply(raw, reader), raw),
  };
}

function callsTools({ tools, toolChoice }: ChatRequest): boolean {
  return tools.length > 0 && toolChoice.mode !== "none";
}

function toReader(chat: ChatRequest, { reasoning }: ModelRecord, family: ToolFamily): ReaderOptions {
  const { mode } = chat.toolChoice;
  return {
    stop: chat.stop,
    // A model that thinks unasked must not be seen to: the block is always split off.
    ...(reasoning ? { reasoning: { open: reasoning.open, close: reasoning.close } } : {}),
    ...(callsTools(chat)
      ? {
          tools: {
            format: family.callFormat,
            names: chat.tools.map((tool) => tool.function.name),
            constrained: mode === "required" || mode === "named",
            single: mode === "named" || !chat.parallelToolCalls,
          },
        }
      : {}),
  };
}

/**
 * Where calls are free and JSON is asked for, the reply is one or the other. There it may be one call only: xgrammar
 * takes no alternatives of which some end and others, such as any number of calls, may go on for ever.
 */
function toConstraint(chat: ChatRequest, model: ModelRecord, family: ToolFamily): Constraint | undefined {
  const reasoning = chat.reasoning === "on" ? model.reasoning : undefined;
  const json = jsonConstraint(chat, reasoning);
  if (!callsTools(chat)) return json;
  const calls = (choice: ChatRequest["toolChoice"], parallel = chat.parallelToolCalls) =>
    constrainCalls(family.callSyntax, {
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
