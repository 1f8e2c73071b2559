/** A chat request, independent of the endpoint: chat completions or responses. */

import type { PromptImage } from "../engine-api/prompt-image.ts";
import type { ChatMessage, PromptEnd } from "../prompt/messages.ts";
import type { ConstrainedTool } from "../tools/constraints.ts";
import type { ToolChoice, ToolDefinition } from "../tools/tool-types.ts";
import type { RequestedSampling } from "./sampling-defaults.ts";

export type ResponseFormat =
  | { type: "text" }
  | { type: "json_object" | "json_schema" | "regex" | "choice"; grammar: string };

/** `on` and `off` switch reasoning; `default` is the model's default. */
export type ReasoningMode = "default" | "off" | "on";

export interface ChatRequest {
  messages: ChatMessage[];
  /** The images of the placeholders in the messages' texts; undefined until they are loaded. */
  images?: readonly PromptImage[];
  sampling: RequestedSampling;
  stop: string[];
  /** Whether the reply includes the stop string that ended it. */
  includeStop: boolean;
  choices: number;
  topLogprobs: number | undefined;
  /** As rendered in the prompt. */
  tools: ToolDefinition[];
  /** The parameter that has them. @default "tools" */
  toolsParam?: "tools" | "functions";
  /** The same tools with their grammars. */
  callable: ConstrainedTool[];
  toolChoice: ToolChoice;
  parallelToolCalls: boolean;
  responseFormat: ResponseFormat;
  reasoning: ReasoningMode;
  /** More variables of the model's chat template. */
  templateVariables?: Readonly<Record<string, unknown>>;
  /** @default "opening" */
  promptEnd?: PromptEnd;
  /** The parameter that needs a model that reasons, if the request has one. */
  reasoningParam?: string;
}

/** Whether the reply may contain tool calls. */
export function callsTools({ tools, toolChoice }: ChatRequest): boolean {
  return tools.length > 0 && toolChoice.mode !== "none";
}
