import type { ToolFormat } from "../formats/tool-format.ts";
import type { ToolCall, ToolDefinition, ToolResult } from "../tool-types.ts";

interface ToolRenderOptions {
  /** The date in the template's format, for example `26 Jul 2024`. */
  dateText?: string;
}

/**
 * How a model family's published template renders tools, for models whose template is not among their files. All
 * functions are pure.
 */
export interface ToolFamily {
  name: string;
  /** The system text of a request with tools; `tools` is not empty. */
  renderTools(
    system: string | undefined,
    tools: readonly ToolDefinition[],
    options?: ToolRenderOptions,
  ): string;
  /** The text of an assistant turn with `calls`, which is not empty. */
  renderCalls(content: string, calls: readonly ToolCall[]): string;
  /** One turn with the results of consecutive tool messages. */
  renderResults(results: readonly ToolResult[]): { role: "user" | "tool"; text: string };
  format: ToolFormat;
}
