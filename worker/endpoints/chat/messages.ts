import * as z from "zod/mini";
import { badRequest } from "../../http/api-error.ts";
import type { ChatMessage } from "../../prompt/messages.ts";
import { customCall } from "../../tools/custom/custom-call.ts";
import type { ToolCall } from "../../tools/tool-types.ts";
import { imageDetail } from "../images/image-detail.ts";
import { type Content, type ContentPart, joinTexts, toContent } from "../params/content-parts.ts";
import { orderToolResults, type ToolResultErrors } from "../params/tool-results.ts";

const textPart = z.object({ type: z.literal("text"), text: z.string() });
const refusalPart = z.object({ type: z.literal("refusal"), refusal: z.string() });
const imagePart = z.object({
  type: z.literal("image_url"),
  image_url: z.object({ url: z.string(), detail: z.nullish(imageDetail) }),
});
/** Valid at OpenAI; refused later with a specific error. */
const mediaPart = z.object({ type: z.enum(["input_audio", "file"]) });

/** As at OpenAI, a list without parts is an empty text. */
const text = z.union([z.string(), z.array(z.discriminatedUnion("type", [textPart]))]);
const content = z.union([
  z.string(),
  z.array(z.discriminatedUnion("type", [textPart, imagePart, mediaPart])),
]);
const assistantContent = z.union([
  z.string(),
  z.array(z.discriminatedUnion("type", [textPart, refusalPart])),
]);

const nonEmpty = z.string().check(z.minLength(1));
const toolCall = z.discriminatedUnion("type", [
  z.object({
    id: nonEmpty,
    type: z.literal("function"),
    function: z.object({ name: nonEmpty, arguments: z.string() }),
  }),
  z.object({
    id: nonEmpty,
    type: z.literal("custom"),
    custom: z.object({ name: nonEmpty, input: z.string() }),
  }),
]);

const message = z.discriminatedUnion("role", [
  z.object({ role: z.enum(["system", "developer"]), content: text, name: z.nullish(z.string()) }),
  z.object({ role: z.literal("user"), content, name: z.nullish(z.string()) }),
  z.object({
    role: z.literal("assistant"),
    content: z.nullish(assistantContent),
    refusal: z.nullish(z.string()),
    /** Valid at OpenAI; refused later with a specific error. */
    audio: z.nullish(z.object({ id: z.string() })),
    name: z.nullish(z.string()),
    tool_calls: z.nullish(z.array(toolCall)),
    /** The thought that came with the reply, under DeepSeek's name or vLLM's newer one. */
    reasoning_content: z.nullish(z.string()),
    reasoning: z.nullish(z.string()),
  }),
  z.object({ role: z.literal("tool"), content, tool_call_id: z.string() }),
]);

/** The `messages` of a chat request; `toChatMessages` checks the rules that span messages. */
export const messagesSchema = z.array(message).check(z.minLength(1));

type Message = z.output<typeof message>;

/**
 * Converts OpenAI's messages, and checks the rules that span several of them.
 *
 * @throws {ApiError} 400 that names the message
 */
export function toChatMessages(messages: readonly Message[]): ChatMessage[] {
  return orderToolResults(messages.map(toChatMessage), toolResultErrors);
}

function toChatMessage(message: Message, at: number): ChatMessage {
  switch (message.role) {
    case "system":
    case "developer":
      return { role: "system", text: joinTexts(message.content), ...nameOf(message) };
    case "user":
      return { role: "user", ...contentOf(message.content, at), ...nameOf(message) };
    case "tool":
      return { role: "tool", ...contentOf(message.content, at), callId: message.tool_call_id };
    case "assistant": {
      if (message.audio) {
        const param = `messages[${at}].audio`;
        throw badRequest("unsupported_content", param, `Invalid '${param}': audio is not supported.`);
      }
      const toolCalls = message.tool_calls?.map(toToolCall) ?? [];
      const content = message.content ?? message.refusal;
      const reasoning = message.reasoning_content || message.reasoning;
      if ((content === null || content === undefined) && toolCalls.length === 0 && !reasoning) {
        const param = `messages[${at}].content`;
        throw badRequest(
          "invalid_type",
          param,
          `Invalid type for '${param}': expected a string, but got null instead. It may be omitted only together with 'tool_calls'.`,
        );
      }
      return {
        role: "assistant",
        // A stream of a refusal begins with an empty text.
        text: [joinTexts(message.content ?? ""), message.refusal ?? ""].filter(Boolean).join("\n\n"),
        toolCalls,
        ...(reasoning ? { reasoning } : {}),
        ...nameOf(message),
      };
    }
  }
}

/** For templates that show names. */
function nameOf({ name }: { name?: string | null | undefined }): { name?: string } {
  return name ? { name } : {};
}

function toToolCall(call: z.output<typeof toolCall>): ToolCall {
  if (call.type === "custom") return customCall(call.id, call.custom.name, call.custom.input);
  const { name, arguments: text } = call.function;
  return { id: call.id, name, arguments: text };
}

function contentOf(parts: z.output<typeof content>, at: number): Content {
  const read = typeof parts === "string" ? parts : parts.map(toPart);
  return toContent(read, `messages[${at}].content`);
}

function toPart(part: Exclude<z.output<typeof content>, string>[number]): ContentPart {
  if (part.type !== "image_url") return part;
  const { url, detail } = part.image_url;
  return { type: part.type, image: { url, urlField: "image_url.url", detail: detail ?? "auto" } };
}

const toolResultErrors: ToolResultErrors = {
  missingResults: (ids) =>
    badRequest(
      "invalid_value",
      "messages",
      `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${ids.join(", ")}`,
    ),
  unexpectedResult(at) {
    const param = `messages[${at}].tool_call_id`;
    return badRequest(
      "invalid_value",
      param,
      `Invalid '${param}': messages with role 'tool' must be a response to a preceding message with 'tool_calls'.`,
    );
  },
};
