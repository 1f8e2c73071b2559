/** Renders a chat request with the model's own template. */

import type { ChatModelRecord } from "../catalog/model-record.ts";
import type { ChatTemplate, TemplateRequest, TemplateSource } from "../chat-template/chat-template.ts";
import { effortVariable } from "../chat-template/effort.ts";
import { effortOf } from "../chat-template/harmony.ts";
import { asText } from "../chat-template/normalize.ts";
import type { TemplateReasoning } from "../chat-template/reasoning.ts";
import type { TemplateCall } from "../chat-template/template-message.ts";
import { EngineError } from "../engines/api/engine-error.ts";
import { shownDefinition } from "../tools/call-text.ts";
import { toolFormatOf } from "../tools/formats/template-format.ts";
import type { ToolFormat } from "../tools/formats/tool-format.ts";
import type { ToolCall } from "../tools/tool-types.ts";
import type { ChatPrompt, PromptContext } from "./chat-prompt.ts";
import { type ChatRequest, callsTools, type ReasoningMode } from "./chat-request.ts";
import { continuedPrompt, withEndMarked } from "./continued-message.ts";
import { beforeThought, begunThought, inThought } from "./continued-thought.ts";
import { GENERIC_FORMAT, withGenericTools } from "./generic-tools.ts";
import { renderWithRawReplies } from "./raw-replies.ts";
import { reasoningPrompt } from "./reasoning-prompt.ts";
import { requireReasoning, toolsNotSupported } from "./refusals.ts";
import { templateOf } from "./template-abilities.ts";
import { toTemplateMessages, withCallIds, withSystemWord } from "./template-messages.ts";

/**
 * @throws {EngineError} `invalid_request` with the template's own message where it refuses the messages;
 *   `unsupported_parameter`
 */
export function promptByTemplate(
  chat: ChatRequest,
  source: TemplateSource,
  { model, replies, promptParam }: PromptContext,
): ChatPrompt {
  const template = templateOf(source);
  const hasTools = callsTools(chat);
  if (chat.promptEnd === "thought") {
    const opened = promptByTemplate(beforeThought(chat), source, { model, replies, promptParam });
    return inThought(opened, begunThought(chat), template.reasoning ?? ownReasoning(model)!, hasTools);
  }
  const traits = template.traits(hasTools);
  const ownFormat = traits.hasTools ? toolFormatOf(template, hasTools) : undefined;
  const isGeneric = hasTools && !ownFormat;
  if (isGeneric && model.tools !== "generic") throw toolsNotSupported(chat, model);
  const toolFormat = isGeneric ? GENERIC_FORMAT : ownFormat;
  const reasoning = template.reasoning ?? ownReasoning(model);
  requireReasoning(chat, model, reasoning);
  const variables = variablesOf(chat, reasoning);
  const messages = isGeneric ? withGenericTools(chat, model) : toTemplateMessages(chat, replies);
  const callId = ownFormat?.callId;
  const { promptEnd = "opening" } = chat;
  const written = withSystemWord(callId ? withCallIds(messages, callId) : messages, chat, reasoning);
  const request: TemplateRequest = {
    messages: promptEnd === "text" ? withEndMarked(written) : written,
    opensReply: promptEnd === "opening",
    ...(ownFormat && hasTools ? { tools: chat.tools.map(shownDefinition) } : {}),
    variables,
  };
  // Earlier calls are written even if this request may make none.
  const render = (changed: TemplateRequest): string =>
    renderWith(template, changed, toolFormat ?? GENERIC_FORMAT, promptParam);
  const { replaysCalls } = traits;
  const replayed = renderWithRawReplies(request, chat.messages, { render, replies, replaysCalls });
  const rendered = hasTools || !ownFormat ? replayed : openText(replayed, ownFormat);
  return {
    ...(promptEnd === "text"
      ? continuedPrompt(replayed, chat.messages.at(-1)!.text, reasoning, hasTools)
      : reasoning
        ? reasoningPrompt(rendered, reasoning, switchedBy(variables, reasoning) ?? chat.reasoning, hasTools)
        : { prompt: rendered, mayThink: false }),
    ...(hasTools && toolFormat ? { toolFormat } : {}),
    onReply: (replied) => replies.remember(replied),
  };
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

/** What the template's own variable says, as clients set it in `chat_template_kwargs`. */
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
