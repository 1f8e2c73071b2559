/** Renders a chat request with the model's own template. */

import type { ChatModelRecord } from "../../catalog/model-record.ts";
import type { ChatTemplate, TemplateRequest, TemplateSource } from "../../chat-template/chat-template.ts";
import { asText } from "../../chat-template/messages/normalize.ts";
import { effortVariable } from "../../chat-template/reasoning/effort.ts";
import { effortOf } from "../../chat-template/reasoning/harmony.ts";
import type { TemplateReasoning } from "../../chat-template/reasoning/reasoning.ts";
import type { TemplateCall } from "../../chat-template/traits/template-message.ts";
import { EngineError } from "../../engine-api/engine-error.ts";
import { shownDefinition } from "../../tools/call-text.ts";
import { toolFormatOf } from "../../tools/formats/template-format.ts";
import type { ToolFormat } from "../../tools/formats/tool-format.ts";
import type { ToolCall } from "../../tools/tool-types.ts";
import { type ChatRequest, callsTools, type ReasoningMode } from "../chat-request.ts";
import { requireReasoning, toolsNotSupported } from "../checks/refusals.ts";
import type { ChatPrompt, PromptContext } from "./chat-prompt.ts";
import { continuedPrompt, withEndMarked } from "./continued-message.ts";
import { beforeThought, begunThought, inThought } from "./continued-thought.ts";
import { GENERIC_FORMAT, withGenericTools } from "./generic-tools.ts";
import { renderWithRawReplies } from "./raw-replies.ts";
import { reasoningPrompt } from "./reasoning-prompt.ts";
import { templateOf } from "./template-abilities.ts";
import { toTemplateMessages, withCallIds, withSystemWord } from "./template-messages.ts";

/**
 * @throws {EngineError} `invalid_request` with the template's own message where it refuses the messages;
 *   `unsupported_parameter`
 */
export function promptByTemplate(
  chat: ChatRequest,
  source: TemplateSource,
  context: PromptContext,
): ChatPrompt {
  const { model, replies } = context;
  const template = templateOf(source);
  const hasTools = callsTools(chat);
  const reasoning = template.reasoning ?? ownReasoning(model);
  if (chat.promptEnd === "thought") {
    const opened = promptByTemplate(beforeThought(chat), source, context);
    return inThought(opened, begunThought(chat), reasoning!, hasTools);
  }
  const format = formatOf(chat, template, model);
  requireReasoning(chat, model, reasoning);
  const request = templateRequest(chat, format, reasoning, context);
  const rendered = renderMessages(chat, request, { template, format }, context);
  return {
    ...promptEnd(chat, rendered, { format, reasoning, request }),
    ...(hasTools && format.used ? { toolFormat: format.used } : {}),
    onReply: (replied) => replies.remember(replied),
  };
}

/** The format of tool calls. */
interface ChosenFormat {
  /** Of the template; undefined if it has none. */
  own: ToolFormat | undefined;
  /** In which the request's tools are described and called; undefined if it has no tools and the template no format. */
  used: ToolFormat | undefined;
}

/** @throws {EngineError} `unsupported_parameter` if neither template nor model has a format for the request's tools */
function formatOf(chat: ChatRequest, template: ChatTemplate, model: ChatModelRecord): ChosenFormat {
  const hasTools = callsTools(chat);
  const own = template.traits(hasTools).hasTools ? toolFormatOf(template, hasTools) : undefined;
  if (own || !hasTools) return { own, used: own };
  if (model.tools !== "generic") throw toolsNotSupported(chat, model);
  return { own, used: GENERIC_FORMAT };
}

function templateRequest(
  chat: ChatRequest,
  { own, used }: ChosenFormat,
  reasoning: TemplateReasoning | undefined,
  { model, replies }: PromptContext,
): TemplateRequest {
  const { promptEnd = "opening" } = chat;
  const messages = used && !own ? withGenericTools(chat, model) : toTemplateMessages(chat, replies);
  const identified = own?.callId ? withCallIds(messages, own.callId) : messages;
  const written = withSystemWord(identified, chat, reasoning);
  return {
    messages: promptEnd === "text" ? withEndMarked(written) : written,
    opensReply: promptEnd === "opening",
    ...(own && callsTools(chat) ? { tools: chat.tools.map(shownDefinition) } : {}),
    variables: variablesOf(chat, reasoning),
  };
}

