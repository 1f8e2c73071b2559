import { type ApiError, badRequest } from "../../http/api-error.ts";
import type { ChatMessage, SentImage } from "../../prompt/messages.ts";
import { customCall } from "../../tools/custom/custom-call.ts";
import type { ToolCall } from "../../tools/tool-types.ts";
import { type Content, type ContentPart, joinTexts, toContent } from "../params/content-parts.ts";
import { orderToolResults, type ToolResultErrors } from "../params/tool-results.ts";
import { fromEncryptedContent } from "./encrypted-content.ts";
import type { Input, InputItem, InputParts } from "./items.ts";
import { nameInPrompt } from "./namespaces.ts";
import { withResultsAtCalls } from "./results-at-calls.ts";

/** The separator of texts that are joined. */
const GAP = "\n\n";

/**
 * Converts `instructions` and `input` to the equivalent chat conversation.
 *
 * @throws {ApiError} 400 that names the item
 */
export function toChatMessages(instructions: string | null | undefined, input: Input): ChatMessage[] {
  const head: ChatMessage[] =
    instructions === null || instructions === undefined ? [] : [{ role: "system", text: instructions }];
  if (typeof input === "string") return [...head, { role: "user", text: input }];
  const entries = withResultsAtCalls(new EntryList(input).entries);
  const messages = entries.map((entry) => entry.message);
  return [...head, ...orderToolResults(messages, toolResultErrors(entries, input))];
}

interface Entry {
  message: ChatMessage;
  /** Index of its first item. */
  at: number;
}

type Reply = Extract<ChatMessage, { role: "assistant" }>;

/** Messages of input items. The items of one reply, its thought, text and calls, are one assistant message. */
class EntryList {
  readonly entries: Entry[] = [];
  /** The reply that further items may belong to. */
  #reply: Reply | undefined;
  /** The thought of the message or call that comes next. */
  #thought = "";

  /** @throws {ApiError} 400 that names the item */
  constructor(items: readonly InputItem[]) {
    for (const [at, item] of items.entries()) this.#add(item, at);
  }

  #add(item: InputItem, at: number): void {
    switch (item.type) {
      case "reasoning":
        this.#thought = joinThoughts(this.#thought, textOf(item));
        // After a message it may belong to a call of the same reply, or to the next reply.
        if (this.#hasCalls) this.#giveThought(this.#reply!);
        return;
      case "function_call":
      case "custom_tool_call":
        this.#giveThought(this.#reply ?? this.#openReply(at)).toolCalls.push(toToolCall(item));
        return;
      case "function_call_output":
      case "custom_tool_call_output":
        this.#close(toResult(item, `input[${at}].output`), at);
        return;
      case "message":
        if (item.role === "assistant") {
          const text = joinTexts(item.content);
          // Text after a call without a result belongs to the same reply.
          this.#giveThought(this.#hasCalls ? this.#reply! : this.#openReply(at)).text += text;
          return;
        }
        this.#thought = "";
        this.#close(toMessage(item.role, item.content, `input[${at}].content`), at);
        return;
      default:
        throw refuseForeign(item.type, `input[${at}]`);
    }
  }

  get #hasCalls(): boolean {
    return this.#reply !== undefined && this.#reply.toolCalls.length > 0;
  }

  #openReply(at: number): Reply {
    const reply: Reply = { role: "assistant", text: "", toolCalls: [] };
    this.#reply = reply;
    this.entries.push({ message: reply, at });
    return reply;
  }

  /** Adds a message of another role, which ends the reply. */
  #close(message: ChatMessage, at: number): void {
    this.#reply = undefined;
    this.entries.push({ message, at });
  }

  #giveThought(target: Reply): Reply {
    if (this.#thought !== "") target.reasoning = joinThoughts(target.reasoning, this.#thought);
    this.#thought = "";
    return target;
  }
}

type CallItem = Extract<InputItem, { type: "function_call" | "custom_tool_call" }>;

function toToolCall(item: CallItem): ToolCall {
  const id = item.call_id;
  const name = nameInPrompt(item);
  return item.type === "custom_tool_call"
    ? customCall(id, name, item.input)
    : { id, name, arguments: item.arguments };
}

type ResultItem = Extract<InputItem, { type: "function_call_output" | "custom_tool_call_output" }>;

/** The result of a call; one without a call is a user turn that begins with the tool's name. */
function toResult(item: ResultItem, param: string): ChatMessage {
  const content = contentOf(item.output, param);
  if (item.call_id) return { role: "tool", ...content, callId: item.call_id };
  if (!("name" in item && item.name)) return { role: "user", ...content };
  const head = `${nameInPrompt({ name: item.name, namespace: item.namespace })}:\n`;
  const images = content.images?.map((image) => ({ ...image, at: image.at + head.length }));
  return { role: "user", text: head + content.text, ...(images ? { images } : {}) };
}

function joinThoughts(first: string | undefined, second: string): string {
  return first && second ? `${first}${GAP}${second}` : first || second;
}

/** The thought itself, else its summary, else what is sealed in it; empty if another server encrypted it. */
function textOf({
  content,
  summary,
  encrypted_content: sealed,
}: Extract<InputItem, { type: "reasoning" }>): string {
  const parts = content && content.length > 0 ? content : (summary ?? []);
  const shown = parts.map(({ text }) => text).join(GAP);
  return shown === "" && sealed ? fromEncryptedContent(sealed) : shown;
}

function toMessage(
  role: "user" | "system" | "developer",
  parts: string | InputParts,
  param: string,
): ChatMessage {
  const content = contentOf(parts, param);
  if (role === "user") return { role, ...content };
  if (!content.images) return { role: "system", text: content.text };
  const [{ param: place }] = content.images as [SentImage];
  throw badRequest(
    "unsupported_content",
    place,
    `Invalid content type at '${place}': only messages of the user and outputs of tools have images.`,
  );
}

/** @throws {ApiError} 400 for parts other than texts and images */
function contentOf(parts: string | InputParts, param: string): Content {
  return toContent(typeof parts === "string" ? parts : parts.map(toPart), param);
}

/** Images of uploaded files are refused like other parts: no model here reads the Files API. */
function toPart(part: InputParts[number]): ContentPart {
  if (part.type !== "input_image" || typeof part.image_url !== "string") return part as ContentPart;
  const { type, image_url: url, detail } = part;
  return { type, image: { url, urlField: "image_url", detail: detail ?? "auto" } };
}

function refuseForeign(type: string, param: string): ApiError {
  return badRequest(
    "unsupported_item",
    param,
    `Unsupported item '${type}' at '${param}': this runtime supports functions and custom tools only.`,
  );
}

/** OpenAI's messages. */
function toolResultErrors(entries: readonly Entry[], items: readonly InputItem[]): ToolResultErrors {
  return {
    missingResults([id]) {
      const call = items.find((item) => isCall(item) && item.call_id === id);
      const kind = call?.type === "custom_tool_call" ? "custom tool" : "function";
      return badRequest("invalid_value", "input", `No tool output found for ${kind} call ${id}.`);
    },
    unexpectedResult(index) {
      const { message, at } = entries[index]!;
      const id = message.role === "tool" ? message.callId : "";
      const kind = items[at]!.type === "custom_tool_call_output" ? "custom tool" : "function";
      return badRequest(
        "invalid_value",
        `input[${at}].call_id`,
        `No tool call found for ${kind} call output with call_id ${id}.`,
      );
    },
  };
}

function isCall(item: InputItem): item is CallItem {
  return item.type === "function_call" || item.type === "custom_tool_call";
}
