import type { CallFormat } from "../../reply/call-format.ts";
import type { CallSyntax } from "../constraints.ts";
import type { ToolCall } from "../tool-types.ts";

/** A published format of tool calls: how a model's template shows it, how it is read, enforced and written. */
export interface ToolFormat {
  /** As `/v1/chat/completions/render` reports it. */
  name: string;
  /** Whether a chat template, with the texts of the model's special tokens, is written for this format. */
  matches(template: string): boolean;
  /** How the reader detects calls. */
  callFormat: CallFormat;
  /** How calls are enforced. */
  callSyntax: CallSyntax;
  /** The id that a template writes for the call of a conversation, counted from 0. @default the API's id */
  callId?(name: string, index: number): string;
  /** Text of the calls of an assistant turn, for templates that render none. */
  write(calls: readonly ToolCall[]): string;
}
