/** Validated tools in the form of the OpenAI API, for renderers and constraints. */

import type { InputFormat } from "../json-schema/input-format.ts";

export interface ToolDefinition {
  type: "function";
  function: {
    name: string;
    description?: string;
    /** JSON schema of the arguments; absent if there are none. */
    parameters?: Record<string, unknown>;
    strict?: boolean;
  };
  /** The format of the one parameter of a function that stands for a custom tool. */
  custom?: InputFormat;
}

/** A call in an assistant message. */
export interface ToolCall {
  id: string;
  name: string;
  /** JSON text of an object, as generated. */
  arguments: string;
}

/** A tool message. */
export interface ToolResult {
  callId: string;
  /** Function name, if the call is known. */
  name?: string;
  content: string;
}

/** Which calls a reply may or must contain. */
export type ToolChoice =
  | { mode: "none" | "auto" | "required" }
  /** `allowed_tools`: only these may be called. */
  | { mode: "auto" | "required"; names: readonly string[] }
  /** A named function: exactly one call of it. */
  | { mode: "named"; name: string };
