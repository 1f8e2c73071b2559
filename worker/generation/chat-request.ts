/** What a reply in a conversation is asked to be, whatever endpoint asks: chat completions and responses. */

import type { Sampling } from "../engines/types.ts";
import type { ChatMessage } from "./prompt/messages.ts";

/** A function that the model may call. */
export interface ToolDefinition {
  name: string;
  description?: string;
  /** JSON schema of the arguments; absent: no arguments. */
  parameters?: Record<string, unknown>;
  strict?: boolean;
}

export type ToolChoice =
  | { type: "none" }
  | { type: "auto" }
  | { type: "required" }
  | { type: "function"; name: string };

export type ResponseFormat =
  | { type: "text" }
  | { type: "json_object" }
  | { type: "json_schema"; schema: Record<string, unknown> };

/** `off` switches thinking off, `on` switches it on, `default` leaves it to the model. */
export type ReasoningSwitch = "default" | "off" | "on";

export interface ChatRequest {
  messages: ChatMessage[];
  sampling: Sampling;
  stop: string[];
  choices: number;
  topLogprobs: number | undefined;
  tools: ToolDefinition[];
  toolChoice: ToolChoice;
  parallelToolCalls: boolean;
  responseFormat: ResponseFormat;
  reasoning: ReasoningSwitch;
}
