/**
 * Converts the deprecated `functions` and `function_call` to tools (OpenAI reference, Chat). Loaded with the first
 * request that uses them.
 */

import * as z from "zod/mini";
import type { ChatRequest } from "../../generation/chat-request.ts";
import { ApiError, badRequest } from "../../http/api-error.ts";
import { identifier } from "../../http/validation/identifier.ts";
import { validate } from "../../http/validation/validate.ts";
import type { ChatMessage } from "../../prompt/messages.ts";

const functionName = identifier(64);

const schema = z.object({
  functions: z.nullish(
    z
      .array(
        z.object({
          name: functionName,
          description: z.nullish(z.string()),
          parameters: z.nullish(z.record(z.string(), z.unknown())),
        }),
      )
      .check(z.maxLength(128)),
  ),
  function_call: z.nullish(z.union([z.enum(["none", "auto"]), z.object({ name: functionName })])),
});

const functionCall = z.object({ name: z.string().check(z.minLength(1)), arguments: z.string() });

/**
 * The same request with `tools`, `tool_choice`, `tool_calls` and messages of role `tool`. Parallel calls are off.
 *
 * @throws {ApiError} 400 for wrong fields, for functions together with tools, and for a result without a call
 */
export async function withoutLegacyFunctions(body: Record<string, unknown>): Promise<Converted> {
  const legacy = await validate(schema, body);
  const { functions, function_call: choice } = legacy;
  const { functions: _, function_call: __, ...rest } = body;
  requireConsistent(legacy, body.tools);
  const converted = Array.isArray(body.messages) ? toToolMessages(body.messages) : [];
  const tools = {
    ...rest,
    ...(Array.isArray(body.messages) ? { messages: converted.map(({ message }) => message) } : {}),
    ...(functions?.length
      ? {
          tools: functions.map((one) => ({ type: "function", function: one })),
          tool_choice: typeof choice === "object" && choice ? { type: "function", function: choice } : choice,
          parallel_tool_calls: false,
        }
      : {}),
  };
  // Only calls in the history may be legacy: then the tools are the request's own.
  const callsFunctions = Boolean(functions?.length);
  const renamed = (text: string): string =>
    toLegacyPlaces(callsFunctions ? withLegacyFunctions(text) : text, converted);
  return {
    body: tools,
    callsFunctions,
    toLegacyError: (error) => toLegacyError(error, renamed),
    toLegacyChat: (chat) => ({
      ...chat,
      messages: chat.messages.map((message) => withImagePlaces(message, renamed)),
      ...(callsFunctions ? { toolsParam: "functions" } : {}),
    }),
  };
}

/** @throws {ApiError} 400 for functions together with tools, and for a choice that is not among the functions */
function requireConsistent(
  { functions, function_call: choice }: z.output<typeof schema>,
  tools: unknown,
): void {
  if (functions?.length && Array.isArray(tools) && tools.length > 0) {
    throw badRequest("invalid_value", "functions", "'functions' and 'tools' cannot be used together.");
  }
  if (choice && choice !== "none" && !functions?.length) {
    throw badRequest(
      "invalid_value",
      "function_call",
      "Invalid value for 'function_call': 'function_call' is only allowed when 'functions' are specified.",
    );
  }
  if (typeof choice === "object" && choice && !functions?.some(({ name }) => name === choice.name)) {
    throw badRequest(
      "invalid_value",
      "function_call",
      `Invalid value for 'function_call': there is no function '${choice.name}' among the 'functions'.`,
    );
  }
}

interface Converted {
  body: Record<string, unknown>;
  /** Whether the request has `functions`. */
  callsFunctions: boolean;
  /** Renames the fields of `body` in an error to those of the request. */
  toLegacyError(error: unknown): unknown;
  /** Renames what is checked after the request is parsed: the places of images, and the parameter of the tools. */
  toLegacyChat(chat: ChatRequest): ChatRequest;
}

/** A message of the converted request. */
interface ConvertedMessage {
  message: unknown;
  /** The message of the request that it comes from. */
  from: number;
}

function toLegacyError(error: unknown, renamed: (text: string) => string): unknown {
  if (!(error instanceof ApiError)) return error;
  const { status, code, type, headers, cause, param, message } = error;
  return new ApiError(status, code, renamed(message), {
    type,
    headers,
    cause,
    param: param && renamed(param),
  });
}

function withLegacyFunctions(text: string): string {
  return text.replace(/\btools\[(\d+)\]\.function\b/g, "functions[$1]");
}

function toLegacyPlaces(text: string, messages: readonly ConvertedMessage[]): string {
  return text.replace(/\bmessages\[(\d+)\]/g, (whole, at) => {
    const from = messages[Number(at)]?.from;
    return from === undefined ? whole : `messages[${from}]`;
  });
}

function withImagePlaces(message: ChatMessage, renamed: (text: string) => string): ChatMessage {
  if (!("images" in message) || !message.images) return message;
  return { ...message, images: message.images.map((image) => ({ ...image, param: renamed(image.param) })) };
}

/** Legacy calls have no id: their message index is used. One without a result gets an empty one, as tools need. */
function toToolMessages(messages: readonly unknown[]): ConvertedMessage[] {
  let callId: string | undefined;
  const convert = (message: unknown, at: number): unknown[] => {
    if (typeof message !== "object" || message === null) return [message];
    const { function_call: call, ...rest } = message as Record<string, unknown>;
    if (rest.role === "function") {
      if (callId === undefined) throw withoutCall(at);
      const { role: _, name: __, content, ...others } = rest;
      return [{ ...others, role: "tool", content: content ?? "", tool_call_id: callId }];
    }
    callId = undefined;
    if (rest.role !== "assistant" || !call) return [message];
    const parsed = functionCall.safeParse(call);
    if (!parsed.success) throw malformedCall(at);
    callId = `call_${at}`;
    const made = { ...rest, tool_calls: [{ id: callId, type: "function", function: parsed.data }] };
    const { role } = Object(messages[at + 1] ?? {}) as { role?: unknown };
    return role === "function" ? [made] : [made, { role: "tool", content: "", tool_call_id: callId }];
  };
  return messages.flatMap((message, from) => convert(message, from).map((one) => ({ message: one, from })));
}

function withoutCall(at: number): ApiError {
  const param = `messages[${at}].role`;
  return badRequest(
    "invalid_value",
    param,
    `Invalid '${param}': messages with role 'function' must be a response to a preceding message with 'function_call'.`,
  );
}

function malformedCall(at: number): ApiError {
  const param = `messages[${at}].function_call`;
  return badRequest(
    "invalid_value",
    param,
    `Invalid '${param}': expected an object with the strings 'name', which is not empty, and 'arguments'.`,
  );
}