function renderMessages(
  chat: ChatRequest,
  request: TemplateRequest,
  { template, format }: { template: ChatTemplate; format: ChosenFormat },
  { replies, promptParam }: PromptContext,
): string {
  const { replaysCalls } = template.traits(callsTools(chat));
  // Earlier calls are written even if this request may make none.
  const render = (changed: TemplateRequest): string =>
    renderWith(template, changed, format.used ?? GENERIC_FORMAT, promptParam);
  return renderWithRawReplies(request, chat.messages, { render, replies, replaysCalls });
}

/** The prompt up to where the reply begins, and how its reasoning is read. */
function promptEnd(
  chat: ChatRequest,
  rendered: string,
  {
    format: { own },
    reasoning,
    request: { variables = {} },
  }: { format: ChosenFormat; reasoning: TemplateReasoning | undefined; request: TemplateRequest },
): Omit<ChatPrompt, "toolFormat" | "onReply"> {
  const hasTools = callsTools(chat);
  if (chat.promptEnd === "text")
    return continuedPrompt(rendered, chat.messages.at(-1)!.text, reasoning, hasTools);
  const prompt = hasTools || !own ? rendered : openText(rendered, own);
  if (!reasoning) return { prompt, mayThink: false };
  return reasoningPrompt(prompt, reasoning, switchedBy(variables, reasoning) ?? chat.reasoning, hasTools);
}

/** The prompt of a text, in a format whose prompt ends with the marker that also begins a call. */
function openText(prompt: string, { callFormat: { open, beginsText = "" } }: ToolFormat): string {
  return open.some((marker) => prompt.endsWith(marker)) ? prompt + beginsText : prompt;
}

function renderWith(
  template: ChatTemplate,
  request: TemplateRequest,
  toolFormat: ToolFormat,
  param: PromptContext["promptParam"],
): string {
  try {
    return template.render(request, (calls) => toolFormat.write(calls.map(asCall)));
  } catch (error) {
    const message = `The model's chat template rejects the messages: ${(error as Error).message}`;
    throw new EngineError("invalid_request", message, { param, cause: error });
  }
}

/** Thinking as a model's record describes it, for templates that do not mention it. */
function ownReasoning({ reasoning }: ChatModelRecord): TemplateReasoning | undefined {
  if (!reasoning) return undefined;
  const { open, close, line, offLine } = reasoning;
  const word = { type: "system-word", on: line, off: offLine ?? "" } as const;
  return { open, close, switch: word, isDefault: offLine !== undefined };
}

function variablesOf(
  { reasoning: wanted, templateVariables = {} }: ChatRequest,
  reasoning: TemplateReasoning | undefined,
): Record<string, unknown> {
  const given = { ...templateVariables, ...effortsOf(templateVariables, reasoning) };
  // A number of tokens stays, too.
  if (
    wanted === "default" ||
    reasoning?.switch?.type !== "variable" ||
    switchedBy(given, reasoning) === wanted
  )
    return given;
  return { ...given, [reasoning.switch.name]: reasoning.switch[wanted] };
}

function effortsOf(variables: Readonly<Record<string, unknown>>, reasoning?: TemplateReasoning): object {
  if (reasoning?.messages === "harmony") return effortOf(variables);
  return reasoning?.efforts ? effortVariable(reasoning.efforts, variables) : {};
}

/** The mode that the template's own variable selects, as clients set it in `chat_template_kwargs`. */
function switchedBy(
  variables: Readonly<Record<string, unknown>>,
  { switch: by }: TemplateReasoning,
): ReasoningMode | undefined {
  if (by?.type !== "variable") return undefined;
  const value = variables[by.name];
  return typeof value === typeof by.on ? (value === by.off ? "off" : "on") : undefined;
}

function asCall({ id, function: { name, arguments: given } }: TemplateCall): ToolCall {
  return { id, name, arguments: asText(given) };
}
