/** Conversations as endpoints pass them, independent of the model's template. */

import type { ToolCall } from "../tools/tool-types.ts";

/** An image of a message, not yet read. */
export interface SentImage {
  url: string;
  detail: "auto" | "low" | "high" | "original";
  /** Offset in the message's text. */
  at: number;
  /** The place of its part in the request, for errors. */
  param: string;
  /** The field of the part that has the URL. */
  urlField: "image_url.url" | "image_url";
}

export type ChatMessage =
  | { role: "system"; text: string; name?: string }
  | { role: "user"; text: string; name?: string; images?: readonly SentImage[] }
  | {
      role: "assistant";
      text: string;
      toolCalls: ToolCall[];
      /** The thought before it, if the client sent it back. */
      reasoning?: string;
      name?: string;
    }
  | { role: "tool"; text: string; callId: string; images?: readonly SentImage[] };

/** A turn for the template: a role and plain text. */
export interface PromptTurn {
  role: "system" | "user" | "assistant" | "tool";
  text: string;
}

/**
 * Where a prompt ends: after the opening of a reply; after the last message; or within it, after its text or its thought,
 * which the reply then continues.
 */
export type PromptEnd = "opening" | "message" | "text" | "thought";
