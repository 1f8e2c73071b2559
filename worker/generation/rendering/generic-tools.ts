/** Tools for models whose template has none: described and written as text, in Qwen's form. */

import type { ChatModelRecord } from "../../catalog/model-record.ts";
import type { TemplateMessage } from "../../chat-template/traits/template-message.ts";
import { chatmlHermes } from "../../tools/families/chatml-hermes.ts";
import type { ChatRequest } from "../chat-request.ts";
import { toTurns } from "./turns.ts";

export const GENERIC_FORMAT = chatmlHermes.format;

/** The messages of a request with its tools described in text, for templates that know no tools. */
export function withGenericTools(chat: ChatRequest, model: ChatModelRecord): TemplateMessage[] {
  return toTurns({ ...chat, reasoning: "default" }, model, chatmlHermes).map(({ role, text }) => ({
    role: role === "tool" ? "user" : role,
    content: text,
  }));
}
